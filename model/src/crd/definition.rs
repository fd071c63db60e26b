//! Input and output of building CRDs.
//!
//! A [`Definition`] is self-contained: its types include everything its fields refer to. It is created by one of two resolvers.

use std::collections::BTreeMap;
use std::io;

use serde_json::Value;

use crate::api::{Resource, Type, Types};
use crate::{ApiGroup, Kind, Plural};

/// Maximum size of a request to etcd.
pub(super) const MAX_BYTES: usize = 1_572_864;
/// Maximum size of the annotation of client-side apply.
const MAX_ANNOTATION: usize = 262_144;

/// A kind in one version, with all types it refers to.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    /// Kind.
    pub resource: Resource<Type>,
    /// Types by id.
    pub types: Types,
}

/// Options for building CRDs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// Maximum length of descriptions in bytes: 0 removes them, `None` keeps them.
    pub max_desc_len: Option<usize>,
    /// Schemas of Kubernetes types by component, of which only the descriptions are used. References are followed.
    pub core_descriptions: BTreeMap<String, Value>,
}

/// A CRD.
#[derive(Clone, Debug, PartialEq)]
pub struct Crd {
    /// API group.
    pub group: ApiGroup,
    /// Kind.
    pub kind: Kind,
    /// Plural.
    pub plural: Plural,
    /// Document.
    pub document: Value,
}

impl Crd {
    /// Returns the name of the CRD: `appservices.batch.example.com`.
    pub fn name(&self) -> String {
        format!("{}.{}", self.plural, self.group)
    }

    /// Returns the file name: `batch.example.com_appservices.yaml`.
    pub fn file_name(&self) -> String {
        format!("{}_{}.yaml", self.group, self.plural)
    }

    /// Returns warnings about a valid CRD.
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

/// Returns the length of a document as compact JSON, if it exceeds `limit`. A cheap estimate excludes most documents.
pub(super) fn size_above(limit: usize, document: &Value) -> Option<usize> {
    if max_json_len(document) <= limit {
        return None;
    }
    let mut bytes = ByteCounter(0);
    // Serializing strings and numbers cannot fail.
    let _ = serde_json::to_writer(&mut bytes, document);
    (bytes.0 > limit).then_some(bytes.0)
}

/// Returns an upper bound of a value's length: a byte of a string is at most `\u001f`, and numbers are short.
fn max_json_len(value: &Value) -> usize {
    let string = |text: &str| 6 * text.len() + 3;
    match value {
        Value::String(text) => string(text),
        Value::Array(items) => 3 + items.iter().map(max_json_len).sum::<usize>(),
        Value::Object(fields) => {
            let fields = fields.iter();
            let sizes = fields.map(|(key, value)| string(key) + max_json_len(value));
            3 + sizes.sum::<usize>()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => 32,
    }
}

struct ByteCounter(usize);

impl io::Write for ByteCounter {
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
    fn the_estimate_is_an_upper_bound() {
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
            assert!(max_json_len(&value) > size, "{value}");
            assert_eq!(size_above(size - 1, &value), Some(size), "{value}");
            assert_eq!(size_above(size, &value), None, "{value}");
        }
    }
}
