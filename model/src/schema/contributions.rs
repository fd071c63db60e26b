//! Contributions of fields to the kind: printer columns, scale paths and selectable fields.
//!
//! Path and type are derived from the field, so they cannot become stale.

use serde_json::{Map, Value};

use super::builder::Builder;
use super::node::{Keywords, Node, form_of, text};
use crate::api::{Column, Field, ScalePart, Type};
use crate::crd::Location;
use crate::fit::{Form, requirement};

/// Contributions of the fields of a kind.
#[derive(Debug, Default)]
pub(crate) struct Contributions {
    /// `additionalPrinterColumns`, in field order.
    pub(crate) columns: Vec<Value>,
    /// `selectableFields`.
    pub(crate) selectable: Vec<Value>,
    /// Scale paths, with their source positions.
    pub(crate) scale: Vec<ScaleField>,
}

/// A field's role in the scale subresource.
#[derive(Debug)]
pub(crate) struct ScaleField {
    /// Role.
    pub(crate) part: ScalePart,
    /// Whether it is in the status.
    pub(crate) in_status: bool,
    /// Path.
    pub(crate) path: String,
    /// Source position.
    pub(crate) location: Location,
}

impl Builder<'_> {
    /// Collects the contributions of a field.
    pub(super) fn collect(&mut self, field: &Field<Type>, node: &Node, name: &str) {
        if node.broken {
            return;
        }
        for column in &field.columns {
            self.column(column, &node.keywords, name);
        }
        if let Some(part) = field.scale {
            self.scale(part, &node.keywords, name);
        }
        if field.selectable {
            self.selectable(&node.keywords, name);
        }
    }

    fn column(&mut self, column: &Column, keywords: &Keywords, name: &str) {
        let Some(column_type) = column_type(keywords) else {
            let help = "mark one of its fields, or add a column with a path to the kind: `column(name = \"..\", type = \"string\", json_path = \"..\")`";
            return self.mismatch("column", keywords, name, help);
        };
        let help = "add a column with a path to the kind: `column(name = \"..\", type = \"string\", json_path = \"..\")`";
        let Some(path) = self.path_for("column", self.path.column(), name, help) else {
            return;
        };
        let mut entry = Map::new();
        let mut put = |key: &str, value: Value| entry.insert(key.to_owned(), value);
        put(
            "name",
            column.name.clone().unwrap_or_else(|| heading(name)).into(),
        );
        put("type", column_type.into());
        put("jsonPath", path.into());
        if let Some(description) = &column.description {
            put("description", description.as_str().into());
        }
        if let Some(format) = &column.format {
            put("format", format.as_str().into());
        }
        if let Some(priority) = column.priority.filter(|priority| *priority != 0) {
            put("priority", priority.into());
        }
        if let Some(format) = &column.format
            && !COLUMN_FORMATS.contains(&format.as_str())
        {
            let message = unknown_format(format);
            self.problem(Some("column"), message, None);
        }
        self.contributions.columns.push(entry.into());
    }

    fn scale(&mut self, part: ScalePart, keywords: &Keywords, name: &str) {
        let label = match part {
            ScalePart::Replicas => "scale(replicas)",
            ScalePart::Selector => "scale(selector)",
        };
        if !requirement(label).accepts(form_of(keywords)) {
            return self.mismatch(label, keywords, name, "move it to another field");
        }
        let root = self.path.root();
        let in_status = root == "status";
        if !in_status && root != "spec" {
            let message = format!(
                "`{label}` requires a field under `.spec` or `.status`, but `{name}` is under neither"
            );
            return self.problem(Some("scale"), message, None);
        }
        let help = "rename the field, or move it out of the list or map";
        let Some(path) = self.path_for(label, self.path.dotted(), name, help) else {
            return;
        };
        let location = Location {
            kind: Some(self.kind.clone()),
            type_id: self.type_id.cloned(),
            field: self.field.map(str::to_owned),
            mark: Some("scale".to_owned()),
            path: path.clone(),
        };
        self.contributions.scale.push(ScaleField {
            part,
            in_status,
            path,
            location,
        });
    }

    fn selectable(&mut self, keywords: &Keywords, name: &str) {
        if !requirement("selectable").accepts(form_of(keywords)) {
            return self.mismatch("selectable", keywords, name, "remove it");
        }
        let help = "rename the field, or move it out of the list or map";
        if let Some(path) = self.path_for("selectable", self.path.dotted(), name, help) {
            let mut entry = Map::new();
            entry.insert("jsonPath".to_owned(), path.into());
            self.contributions.selectable.push(entry.into());
        }
    }

    fn mismatch(&mut self, label: &str, keywords: &Keywords, name: &str, help: &str) {
        let message = format!(
            "`{label}` requires {}, but `{name}` is {}",
            requirement(label).phrase(),
            form_of(keywords).phrase()
        );
        self.problem(Some(marker_name(label)), message, Some(help.to_owned()));
    }

    /// Returns the path, or reports why there is none.
    fn path_for(
        &mut self,
        label: &str,
        path: Option<String>,
        name: &str,
        help: &str,
    ) -> Option<String> {
        if path.is_none() {
            let reason = match self.path.container() {
                Some(container) => format!("`{name}` is inside {container}"),
                None => format!("`{}` contains a dot", self.path.display()),
            };
            let message = format!("`{label}` requires a path of names and dots, but {reason}");
            self.problem(Some(marker_name(label)), message, Some(help.to_owned()));
        }
        path
    }
}

/// Returns the marker without arguments.
fn marker_name(label: &str) -> &str {
    label.split('(').next().unwrap_or(label)
}

/// Types of printer columns.
pub(crate) const COLUMN_TYPES: [&str; 5] = ["boolean", "date", "integer", "number", "string"];

/// Formats of printer columns.
pub(crate) const COLUMN_FORMATS: [&str; 8] = [
    "int32",
    "int64",
    "float",
    "double",
    "byte",
    "date",
    "date-time",
    "password",
];

/// Returns the message for an unsupported format of a printer column.
pub(crate) fn unknown_format(format: &str) -> String {
    let known = COLUMN_FORMATS.join(", ");
    format!("invalid column format \"{format}\": expected one of {known}")
}

/// Returns the type of the printer column for a value, or `None` if it has none.
fn column_type(keywords: &Keywords) -> Option<&'static str> {
    let form = form_of(keywords);
    requirement("column").accepts(form).then_some(match form {
        Form::Boolean => "boolean",
        Form::Integer => "integer",
        Form::Number => "number",
        _ if text(keywords, "format") == "date-time" => "date",
        _ => "string",
    })
}

/// Returns the heading of a column: `readyReplicas` becomes "Ready Replicas", `podIP` becomes "Pod IP".
fn heading(name: &str) -> String {
    let mut heading = String::new();
    let mut before = ' ';
    for c in name.chars() {
        if !c.is_alphanumeric() {
            before = ' ';
            continue;
        }
        let starts = before == ' ' || (c.is_uppercase() && !before.is_uppercase());
        if starts && !heading.is_empty() {
            heading.push(' ');
        }
        if starts {
            heading.extend(c.to_uppercase());
        } else {
            heading.push(c);
        }
        before = c;
    }
    heading
}
