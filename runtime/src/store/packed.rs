//! Objects as text.
//!
//! An object of Kubernetes as a Rust value is three times the size of its JSON: each map has room for eleven entries, each string is an
//! allocation. So a cache holds the text that the API server sent, and only what is in use as a value.
//!
//! The text is without `metadata.managedFields`, which is often a third of it. Server-side apply compares with what its own manager has
//! applied, so those entries may be kept: their fields as text inside of the text, for they are seldom looked at, and without their time.

use std::{borrow::Cow, fmt};

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{FieldsV1, ManagedFieldsEntry};
use serde::{
    Deserialize, Deserializer,
    de::{self, DeserializeOwned, DeserializeSeed, MapAccess, Visitor},
};
use serde_json::{Value, value::RawValue};

/// The text of an object without the managed fields of all but the applies of one manager.
pub(crate) fn pack(text: &str, keep: Option<&str>) -> serde_json::Result<String> {
    let mut packed = Vec::with_capacity(text.len());
    let whole = Packer {
        packed: &mut packed,
        keep,
        part: Part::Object,
    };
    whole.deserialize(&mut serde_json::Deserializer::from_str(text))?;
    // It is pieces of a text, and what serde_json wrote.
    String::from_utf8(packed).map_err(de::Error::custom)
}

/// Copies a JSON object, field by field and unread.
struct Packer<'a> {
    packed: &'a mut Vec<u8>,
    keep: Option<&'a str>,
    part: Part,
}

#[derive(Clone, Copy)]
enum Part {
    Object,
    Metadata,
}

/// A text that needs no copy, unless there is an escape in it.
#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

/// What is read of an entry of the managed fields.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry<'a> {
    #[serde(borrow)]
    manager: Option<Text<'a>>,
    operation: Option<Text<'a>>,
    subresource: Option<Text<'a>>,
    api_version: Option<Text<'a>>,
    fields_v1: Option<&'a RawValue>,
}

impl<'de> DeserializeSeed<'de> for Packer<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Packer<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        let mut before = b'{';
        while let Some(Text(name)) = fields.next_key()? {
            let end = self.packed.len();
            self.packed.push(before);
            serde_json::to_writer(&mut *self.packed, &name).map_err(de::Error::custom)?;
            self.packed.push(b':');
            match (self.part, &*name) {
                (Part::Object, "metadata") => fields.next_value_seed(Packer {
                    packed: self.packed,
                    keep: self.keep,
                    part: Part::Metadata,
                })?,
                (Part::Metadata, "managedFields") => {
                    // There may be null.
                    let entries: Option<Vec<Entry<'_>>> = fields.next_value()?;
                    let kept = applied_by(self.keep, entries.unwrap_or_default());
                    if kept.is_empty() {
                        self.packed.truncate(end);
                        continue;
                    }
                    serde_json::to_writer(&mut *self.packed, &kept).map_err(de::Error::custom)?;
                }
                _ => {
                    let value: &RawValue = fields.next_value()?;
                    self.packed.extend_from_slice(value.get().as_bytes());
                }
            }
            before = b',';
        }
        if before == b'{' {
            self.packed.push(b'{');
        }
        self.packed.push(b'}');
        Ok(())
    }
}

/// The entries of a manager's applies, packed.
fn applied_by(manager: Option<&str>, entries: Vec<Entry<'_>>) -> Vec<ManagedFieldsEntry> {
    let owned = |text: Option<Text<'_>>| text.map(|Text(text)| text.into_owned());
    let of_manager = entries.into_iter().filter(|entry| {
        manager.is_some() && entry.manager.as_ref().map(|Text(text)| &**text) == manager
    });
    of_manager
        .map(|entry| ManagedFieldsEntry {
            manager: owned(entry.manager),
            operation: owned(entry.operation),
            subresource: owned(entry.subresource),
            api_version: owned(entry.api_version),
            fields_v1: entry.fields_v1.map(|fields| FieldsV1(as_text(fields))),
            ..ManagedFieldsEntry::default()
        })
        .filter(is_of_the_whole)
        .collect()
}

/// Once, even if it was packed before.
fn as_text(fields: &RawValue) -> Value {
    let text = serde_json::from_str(fields.get());
    Value::String(text.unwrap_or_else(|_| fields.get().to_owned()))
}

/// Reads an answer of the API server, with the managed fields that a cache would hold.
pub(crate) fn read<K: DeserializeOwned>(text: &str, keep: &str) -> serde_json::Result<K> {
    serde_json::from_str(&pack(text, Some(keep))?)
}

/// Whether an entry is of an apply, and not of one to the status or another subresource.
pub(crate) fn is_of_the_whole(entry: &ManagedFieldsEntry) -> bool {
    entry.operation.as_deref() == Some("Apply")
        && entry.subresource.as_deref().is_none_or(str::is_empty)
}

/// The fields of an entry, whether it is packed or not. None, if it cannot be read.
pub(crate) fn fields(packed: &FieldsV1) -> Option<Cow<'_, Value>> {
    match &packed.0 {
        Value::String(text) => serde_json::from_str(text).ok().map(Cow::Owned),
        fields => Some(Cow::Borrowed(fields)),
    }
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
            "fieldsV1": {"f:data": {"f:motto": {}}},
        })
    }

    fn packed(entries: &[Value], keep: Option<&str>) -> ConfigMap {
        let object = json!({
            "kind": "ConfigMap",
            "metadata": {"name": "a", "labels": {"b": "c"}, "managedFields": entries},
            "data": {"motto": "so it is, \"\u{e4}\""},
        });
        serde_json::from_str(&pack(&object.to_string(), keep).unwrap()).unwrap()
    }

    #[test]
    fn only_what_the_named_manager_applied_is_kept_and_can_be_read() {
        let entries = [
            entry("kubectl", "Apply", ""),
            entry("shop-operator", "Update", ""),
            entry("shop-operator", "Apply", "status"),
            entry("shop-operator", "Apply", ""),
        ];
        let object = packed(&entries, Some("shop-operator"));
        let [kept] = object.managed_fields() else {
            panic!("{object:?}");
        };
        assert!(is_of_the_whole(kept));
        assert_eq!(kept.api_version.as_deref(), Some("v1"));
        let packed = kept.fields_v1.as_ref().unwrap();
        assert!(packed.0.is_string());
        let expected = json!({"f:data": {"f:motto": {}}});
        assert_eq!(fields(packed).as_deref(), Some(&expected));
        assert_eq!(
            fields(&FieldsV1(expected.clone())).as_deref(),
            Some(&expected)
        );
        let text = serde_json::to_string(&object).unwrap();
        let again = read::<ConfigMap>(&text, "shop-operator").unwrap();
        assert_eq!(again, object);
    }

    #[test]
    fn all_else_stays_as_it_is_and_without_a_manager_nothing_is_kept() {
        for keep in [None, Some("shop-operator")] {
            let object = packed(&[entry("kubectl", "Apply", "")], keep);
            assert_eq!(object.metadata.managed_fields, None);
            assert_eq!(object.labels()["b"], "c");
            assert_eq!(object.data.unwrap()["motto"], "so it is, \"\u{e4}\"");
        }
    }

    #[test]
    fn an_object_without_metadata_or_entries_is_left_as_it_is() {
        for text in ["{\"a\":1}", "{\"metadata\":{\"name\":\"a\"}}"] {
            assert_eq!(pack(text, Some("shop-operator")).unwrap(), text);
        }
        let null = "{\"metadata\":{\"managedFields\":null}}";
        assert_eq!(pack(null, Some("us")).unwrap(), "{\"metadata\":{}}");
        assert_eq!(pack("{}", None).unwrap(), "{}");
        assert_eq!(
            pack(r#"{"a\"b":{"c": [1, "\u00e4"]}}"#, None).unwrap(),
            r#"{"a\"b":{"c": [1, "\u00e4"]}}"#
        );
        assert!(pack("{\"metadata\":", None).is_err());
    }
}
