//! What fields say of the whole kind: print columns, their part in the scale subresource, and being selectable.
//!
//! Path and type follow from the field, so none of them can lead to a field that is gone.

use serde_json::{Map, Value};

use super::builder::Builder;
use super::node::{Keywords, Node, form_of, text};
use crate::api::{Column, Field, ScalePart, Type};
use crate::crd::Place;
use crate::fit::{Form, requirement};

/// What the fields of a kind say of it.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Entries of `additionalPrinterColumns`, in the order of the fields.
    pub(crate) columns: Vec<Value>,
    /// Entries of `selectableFields`.
    pub(crate) selectable: Vec<Value>,
    /// Paths of the scale subresource and where they were said.
    pub(crate) scale: Vec<Scale>,
}

/// A field's part in the scale subresource.
#[derive(Debug)]
pub(crate) struct Scale {
    /// Which part.
    pub(crate) part: ScalePart,
    /// Whether it stands in the status.
    pub(crate) in_status: bool,
    /// Its path.
    pub(crate) path: String,
    /// Where it was said.
    pub(crate) place: Place,
}

impl Builder<'_> {
    /// Keeps what a field says of the kind.
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
            let help = "name a field inside it, or write the column on the kind with a path: `column(name = \"..\", type = \"string\", json_path = \"..\")`";
            return self.misfit("column", keywords, name, help);
        };
        let help = "write the column on the kind with a path: `column(name = \"..\", type = \"string\", json_path = \"..\")`";
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
        self.found.columns.push(entry.into());
    }

    fn scale(&mut self, part: ScalePart, keywords: &Keywords, name: &str) {
        let label = match part {
            ScalePart::Replicas => "scale(replicas)",
            ScalePart::Selector => "scale(selector)",
        };
        if !requirement(label).accepts(form_of(keywords)) {
            return self.misfit(label, keywords, name, "move it to another field");
        }
        let root = self.path.root();
        let in_status = root == "status";
        if !in_status && root != "spec" {
            let message = format!(
                "`{label}` needs a path under `.spec` or `.status`, and `{name}` is under neither"
            );
            return self.problem(Some("scale"), message, None);
        }
        let help = "the API server splits this path at dots: rename the field, or move it out of the list or map";
        let Some(path) = self.path_for(label, self.path.dotted(), name, help) else {
            return;
        };
        let place = Place {
            kind: Some(self.kind.clone()),
            type_id: self.type_id.cloned(),
            field: self.field.map(str::to_owned),
            mark: Some("scale".to_owned()),
            path: path.clone(),
        };
        self.found.scale.push(Scale {
            part,
            in_status,
            path,
            place,
        });
    }

    fn selectable(&mut self, keywords: &Keywords, name: &str) {
        if !requirement("selectable").accepts(form_of(keywords)) {
            return self.misfit("selectable", keywords, name, "remove it");
        }
        let help = "the API server splits this path at dots: rename the field, or move it out of the list or map";
        if let Some(path) = self.path_for("selectable", self.path.dotted(), name, help) {
            let mut entry = Map::new();
            entry.insert("jsonPath".to_owned(), path.into());
            self.found.selectable.push(entry.into());
        }
    }

    fn misfit(&mut self, label: &str, keywords: &Keywords, name: &str, help: &str) {
        let message = format!(
            "`{label}` requires {}, but `{name}` is {}",
            requirement(label).phrase(),
            form_of(keywords).phrase()
        );
        self.problem(Some(bare(label)), message, Some(help.to_owned()));
    }

    /// The path, or a problem that says why there is none.
    fn path_for(
        &mut self,
        label: &str,
        path: Option<String>,
        name: &str,
        help: &str,
    ) -> Option<String> {
        if path.is_none() {
            let reason = match self.path.container() {
                Some(container) => format!("`{name}` is inside {container}, where it has none"),
                None => format!(
                    "`{}` has a name that cannot be written in one",
                    self.path.display()
                ),
            };
            let message = format!("`{label}` needs a path, and {reason}");
            self.problem(Some(bare(label)), message, Some(help.to_owned()));
        }
        path
    }
}

/// The marker without its arguments.
fn bare(label: &str) -> &str {
    label.split('(').next().unwrap_or(label)
}

/// The types that a print column can have.
pub(crate) const COLUMN_TYPES: [&str; 5] = ["boolean", "date", "integer", "number", "string"];

/// The formats that a print column can have.
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

/// What to say of a format that a print column cannot have.
pub(crate) fn unknown_format(format: &str) -> String {
    let known = COLUMN_FORMATS.join(", ");
    format!("a column cannot have the format \"{format}\", but one of: {known}")
}

/// The type of the printer column for a value, or `None` if it does not fit into one.
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

/// The heading of a field's column: `readyReplicas` is "Ready Replicas", `podIP` is "Pod IP".
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
