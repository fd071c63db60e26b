//! Builds an entry of `versions`.
//!
//! Columns come in controller-gen's order: fields of the spec, fields of the status, then those of the kind.

use serde_json::{Map, Value};

use super::build::kind_problem;
use super::{Definition, Location, Options, Problem, description, subresources};
use crate::Version;
use crate::api::{Resource, Type, TypeColumn};
use crate::schema::{
    Builder, COLUMN_FORMATS, COLUMN_TYPES, Contributions, Target, lookup, unknown_format,
};

/// Maximum number of selectable fields.
const MAX_SELECTABLE: usize = 8;
/// Maximum length of a deprecation warning.
const MAX_WARNING: usize = 256;

/// Checks the versions of a kind against each other.
pub(super) fn check_all(versions: &[&Resource<Type>], problems: &mut Vec<Problem>) {
    let kind = &versions[0].kind;
    for pair in versions.windows(2) {
        if let [one, other] = pair
            && one.version == other.version
        {
            let message = format!(
                "duplicate definition of `{kind}` in version {}",
                one.version
            );
            problems.push(kind_problem(
                kind,
                message,
                "remove one of them, or change its version",
            ));
        }
    }
    if !versions.iter().any(|version| version.served) {
        let message = format!("no version of `{kind}` is served");
        problems.push(kind_problem(
            kind,
            message,
            "remove `served = false` from one of them",
        ));
    }
    let stored = stored(versions);
    if stored.len() != 1 {
        let names = |versions: &[&Version]| {
            let names: Vec<&str> = versions.iter().map(|version| version.as_str()).collect();
            names.join(", ")
        };
        let is_explicit = versions.iter().any(|version| version.storage == Some(true));
        let message = if stored.is_empty() {
            format!("`{kind}` has no storage version")
        } else if is_explicit {
            format!("`{kind}` has several storage versions: {}", names(&stored))
        } else {
            format!(
                "the storage version of `{kind}` is ambiguous: {}",
                names(&stored)
            )
        };
        let mut problem = kind_problem(kind, message, "set `storage` on exactly one of them");
        problem.location.mark = Some("storage".to_owned());
        problems.push(problem);
    }
}

/// Returns the storage versions: those that declare it, otherwise those that do not decline it. A single version is always stored.
pub(super) fn stored<'a>(versions: &[&'a Resource<Type>]) -> Vec<&'a Version> {
    let with_storage = |storage: Option<bool>| -> Vec<&'a Version> {
        let matching = versions.iter().filter(|version| version.storage == storage);
        matching.map(|version| &version.version).collect()
    };
    if let [only] = versions {
        return vec![&only.version];
    }
    let explicit = with_storage(Some(true));
    if explicit.is_empty() {
        with_storage(None)
    } else {
        explicit
    }
}

/// Builds the entry of a version.
pub(super) fn entry(
    definition: &Definition,
    stored: bool,
    options: &Options,
    problems: &mut Vec<Problem>,
) -> Value {
    let resource = &definition.resource;
    let kind = format!("{} ({})", resource.kind, resource.version);
    let mut builder = Builder::new(&definition.types, options, kind.clone());
    let mut schema = builder.root(resource);
    let (contributions, own) = builder.finish();
    problems.extend(own);
    let mut report = Report { kind, problems };
    let subresources = subresources::build(resource, &schema, &contributions, &mut report);
    let Contributions {
        mut columns,
        selectable,
        ..
    } = contributions;
    for column in &resource.columns {
        report.column(column, &schema);
        columns.push(type_column(column));
    }
    report.selectable(selectable.len());
    if let Some(max_len) = options.max_desc_len {
        description::truncate(&mut schema, max_len);
    }
    let mut entry = Map::new();
    let mut put = |key: &str, value: Value| entry.insert(key.to_owned(), value);
    if !columns.is_empty() {
        put("additionalPrinterColumns", columns.into());
    }
    if let Some(deprecated) = &resource.deprecated {
        put("deprecated", true.into());
        if let Some(warning) = &deprecated.warning {
            report.warning(warning);
            put("deprecationWarning", warning.as_str().into());
        }
    }
    put("name", resource.version.as_str().into());
    let mut validation = Map::new();
    validation.insert("openAPIV3Schema".to_owned(), schema.into());
    put("schema", validation.into());
    if !selectable.is_empty() {
        put("selectableFields", selectable.into());
    }
    put("served", resource.served.into());
    put("storage", stored.into());
    if !subresources.is_empty() {
        put("subresources", subresources.into());
    }
    entry.into()
}

/// Collects the problems of a version.
pub(super) struct Report<'p> {
    pub(super) kind: String,
    pub(super) problems: &'p mut Vec<Problem>,
}

impl Report<'_> {
    /// Reports a problem of the kind itself.
    pub(super) fn problem(&mut self, mark: &str, message: String, help: Option<&str>) {
        self.problems.push(Problem {
            location: Location {
                kind: Some(self.kind.clone()),
                mark: Some(mark.to_owned()),
                ..Location::default()
            },
            message,
            help: help.map(str::to_owned),
        });
    }

    fn column(&mut self, column: &TypeColumn, schema: &Map<String, Value>) {
        let TypeColumn {
            name,
            column_type,
            json_path,
            format,
            ..
        } = column;
        if !COLUMN_TYPES.contains(&column_type.as_str()) {
            let known = COLUMN_TYPES.join(", ");
            let message = format!(
                "invalid type \"{column_type}\" of column \"{name}\": expected one of {known}"
            );
            self.problem("column", message, None);
        }
        if let Some(format) = format
            && !COLUMN_FORMATS.contains(&format.as_str())
        {
            self.problem("column", unknown_format(format), None);
        }
        let help = Some("use a path from the root of the object, such as `.spec.replicas`");
        if name.is_empty() {
            self.problem("column", "column name must not be empty".to_owned(), None);
        }
        if !json_path.starts_with('.') {
            let message = format!("path `{json_path}` of column \"{name}\" must start with a dot");
            self.problem("column", message, help);
        } else if !json_path.starts_with(".metadata")
            && lookup(schema, json_path) == Target::Missing
        {
            let message =
                format!("path `{json_path}` of column \"{name}\" refers to an unknown field");
            self.problem("column", message, help);
        }
    }

    fn selectable(&mut self, count: usize) {
        if count > MAX_SELECTABLE {
            let message = format!(
                "{count} fields are selectable, but the API server accepts at most {MAX_SELECTABLE}"
            );
            self.problem(
                "selectable",
                message,
                Some("remove `selectable` from some of them"),
            );
        }
    }

    fn warning(&mut self, warning: &str) {
        if warning.is_empty()
            || warning.len() > MAX_WARNING
            || warning.chars().any(char::is_control)
        {
            let message =
                format!("a deprecation warning must be a single line of 1 to {MAX_WARNING} bytes");
            self.problem("deprecated", message, None);
        }
    }
}

fn type_column(column: &TypeColumn) -> Value {
    let mut entry = Map::new();
    let mut put = |key: &str, value: Value| entry.insert(key.to_owned(), value);
    put("name", column.name.as_str().into());
    put("type", column.column_type.as_str().into());
    put("jsonPath", column.json_path.as_str().into());
    if let Some(description) = &column.description {
        put("description", description.as_str().into());
    }
    if let Some(format) = &column.format {
        put("format", format.as_str().into());
    }
    if let Some(priority) = column.priority.filter(|priority| *priority != 0) {
        put("priority", priority.into());
    }
    entry.into()
}
