//! An entry of the table.
//!
//! The first line has the name of the component, and each property has a line that starts with a space. Columns are separated by
//! tabs: name (with `*` if required), type, and marks. A type is `string`, `[T]` for a list, `{T}` for a map, or the
//! name of another component, short if it is in the same package or one of Kubernetes' meta types. `kb-model` reads it.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use serde_json::Value;

/// The package of the meta types, which is written `meta.`.
const META: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.";

/// A component of the table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Entry {
    /// Type in the notation of the table.
    pub(crate) kind: String,
    /// JSON Schema keywords beside the type.
    pub(crate) marks: Marks,
    /// Properties by name.
    pub(crate) properties: BTreeMap<String, Property>,
}

/// A property of a component.
#[derive(Clone, Debug)]
pub(crate) struct Property {
    /// Whether it is required.
    pub(crate) required: bool,
    /// Type in the notation of the table, with full names.
    pub(crate) kind: String,
    /// JSON Schema keywords beside the type.
    pub(crate) marks: Marks,
}

/// JSON Schema keywords with their values.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Marks(pub(crate) BTreeMap<String, Value>);

/// Writes the entry of a component, with short names of its own package.
pub(crate) fn write(table: &mut String, component: &str, entry: &Entry) {
    let package = component
        .rsplit_once('.')
        .map_or("", |(package, _)| package);
    let package = format!("{package}.");
    let short = |kind: &str| kind.replace(&package, "").replace(META, "meta.");
    let kind = match short(&entry.kind) {
        // The default.
        object if object == "object" && entry.marks == Marks::default() => String::new(),
        kind => format!("\t{kind}"),
    };
    // Writing to a string cannot fail.
    let _ = writeln!(table, "{component}{kind}{}", entry.marks);
    for (name, property) in &entry.properties {
        let star = if property.required { "*" } else { "" };
        let kind = short(&property.kind);
        let _ = writeln!(table, " {name}{star}\t{kind}{}", property.marks);
    }
}

impl fmt::Display for Marks {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (keyword, value) in &self.0 {
            match (keyword.as_str(), value) {
                ("x-kubernetes-list-type", Value::String(kind)) => {
                    write!(formatter, "\tlist={kind}")?;
                }
                ("x-kubernetes-map-type", Value::String(kind)) => {
                    write!(formatter, "\tmap={kind}")?;
                }
                ("x-kubernetes-list-map-keys", Value::Array(keys)) => {
                    let keys: Vec<&str> = keys.iter().filter_map(Value::as_str).collect();
                    write!(formatter, "\tkeys={}", keys.join(","))?;
                }
                _ => write!(formatter, "\t{keyword}={value}")?,
            }
        }
        Ok(())
    }
}
