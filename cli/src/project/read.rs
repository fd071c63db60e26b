//! From YAML nodes to the typed record, with every problem of the file at once.
//!
//! A field that cannot be read leaves a problem and no value; the record is made only if there was none. Names are
//! checked by their own types, so the wording of a rule is the same here as on the command line.

use std::str::FromStr;

use kb_model::{ControllerName, Kind, NameError, Version};

use super::{
    document::{Content, Document, Node},
    error::{Problem, ProjectError},
    layout,
    record::{Api, LAYOUT, Project, Resource},
};

/// The record of a whole document.
pub(crate) fn project(document: &Document) -> Result<Project, ProjectError> {
    let root = document.root.as_ref().filter(|root| !root.is_null());
    let Some(root) = root else {
        return Err(Problem::new("the file is empty").help(NOT_A_PROJECT).into());
    };
    let mut reader = Reader::default();
    let Some(fields) = reader.fields(root, "the file") else {
        return Err(reader.problems.into());
    };
    layout::version(&fields)?;
    let chain = reader.layout(&fields);
    if reader.problems.is_empty() {
        layout::chain(&fields, &chain)?;
    }
    let project = reader.project(&fields, chain);
    match project {
        Some(project) if reader.problems.is_empty() => Ok(project),
        _ => Err(reader.problems.into()),
    }
}

const NOT_A_PROJECT: &str =
    "take the file from version control, or run `kb-rs init` in a new folder";

/// A mapping that is known to be one, with its name for messages.
pub(crate) struct Mapping<'a> {
    pub(crate) node: &'a Node,
    label: String,
}

impl<'a> Mapping<'a> {
    /// A value that is there and not null.
    pub(crate) fn get(&self, key: &str) -> Option<&'a Node> {
        self.node.get(key).filter(|node| !node.is_null())
    }
}

#[derive(Default)]
struct Reader {
    problems: Vec<Problem>,
}

impl Reader {
    fn report(&mut self, node: &Node, message: String) {
        let problem = Problem::new(message).at(node.start.line, node.start.column);
        self.problems.push(problem);
    }

    fn fields<'a>(&mut self, node: &'a Node, label: &str) -> Option<Mapping<'a>> {
        let Content::Map { entries, .. } = &node.content else {
            let found = describe(node);
            self.report(
                node,
                format!("{label} must be a mapping of fields, not {found}"),
            );
            return None;
        };
        for (index, entry) in entries.iter().enumerate() {
            let name = entry.name();
            let earlier = &entries[..index];
            if let Some(first) = earlier.iter().find(|first| first.name() == name) {
                let line = first.key.start.line;
                self.report(
                    &entry.key,
                    format!("`{name}` is here twice; first in line {line}"),
                );
            }
            if name == "<<" {
                let message = "a merge key (`<<`) cannot be read; write its fields out";
                self.report(&entry.key, message.to_owned());
            }
        }
        let label = label.to_owned();
        Some(Mapping { node, label })
    }

    fn list<'a>(&mut self, fields: &Mapping<'a>, key: &str) -> &'a [Node] {
        match fields.get(key).map(|node| (node, &node.content)) {
            None => &[],
            Some((_, Content::List { items, .. })) => items,
            Some((node, _)) => {
                self.report(
                    node,
                    format!("`{key}` must be a list, not {}", describe(node)),
                );
                &[]
            }
        }
    }

    fn flag(&mut self, fields: &Mapping<'_>, key: &str) -> bool {
        let Some(node) = fields.get(key) else {
            return false;
        };
        let text = node.text().unwrap_or_default().to_ascii_lowercase();
        match text.as_str() {
            "true" | "yes" | "on" => true,
            "false" | "no" | "off" => false,
            _ => {
                let found = describe(node);
                self.report(node, format!("`{key}` must be true or false, not {found}"));
                false
            }
        }
    }

    /// A text; an empty one is as good as none.
    fn text<'a>(&mut self, fields: &Mapping<'a>, key: &str) -> Option<&'a str> {
        let node = fields.get(key)?;
        let text = node.text();
        if text.is_none() {
            let found = describe(node);
            self.report(node, format!("`{key}` must be a text, not {found}"));
        }
        text.filter(|text| !text.is_empty())
    }

    fn string(&mut self, fields: &Mapping<'_>, key: &str) -> Option<String> {
        self.text(fields, key).map(str::to_owned)
    }

    /// A name with a rule of its own.
    fn name<T: FromStr<Err = NameError>>(&mut self, fields: &Mapping<'_>, key: &str) -> Option<T> {
        let name = self.text(fields, key)?.parse();
        let refuse = |error: NameError| {
            let place = fields.get(key).unwrap_or(fields.node).start;
            let problem = Problem::new(error.to_string()).at(place.line, place.column);
            self.problems.push(problem.help(error.help()));
        };
        name.map_err(refuse).ok()
    }

    fn required<T: FromStr<Err = NameError>>(
        &mut self,
        fields: &Mapping<'_>,
        key: &str,
    ) -> Option<T> {
        if fields.get(key).is_none_or(|node| node.text() == Some("")) {
            let place = fields.node.start;
            let problem = Problem::new(format!("{} has no `{key}`", fields.label));
            let problem = problem.help(format!("add a line `{key}: …` there"));
            self.problems.push(problem.at(place.line, place.column));
        }
        self.name(fields, key)
    }

    /// One name, which Kubebuilder once wrote, or a list of them.
    fn layout(&mut self, fields: &Mapping<'_>) -> Vec<String> {
        if let Some(single) = fields.get("layout").and_then(Node::text) {
            return single
                .split(',')
                .map(|name| name.trim().to_owned())
                .collect();
        }
        let mut chain = Vec::new();
        for node in self.list(fields, "layout") {
            match node.text() {
                Some(text) => chain.push(text.to_owned()),
                None => self.report(node, "an entry of `layout` must be a text".to_owned()),
            }
        }
        chain
    }

    fn kb_source(&mut self, fields: &Mapping<'_>) -> Option<String> {
        let plugins = self.fields(fields.get("plugins")?, "`plugins`")?;
        let own = self.fields(plugins.get(LAYOUT)?, &format!("`plugins.{LAYOUT}`"))?;
        self.string(&own, "kbSource")
    }

    fn project(&mut self, fields: &Mapping<'_>, layout: Vec<String>) -> Option<Project> {
        let name = self.required(fields, "projectName");
        let project = Project {
            cli_version: self.string(fields, "cliVersion"),
            domain: self.name(fields, "domain"),
            layout,
            multigroup: self.flag(fields, "multigroup"),
            namespaced: self.flag(fields, "namespaced"),
            repo: self.string(fields, "repo"),
            kb_source: self.kb_source(fields),
            resources: self.resources(fields),
            name: name?,
        };
        Some(project)
    }

    fn resources(&mut self, fields: &Mapping<'_>) -> Vec<Resource> {
        let mut resources: Vec<(Resource, usize)> = Vec::new();
        for node in self.list(fields, "resources") {
            let Some(resource) = self.resource(node) else {
                continue;
            };
            let twin = resources
                .iter()
                .find(|(other, _)| other.is_same_kind(&resource));
            if let Some((_, line)) = twin {
                let kind = &resource.kind;
                self.report(
                    node,
                    format!("the resource {kind} is here twice; first in line {line}"),
                );
            }
            resources.push((resource, node.start.line));
        }
        resources
            .into_iter()
            .map(|(resource, _)| resource)
            .collect()
    }

    fn resource(&mut self, node: &Node) -> Option<Resource> {
        let fields = self.fields(node, "a resource")?;
        let kind: Option<Kind> = self.required(&fields, "kind");
        let version: Option<Version> = self.required(&fields, "version");
        let (group, domain) = (self.name(&fields, "group"), self.name(&fields, "domain"));
        let (plural, path) = (self.name(&fields, "plural"), self.string(&fields, "path"));
        let module = self.string(&fields, "module");
        let api = self.api(&fields);
        let controllers = self.controllers(&fields);
        let [controller, core, external] =
            ["controller", "core", "external"].map(|key| self.flag(&fields, key));
        Some(Resource {
            group,
            domain,
            version: version?,
            kind: kind?,
            plural,
            path,
            api,
            controller,
            controllers,
            core,
            external,
            module,
        })
    }

    /// As for Kubebuilder, an `api` without `crdVersion` says that the project does not define the API.
    fn api(&mut self, fields: &Mapping<'_>) -> Option<Api> {
        let fields = self.fields(fields.get("api")?, "`api`")?;
        let namespaced = self.flag(&fields, "namespaced");
        let crd_version = self.string(&fields, "crdVersion")?;
        Some(Api {
            crd_version,
            namespaced,
        })
    }

    fn controllers(&mut self, fields: &Mapping<'_>) -> Vec<ControllerName> {
        let mut names: Vec<ControllerName> = Vec::new();
        for node in self.list(fields, "controllers") {
            let Some(item) = self.fields(node, "an item of `controllers`") else {
                continue;
            };
            let Some(name) = self.required(&item, "name") else {
                continue;
            };
            if names.contains(&name) {
                self.report(node, format!("the controller {name} is here twice"));
            }
            names.push(name);
        }
        names
    }
}

fn describe(node: &Node) -> String {
    match &node.content {
        Content::Scalar { .. } => match node.text() {
            Some(text) => format!("{text:?}"),
            None => "nothing".to_owned(),
        },
        Content::List { .. } => "a list".to_owned(),
        Content::Map { .. } => "a mapping".to_owned(),
        Content::Alias => "an alias".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A PROJECT of this piece must have exactly these problems.
    fn check(piece: &str, problems: &[&str]) {
        let text = format!("version: 3\nlayout: {LAYOUT}\n{piece}");
        check_whole(&text, problems);
    }

    fn check_whole(text: &str, problems: &[&str]) {
        let found = Document::parse(text).map_err(ProjectError::from);
        let found = found.and_then(|document| project(&document));
        let found = found.map_or_else(|error| error.to_string(), |_| String::new());
        assert_eq!(found, problems.join("\n"), "in\n{text}");
    }

    #[test]
    fn a_small_file_is_read() {
        check("projectName: shop\nresources:\ndomain: ''\n", &[]);
    }

    #[test]
    fn every_problem_is_reported_with_its_place() {
        check(
            "multigroup: maybe\nresources:\n- kind: []\n  version: v1\n- group: a\n- text\n",
            &[
                "PROJECT:1:1: the file has no `projectName`",
                "PROJECT:3:13: `multigroup` must be true or false, not \"maybe\"",
                "PROJECT:5:9: `kind` must be a text, not a list",
                "PROJECT:7:3: a resource has no `kind`",
                "PROJECT:7:3: a resource has no `version`",
                "PROJECT:8:3: a resource must be a mapping of fields, not \"text\"",
            ],
        );
    }

    #[test]
    fn a_name_has_the_wording_of_its_own_rule() {
        let rule = "foo".parse::<Kind>().unwrap_err();
        check(
            "projectName: shop\nresources:\n- kind: foo\n  version: v1\n",
            &[&format!("PROJECT:5:9: {rule}")],
        );
    }

    #[test]
    fn what_is_there_twice_names_the_first() {
        check(
            "projectName: a\nprojectName: b\n",
            &["PROJECT:4:1: `projectName` is here twice; first in line 3"],
        );
        check(
            "projectName: a\nresources:\n- kind: A\n  version: v1\n- kind: A\n  version: v1\n",
            &["PROJECT:7:3: the resource A is here twice; first in line 5"],
        );
    }

    #[test]
    fn malformed_yaml_is_an_error_with_its_place() {
        check(
            "projectName: a\n  b: c\n",
            &["PROJECT:4:4: not valid YAML: mapping values are not allowed in this context"],
        );
        check(
            "projectName: a\n---\nb: c\n",
            &["PROJECT:4:1: the file has more than one YAML document"],
        );
    }

    #[test]
    fn an_empty_file_is_an_error() {
        for text in ["", "\n", "# only a comment\n", "---\n"] {
            check_whole(text, &["PROJECT: the file is empty"]);
        }
        check_whole(
            "- a\n",
            &["PROJECT:1:1: the file must be a mapping of fields, not a list"],
        );
    }

    #[test]
    fn merge_keys_are_refused_where_they_would_hide_fields() {
        check(
            "projectName: a\nbase: &b {x: 1}\n<<: *b\n",
            &["PROJECT:5:1: a merge key (`<<`) cannot be read; write its fields out"],
        );
    }
}
