//! A hash of a set of fields, as the API server records them for a manager (`fieldsV1`).
//!
//! It is nested maps and nothing else, with the same meaning in any order. So it is hashed while it is read, whether it is a text or a tree of
//! JSON values, and neither is made for it.

use std::fmt;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::FieldsV1;
use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::Value;

use super::digest::digest;
use crate::store::packed::Text;

/// The hash of a set, whether it is packed or not (see `packed`). None, if it cannot be read.
pub(super) fn digest_of_set(fields: &FieldsV1) -> Option<u64> {
    let set = match &fields.0 {
        Value::String(text) => serde_json::from_str(text),
        tree => FieldSet::deserialize(tree),
    };
    set.ok().map(|FieldSet(hash)| hash)
}

struct FieldSet(u64);

impl<'de> Deserialize<'de> for FieldSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = FieldSet;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a set of fields")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<FieldSet, A::Error> {
        // A sum has no order.
        let mut sum = 0_u64;
        while let Some((Text(name), FieldSet(below))) = entries.next_entry()? {
            sum = sum.wrapping_add(digest(&(name, below)));
        }
        Ok(FieldSet(digest(&sum)))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn hash(fields: Value) -> Option<u64> {
        digest_of_set(&FieldsV1(fields))
    }

    #[test]
    fn a_set_has_one_hash_as_text_as_tree_and_in_any_order() {
        let text = r#"{"f:b":{".":{},"k:{\"port\":80}":{},"k:{\"port\":443}":{}},"f:a":{}}"#;
        let other = r#"{"f:a":{},"f:b":{"k:{\"port\":443}":{},"k:{\"port\":80}":{},".":{}}}"#;
        let tree: Value = serde_json::from_str(text).unwrap();
        assert!(hash(json!(text)).is_some());
        assert_eq!(hash(json!(text)), hash(json!(other)));
        assert_eq!(hash(json!(text)), hash(tree));
    }

    #[test]
    fn sets_are_told_apart_by_names_and_by_what_is_below_what() {
        let sets = [
            json!({}),
            json!({"a": {}}),
            json!({"b": {}}),
            json!({"a": {}, "b": {}}),
            json!({"a": {"b": {}}}),
            json!({"b": {"a": {}}}),
            json!({"a": {"b": {}}, "b": {}}),
            json!({"a": {"a": {}}, "b": {"b": {}}}),
            json!({"a": {"b": {}}, "b": {"a": {}}}),
        ];
        let hashes: Vec<_> = sets.into_iter().map(|set| hash(set).unwrap()).collect();
        for (at, hash) in hashes.iter().enumerate() {
            assert_eq!(hashes.iter().position(|other| other == hash), Some(at));
        }
    }

    #[test]
    fn what_is_no_set_has_no_hash() {
        for other in [json!("{"), json!("[]"), json!({"a": 1}), json!(null)] {
            assert_eq!(hash(other.clone()), None, "{other}");
        }
    }
}
