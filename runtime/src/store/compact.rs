//! Compact form of objects: JSON text without most of `metadata.managedFields`.
//!
//! A deserialized object takes three times the memory of its JSON: every map has room for eleven entries and every string is an
//! allocation. So a cache stores text, and deserializes the objects that are in use.
//!
//! `managedFields` is often a third of the text. Server-side apply compares with the fields applied by this operator, so a store can keep
//! the entries of one field manager. Their `fieldsV1` is stored as a string, because it is rarely parsed. Compacting a Deployment of 4 KB
//! takes 12 µs and halves it; parsing it into a `serde_json::Value` instead would take 18 µs.

use std::{borrow::Cow, collections::BTreeMap};

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{FieldsV1, ManagedFieldsEntry};
use serde::de::DeserializeOwned;
use serde_json::{
    Value,
    value::{RawValue, to_raw_value},
};

/// Fields of a JSON object, not parsed.
type RawFields<'a> = BTreeMap<String, &'a RawValue>;

/// Returns the JSON of an object without `managedFields`, except those applied by the field manager `keep`.
pub(crate) fn compact(json: &str, keep: Option<&str>) -> serde_json::Result<String> {
    let mut object: RawFields<'_> = serde_json::from_str(json)?;
    let Some(metadata) = object.get("metadata") else {
        return Ok(json.to_owned());
    };
    let mut metadata: RawFields<'_> = serde_json::from_str(metadata.get())?;
    let kept = match (keep, metadata.remove("managedFields")) {
        (Some(manager), Some(entries)) => entries_applied_by(manager, entries.get())?,
        _ => Vec::new(),
    };
    let kept = to_raw_value(&kept)?;
    if kept.get() != "[]" {
        metadata.insert("managedFields".to_owned(), &kept);
    }
    let metadata = to_raw_value(&metadata)?;
    object.insert("metadata".to_owned(), &metadata);
    serde_json::to_string(&object)
}

/// Deserializes a response of the API server with the `managedFields` that a cache would keep.
pub(crate) fn deserialize_response<K: DeserializeOwned>(
    json: &str,
    keep: &str,
) -> serde_json::Result<K> {
    serde_json::from_str(&compact(json, Some(keep))?)
}

fn entries_applied_by(manager: &str, entries: &str) -> serde_json::Result<Vec<ManagedFieldsEntry>> {
    // Most objects have no applied fields, and the entries are half of the object.
    if !entries.contains("\"Apply\"") {
        return Ok(Vec::new());
    }
    let entries: Vec<ManagedFieldsEntry> = serde_json::from_str(entries)?;
    let kept = entries
        .into_iter()
        .filter(|entry| entry.manager.as_deref() == Some(manager) && is_apply(entry))
        .map(|entry| ManagedFieldsEntry {
            fields_v1: entry.fields_v1.map(to_text),
            fields_type: None,
            time: None,
            ..entry
        });
    Ok(kept.collect())
}

fn to_text(FieldsV1(fields): FieldsV1) -> FieldsV1 {
    FieldsV1(match fields {
        text @ Value::String(_) => text,
        tree => Value::String(tree.to_string()),
    })
}

/// Returns the parsed `fieldsV1`, whether compact or not, or `None` if it is invalid.
pub(crate) fn parse_fields(FieldsV1(fields): &FieldsV1) -> Option<Cow<'_, Value>> {
    match fields {
        Value::String(text) => serde_json::from_str(text).ok().map(Cow::Owned),
        tree => Some(Cow::Borrowed(tree)),
    }
}

/// Returns whether an entry is of a server-side apply to the object itself, not to a subresource.
pub(crate) fn is_apply(entry: &ManagedFieldsEntry) -> bool {
    entry.operation.as_deref() == Some("Apply")
        && entry.subresource.as_deref().is_none_or(str::is_empty)
}

#[cfg(test)]
mod tests {
    use k8s_openapi::api::core::v1::ConfigMap;
    use kube::ResourceExt;
    use serde_json::json;

    use super::*;

    fn entry(manager: &str, operation: &str, subresource: &str) -> Value {
        json!({
            "manager": manager, "operation": operation, "subresource": subresource, "apiVersion": "v1", "fieldsType": "FieldsV1",
            "time": "2026-01-01T00:00:00Z", "fieldsV1": {"f:data": {"f:motto": {}}},
        })
    }

    fn compacted(entries: &[Value], keep: Option<&str>) -> ConfigMap {
        let object = json!({
            "kind": "ConfigMap",
            "metadata": {"name": "a", "labels": {"b": "c"}, "managedFields": entries},
            "data": {"motto": "quoted \"\u{e4}\""},
        });
        serde_json::from_str(&compact(&object.to_string(), keep).unwrap()).unwrap()
    }

    #[test]
    fn only_fields_applied_by_the_manager_are_kept() {
        let entries = [
            entry("kubectl", "Apply", ""),
            entry("shop-operator", "Update", ""),
            entry("shop-operator", "Apply", "status"),
            entry("shop-operator", "Apply", ""),
        ];
        let object = compacted(&entries, Some("shop-operator"));
        let [kept] = object.managed_fields() else {
            panic!("{object:?}");
        };
        assert!(is_apply(kept));
        assert_eq!(kept.api_version.as_deref(), Some("v1"));
        assert_eq!(kept.time, None);
        let text = kept.fields_v1.as_ref().unwrap();
        assert!(text.0.is_string());
        let expected = json!({"f:data": {"f:motto": {}}});
        assert_eq!(parse_fields(text).as_deref(), Some(&expected));
        assert_eq!(
            parse_fields(&FieldsV1(expected.clone())).as_deref(),
            Some(&expected)
        );
        let json = serde_json::to_string(&object).unwrap();
        let again: ConfigMap = deserialize_response(&json, "shop-operator").unwrap();
        assert_eq!(again, object);
    }

    #[test]
    fn other_fields_are_unchanged() {
        for keep in [None, Some("shop-operator")] {
            let object = compacted(&[entry("kubectl", "Apply", "")], keep);
            assert_eq!(object.metadata.managed_fields, None);
            assert_eq!(object.labels()["b"], "c");
            assert_eq!(object.data.unwrap()["motto"], "quoted \"\u{e4}\"");
        }
        for json in [
            "{}",
            r#"{"a":1}"#,
            r#"{"metadata":{"name":"a"}}"#,
            r#"{"a\"b":{"c": [1, "\u00e4", 0.10]},"metadata":{"name":"a"}}"#,
        ] {
            assert_eq!(compact(json, Some("us")).unwrap(), json);
        }
        let null = r#"{"metadata":{"managedFields":null}}"#;
        assert_eq!(compact(null, Some("us")).unwrap(), r#"{"metadata":{}}"#);
    }

    #[test]
    fn invalid_json_is_an_error() {
        for json in [r#"{"metadata":"#, "[]", r#"{"metadata":1}"#] {
            assert!(compact(json, None).is_err(), "{json}");
        }
        let invalid = r#"{"metadata":{"managedFields":"Apply"}}"#;
        assert!(compact(invalid, Some("us")).is_err());
        assert_eq!(compact(invalid, None).unwrap(), r#"{"metadata":{}}"#);
    }
}
