//! Reads a configuration from YAML and reports every problem of the file together.
//!
//! Names are validated by their own types, so their rules are worded as on the command line.

use std::{fmt, str::FromStr};

use kb_model::{Gvk, Kind, Version};
use serde_json::Value;
use serde_saphyr::{Error, MessageFormatter, UserMessageFormatter};

use super::{
    Image, ProjectError, RustPath,
    config::{Api, Controller, Fields, LAYOUT, Project, Resource},
    error::field_problem,
    layout,
};
use crate::problem::{IntoProblems, Problem};

const NOT_A_PROJECT: &str =
    "restore it from version control, or run `kb-rs init` in a new directory";

/// Parses the text of a PROJECT.
pub(super) fn parse(text: &str) -> Result<Project, ProjectError> {
    let fields = match yaml(text)? {
        Value::Object(fields) => fields,
        Value::Null => return Err(ProjectError::single("empty file", NOT_A_PROJECT)),
        other => {
            let message = format!("expected a mapping of fields, found {}", describe(&other));
            return Err(ProjectError::single(message, NOT_A_PROJECT));
        }
    };
    let mut problems = Vec::new();
    let mut reader = Reader {
        path: String::new(),
        fields,
        problems: &mut problems,
    };
    // These come first: the fields of another tool or a newer format mean something else.
    layout::check_version(reader.fields.remove("version"))?;
    let chain = reader.layout();
    if reader.problems.is_empty() {
        layout::check_layout(&chain)?;
    }
    match reader.project(chain) {
        Some(project) if problems.is_empty() => Ok(project),
        _ => Err(ProjectError::new(problems)),
    }
}

/// Parses YAML within the parser's default limits of size, depth and alias expansion.
fn yaml(text: &str) -> Result<Value, ProjectError> {
    let options = serde_saphyr::options! {
        emit_comments: false,
        reject_unsupported_tags: true,
        with_snippet: false,
    };
    serde_saphyr::from_str_with_options(text, options).or_else(|error| match &error {
        Error::Eof { .. } if text.lines().all(is_blank) => Ok(Value::Null),
        Error::MultipleDocuments { .. } => Err(ProjectError::single(
            "more than one YAML document",
            "keep one of them",
        )),
        _ => {
            let message = UserMessageFormatter.format_message(&error);
            let location = error.location();
            let line = location.map_or(String::new(), |at| format!(" on line {}", at.line()));
            Err(ProjectError::single(
                format!("invalid YAML{line}: {message}"),
                "fix the line, or restore the file from version control",
            ))
        }
    })
}

fn is_blank(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with('#') || line == "---"
}

/// A mapping whose known fields are removed as they are read.
struct Reader<'a> {
    /// Its path in the file, with a final dot; empty for the file itself.
    path: String,
    fields: Fields,
    problems: &'a mut Vec<Problem>,
}

impl Reader<'_> {
    fn report(&mut self, key: &str, message: impl fmt::Display, help: Option<&str>) {
        let field = format!("{}{key}", self.path);
        self.problems.push(field_problem(&field, message, help));
    }

    fn mismatch(&mut self, key: &str, expected: &str, found: &Value) {
        let found = describe(found);
        self.report(key, format!("expected {expected}, found {found}"), None);
    }

    fn take(&mut self, key: &str) -> Option<Value> {
        self.fields.remove(key).filter(|value| !value.is_null())
    }

    /// Takes a string; an empty one counts as absent.
    fn text(&mut self, key: &str) -> Option<String> {
        match self.take(key)? {
            Value::String(text) => Some(text).filter(|text| !text.is_empty()),
            Value::Number(number) => Some(number.to_string()),
            other => {
                self.mismatch(key, "a string", &other);
                None
            }
        }
    }

    fn flag(&mut self, key: &str) -> bool {
        match self.take(key) {
            None => false,
            Some(Value::Bool(flag)) => flag,
            Some(other) => {
                self.mismatch(key, "true or false", &other);
                false
            }
        }
    }

    fn parsed<T: FromStr<Err: IntoProblems>>(&mut self, key: &str) -> Option<T> {
        match self.text(key)?.parse::<T>() {
            Ok(value) => Some(value),
            Err(error) => {
                for problem in error.into_problems() {
                    self.report(key, problem.message, problem.help.as_deref());
                }
                None
            }
        }
    }

    fn required<T: FromStr<Err: IntoProblems>>(&mut self, key: &str) -> Option<T> {
        let value = self.fields.get(key);
        if value.is_none_or(|value| value.is_null() || value == "") {
            self.report(key, "required field is missing", Some("add the field"));
        }
        self.parsed(key)
    }

    fn list(&mut self, key: &str) -> Vec<Value> {
        match self.take(key) {
            None => Vec::new(),
            Some(Value::Array(items)) => items,
            Some(other) => {
                self.mismatch(key, "a list", &other);
                Vec::new()
            }
        }
    }

    /// Takes a mapping, which is empty if the field is absent.
    fn mapping(&mut self, key: &str) -> Reader<'_> {
        let value = self.take(key).unwrap_or_else(|| Fields::new().into());
        self.nested(key, value)
    }

    fn nested(&mut self, key: &str, value: Value) -> Reader<'_> {
        let fields = match value {
            Value::Object(fields) => fields,
            other => {
                self.mismatch(key, "a mapping of fields", &other);
                Fields::new()
            }
        };
        Reader {
            path: format!("{}{key}.", self.path),
            fields,
            problems: self.problems,
        }
    }

    /// Reads the mappings of a list, and drops those with a problem.
    fn items<T>(&mut self, key: &str, read: impl Fn(&mut Reader<'_>) -> Option<T>) -> Vec<T> {
        let items = self.list(key).into_iter().enumerate();
        let items = items.filter_map(|(index, item)| {
            let key = format!("{key}[{index}]");
            match item {
                Value::Object(_) => read(&mut self.nested(&key, item)),
                other => {
                    self.mismatch(&key, "a mapping of fields", &other);
                    None
                }
            }
        });
        items.collect()
    }

    fn put_back(&mut self, key: &str, unknown: Fields) {
        if !unknown.is_empty() {
            self.fields.insert(key.to_owned(), unknown.into());
        }
    }

    /// Takes the plugin chain, which older versions of Kubebuilder wrote as one string.
    fn layout(&mut self) -> Vec<String> {
        let split = |chain: &str| chain.split(',').map(|key| key.trim().to_owned()).collect();
        if let Some(Value::String(chain)) = self.fields.get("layout") {
            let chain = split(chain);
            self.fields.remove("layout");
            return chain;
        }
        let mut chain = Vec::new();
        for (index, item) in self.list("layout").into_iter().enumerate() {
            match item {
                Value::String(key) => chain.push(key),
                other => self.mismatch(&format!("layout[{index}]"), "a string", &other),
            }
        }
        chain
    }

    fn project(&mut self, layout: Vec<String>) -> Option<Project> {
        let name = self.required("projectName");
        let project = Project {
            cli_version: self.text("cliVersion"),
            domain: self.parsed("domain"),
            layout,
            multigroup: self.flag("multigroup"),
            namespaced: self.flag("namespaced"),
            repo: self.text("repo"),
            kb_source: self.kb_source(),
            resources: self.resources(),
            name: name?,
            unknown: Fields::new(),
        };
        let unknown = std::mem::take(&mut self.fields);
        Some(Project { unknown, ..project })
    }

    fn kb_source(&mut self) -> Option<String> {
        let mut plugins = self.mapping("plugins");
        let mut settings = plugins.mapping(LAYOUT);
        let source = settings.text("kbSource");
        let unknown = settings.fields;
        plugins.put_back(LAYOUT, unknown);
        let unknown = plugins.fields;
        self.put_back("plugins", unknown);
        source
    }

    fn resources(&mut self) -> Vec<Resource> {
        let resources = self.items("resources", resource);
        for (index, resource) in resources.iter().enumerate() {
            let is_same = |other: &Resource| other.is_same_kind(resource);
            if resources[..index].iter().any(is_same) {
                let (kind, version) = (&resource.kind, &resource.version);
                self.report(
                    "resources",
                    format!("duplicate resource {version}/{kind}"),
                    None,
                );
            }
        }
        resources
    }

    /// Takes the module of the type, which ends up in `use` items.
    fn path(&mut self) -> Option<String> {
        let path = self.text("path")?;
        if path.parse::<RustPath>().is_err() {
            self.report(
                "path",
                format!("{path:?} is not the path of a Rust module"),
                Some("set it to the module of the type, such as `demo_api::v1`"),
            );
        }
        Some(path)
    }

    /// Takes the API settings; like in Kubebuilder, those without `crdVersion` count as absent.
    fn api(&mut self) -> Option<Api> {
        let mut api = self.mapping("api");
        let namespaced = api.flag("namespaced");
        let crd_version = api.text("crdVersion");
        let unknown = api.fields;
        self.put_back("api", unknown);
        Some(Api {
            crd_version: crd_version?,
            namespaced,
        })
    }

    /// Takes the image; settings without one count as unknown.
    fn image(&mut self) -> Option<Image> {
        let settings = self.fields.get("image")?;
        let is_given = |image: &&Value| !image.is_null() && **image != "";
        settings.get("image").filter(is_given)?;
        let mut settings = self.mapping("image");
        let reference = settings.parsed("image");
        let container_port = settings.parsed("containerPort");
        let container_command = settings.parsed("containerCommand");
        let run_as_user = settings.parsed("runAsUser");
        let unknown = settings.fields;
        self.put_back("image", unknown);
        Some(Image {
            reference: reference?,
            container_port,
            container_command,
            run_as_user,
        })
    }

    fn controllers(&mut self) -> Vec<Controller> {
        let controllers = self.items("controllers", |reader| {
            let name = reader.required("name");
            let owns = reader.items("owns", gvk);
            let finalizer = reader.flag("finalizer");
            let unknown = std::mem::take(&mut reader.fields);
            Some(Controller {
                name: name?,
                owns,
                finalizer,
                unknown,
            })
        });
        for (index, controller) in controllers.iter().enumerate() {
            let is_same = |other: &Controller| other.name == controller.name;
            if controllers[..index].iter().any(is_same) {
                let name = &controller.name;
                self.report("controllers", format!("duplicate controller {name}"), None);
            }
        }
        controllers
    }
}

fn resource(reader: &mut Reader<'_>) -> Option<Resource> {
    let kind: Option<Kind> = reader.required("kind");
    let version: Option<Version> = reader.required("version");
    let resource = Resource {
        group: reader.parsed("group"),
        domain: reader.parsed("domain"),
        plural: reader.parsed("plural"),
        path: reader.path(),
        api: reader.api(),
        image: reader.image(),
        controller: reader.flag("controller"),
        owns: reader.items("owns", gvk),
        finalizer: reader.flag("finalizer"),
        controllers: reader.controllers(),
        core: reader.flag("core"),
        external: reader.flag("external"),
        module: reader.text("module"),
        ..Resource::new(version?, kind?)
    };
    let unknown = std::mem::take(&mut reader.fields);
    Some(Resource {
        unknown,
        ..resource
    })
}

fn gvk(reader: &mut Reader<'_>) -> Option<Gvk> {
    let (version, kind) = (reader.required("version"), reader.required("kind"));
    Some(Gvk {
        group: reader.parsed("group"),
        version: version?,
        kind: kind?,
    })
}

fn describe(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "a mapping".to_owned(),
        scalar => scalar.to_string(),
    }
}
