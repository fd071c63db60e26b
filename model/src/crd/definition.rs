//! What goes into a CRD, and what comes out.
//!
//! A [`Definition`] is closed: whatever its fields lead to is in its own types. Two resolvers make it, and neither is known
//! here.

use std::collections::BTreeMap;
use std::io;

use serde_json::Value;

use crate::api::{Resource, Type, Types};
use crate::{ApiGroup, Kind, Plural};

/// What the API server takes in one request to etcd.
pub(super) const MAX_BYTES: usize = 1_572_864;
/// What client-side apply can keep in an annotation.
const MAX_ANNOTATION: usize = 262_144;

/// A kind in one version, with every type that its fields lead to.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    /// The kind.
    pub resource: Resource<Type>,
    /// The types by id.
    pub types: Types,
}

/// How CRDs are made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// The most bytes of a description: 0 removes all of them, absent keeps them whole.
    pub max_desc_len: Option<usize>,
    /// Schemas of Kubernetes' own types by component, of which only the descriptions are taken. References between them are
    /// followed.
    pub core_descriptions: BTreeMap<String, Value>,
}

/// A CRD.
#[derive(Clone, Debug, PartialEq)]
pub struct Crd {
    /// The API group.
    pub group: ApiGroup,
    /// The kind.
    pub kind: Kind,
    /// The plural.
    pub plural: Plural,
    /// The document.
    pub document: Value,
}

impl Crd {
    /// The name of the CRD: `appservices.batch.example.com`.
    pub fn name(&self) -> String {
        format!("{}.{}", self.plural, self.group)
    }

    /// The name of its file: `batch.example.com_appservices.yaml`.
    pub fn file_name(&self) -> String {
        format!("{}_{}.yaml", self.group, self.plural)
    }

    /// What a user should know of a CRD that is right.
    pub fn notes(&self) -> Vec<String> {
        let Some(size) = size_above(MAX_ANNOTATION, &self.document) else {
            return Vec::new();
        };
        vec![format!(
            "the CRD {} has {size} bytes as JSON, but client-side apply accepts at most {MAX_ANNOTATION}: apply it with \
             `kubectl apply --server-side`, or shorten the descriptions (`--max-desc-len`)",
            self.name()
        )]
    }
}

/// The length of a document as compact JSON, if that is more than `limit`. Few are: a rough look tells most of them apart.
pub(super) fn size_above(limit: usize, document: &Value) -> Option<usize> {
    if at_most(document) <= limit {
        return None;
    }
    let mut bytes = Counter(0);
    // Counting cannot fail, and neither can a document of strings and numbers.
    let _ = serde_json::to_writer(&mut bytes, document);
    (bytes.0 > limit).then_some(bytes.0)
}

/// What a value is not longer than, with the comma behind it: a byte of a string becomes `\u001f` at worst, and numbers are short.
fn at_most(value: &Value) -> usize {
    let string = |text: &str| 6 * text.len() + 3;
    match value {
        Value::String(text) => string(text),
        Value::Array(items) => 3 + items.iter().map(at_most).sum::<usize>(),
        Value::Object(fields) => {
            let fields = fields.iter();
            let sizes = fields.map(|(key, value)| string(key) + at_most(value));
            3 + sizes.sum::<usize>()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => 32,
    }
}

struct Counter(usize);

impl io::Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_rough_size_is_never_too_small() {
        let controls: String = (0..0x80).map(char::from).collect();
        for value in [
            json!({}),
            json!([]),
            json!(f64::MIN),
            json!(u64::MAX),
            json!({"a": [1, -2.5, true, false, null, "", {"b\n": "\u{1f600}"}], "": controls}),
            json!("\u{1}".repeat(9)),
        ] {
            let size = value.to_string().len();
            assert!(at_most(&value) > size, "{value}");
            assert_eq!(size_above(size - 1, &value), Some(size), "{value}");
            assert_eq!(size_above(size, &value), None, "{value}");
        }
    }
}
