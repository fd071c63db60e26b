//! Types that controller-gen knows by name, because their JSON differs from their Go types.

use serde_json::{Value, json};

use crate::entry::{Entry, Marks};

const META: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.";
const EXTENSIONS: &str = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.";

/// Pattern of a quantity, as in controller-gen.
const QUANTITY: &str = r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$";

/// Returns components of the table that no Rust type refers to.
pub(crate) fn additional() -> [String; 2] {
    [BYTES.to_owned(), format!("{META}Duration")]
}

/// Not a component: k8s-openapi's `ByteString`.
pub(crate) const BYTES: &str = "bytes";

/// Returns the entry of a well-known type.
pub(crate) fn entry(component: &str) -> Option<Entry> {
    let any_of = json!([{"type": "integer"}, {"type": "string"}]);
    let int_or_string = [
        ("anyOf", any_of),
        ("x-kubernetes-int-or-string", true.into()),
    ];
    let preserve = ("x-kubernetes-preserve-unknown-fields", Value::Bool(true));
    if let Some(name) = component.strip_prefix(META) {
        return match name {
            "ObjectMeta" | "FieldsV1" => Some(known("object", [])),
            "Time" | "MicroTime" => Some(known("string", [("format", "date-time".into())])),
            "Duration" => Some(known("string", [])),
            _ => None,
        };
    }
    if let Some(name) = component.strip_prefix(EXTENSIONS) {
        // The last three are Go structs without JSON tags, which controller-gen cannot read.
        return match name {
            "JSON"
            | "JSONSchemaPropsOrArray"
            | "JSONSchemaPropsOrBool"
            | "JSONSchemaPropsOrStringArray" => Some(known("any", [preserve])),
            _ => None,
        };
    }
    match component {
        BYTES => Some(known("string", [("format", "byte".into())])),
        "io.k8s.apimachinery.pkg.runtime.RawExtension" => Some(known("object", [preserve])),
        "io.k8s.apimachinery.pkg.util.intstr.IntOrString" => Some(known("any", int_or_string)),
        "io.k8s.apimachinery.pkg.api.resource.Quantity" => {
            let mut quantity = known("any", int_or_string);
            quantity.marks.0.insert("pattern".into(), QUANTITY.into());
            Some(quantity)
        }
        _ => None,
    }
}

fn known<const N: usize>(kind: &str, marks: [(&str, Value); N]) -> Entry {
    let marks = marks.map(|(keyword, value)| (keyword.to_owned(), value));
    Entry {
        kind: kind.to_owned(),
        marks: Marks(marks.into()),
        ..Entry::default()
    }
}
