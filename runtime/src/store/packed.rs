//! Objects as text.
//!
//! An object of Kubernetes as a Rust value is three times the size of its JSON: each map has room for eleven entries, each string is an
//! allocation. So a cache holds the text that the API server sent, and only what is in use as a value.
//!
//! The text is without `metadata.managedFields`, which is often a third of it. Server-side apply compares with what its own manager has
//! applied, so those entries may be kept: their fields as text inside of the text, for they are seldom looked at, and without their time.

use std::{borrow::Cow, fmt};

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{FieldsV1, ManagedFieldsEntry};
use kube::Resource;
use serde::{
    Deserialize, Deserializer,
    de::{self, DeserializeOwned, DeserializeSeed, MapAccess, Visitor},
};
use serde_json::{Value, value::RawValue};

/// A text of this size does not have to grow. It is a copy without spare room that is kept.
const USUAL_SIZE: usize = 1024;

/// The text of an object without its managed fields, and these by themselves.
///
/// It is read in one pass, which copies all fields unread: from a text, not from a stream or a [`Value`].
#[derive(Debug, Clone, Default)]
pub(crate) struct Bare {
    text: String,
    /// Where the fields of the metadata begin in the text, and whether there are any.
    metadata: Option<(usize, bool)>,
    managed_fields: Option<Box<str>>,
    pub(crate) identity: Identity,
}

/// What a watch must know of every object.
#[derive(Debug, Clone, Default)]
pub(crate) struct Identity {
    pub(crate) name: Option<String>,
    pub(crate) namespace: Option<String>,
    pub(crate) uid: Option<String>,
    pub(crate) resource_version: Option<String>,
}

impl Bare {
    /// The text with those managed fields that one manager has applied.
    pub(crate) fn pack(mut self, keep: Option<&str>) -> serde_json::Result<String> {
        let (Some(manager), Some((place, has_fields)), Some(entries)) =
            (keep, self.metadata, &self.managed_fields)
        else {
            return Ok(self.text);
        };
        let kept = applied_by(manager, entries)?;
        if !kept.is_empty() {
            let kept = serde_json::to_string(&kept)?;
            let comma = if has_fields { "," } else { "" };
            let field = format!("\"managedFields\":{kept}{comma}");
            self.text.insert_str(place, &field);
        }
        Ok(self.text)
    }

    fn push(&mut self, before: &mut char, name: &RawValue) {
        self.text.push(*before);
        self.text.push_str(name.get());
        self.text.push(':');
        *before = ',';
    }

    fn close(&mut self, before: char) {
        if before == '{' {
            self.text.push('{');
        }
        self.text.push('}');
    }
}

impl<'de> Deserialize<'de> for Bare {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut bare = Self {
            text: String::with_capacity(USUAL_SIZE),
            ..Self::default()
        };
        let whole = Reader {
            bare: &mut bare,
            part: Part::Object,
        };
        whole.deserialize(deserializer)?;
        Ok(bare)
    }
}

/// Copies a JSON object, field by field.
struct Reader<'a> {
    bare: &'a mut Bare,
    part: Part,
}

#[derive(Clone, Copy)]
enum Part {
    Object,
    Metadata,
}

impl<'de> DeserializeSeed<'de> for Reader<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Reader<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        let Self { bare, part } = self;
        let mut before = '{';
        let begin = bare.text.len() + 1;
        // Names are with their quotes, as they stand in the text.
        while let Some(name) = fields.next_key::<&RawValue>()? {
            match (part, name.get()) {
                (Part::Object, "\"metadata\"") => {
                    bare.push(&mut before, name);
                    fields.next_value_seed(Reader {
                        bare,
                        part: Part::Metadata,
                    })?;
                }
                (Part::Metadata, "\"managedFields\"") => {
                    let entries: &RawValue = fields.next_value()?;
                    bare.managed_fields = Some(entries.get().into());
                }
                (_, field) => {
                    let value: &RawValue = fields.next_value()?;
                    if let (Part::Metadata, Some(place)) = (part, bare.identity.field(field)) {
                        *place = serde_json::from_str(value.get()).map_err(de::Error::custom)?;
                    }
                    bare.push(&mut before, name);
                    bare.text.push_str(value.get());
                }
            }
        }
        bare.close(before);
        if let Part::Metadata = part {
            bare.metadata = Some((begin, before == ','));
        }
        Ok(())
    }
}

impl Identity {
    /// The place of a field, which has its quotes.
    fn field(&mut self, name: &str) -> Option<&mut Option<String>> {
        match name {
            "\"name\"" => Some(&mut self.name),
            "\"namespace\"" => Some(&mut self.namespace),
            "\"uid\"" => Some(&mut self.uid),
            "\"resourceVersion\"" => Some(&mut self.resource_version),
            _ => None,
        }
    }
}

/// A text that needs no copy, unless there is an escape in it.
#[derive(Deserialize)]
pub(crate) struct Text<'a>(#[serde(borrow)] pub(crate) Cow<'a, str>);

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

/// The entries of a manager's applies, packed.
fn applied_by(manager: &str, entries: &str) -> serde_json::Result<Vec<ManagedFieldsEntry>> {
    // Mostly there is none, and the entries are half of the object.
    if !entries.contains("\"Apply\"") {
        return Ok(Vec::new());
    }
    let entries: Vec<Entry<'_>> = serde_json::from_str(entries)?;
    let owned = |text: Option<Text<'_>>| text.map(|Text(text)| text.into_owned());
    let is_of_manager = |entry: &Entry<'_>| {
        let name = entry.manager.as_ref();
        name.is_some_and(|Text(name)| name == manager)
    };
    let kept = entries
        .into_iter()
        .filter(is_of_manager)
        .map(|entry| ManagedFieldsEntry {
            manager: owned(entry.manager),
            operation: owned(entry.operation),
            subresource: owned(entry.subresource),
            api_version: owned(entry.api_version),
            fields_v1: entry.fields_v1.map(|fields| FieldsV1(as_text(fields))),
            ..ManagedFieldsEntry::default()
        })
        .filter(is_of_the_whole);
    Ok(kept.collect())
}

/// Once, even if it was packed before.
fn as_text(fields: &RawValue) -> Value {
    let text = fields.get();
    let packed = text
        .starts_with('"')
        .then(|| serde_json::from_str(text).ok());
    Value::String(packed.flatten().unwrap_or_else(|| text.to_owned()))
}

/// The place of the managed fields in the text of an object.
#[derive(Deserialize)]
struct Outline<'a> {
    #[serde(borrow)]
    metadata: Option<Metadata<'a>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Metadata<'a> {
    #[serde(borrow)]
    managed_fields: Option<&'a RawValue>,
}

/// Reads an answer of the API server, with the managed fields that a cache would hold.
pub(crate) fn read<K>(mut text: String, keep: &str) -> serde_json::Result<K>
where
    K: Resource + DeserializeOwned,
{
    let outline: Outline<'_> = serde_json::from_str(&text)?;
    let metadata = outline.metadata;
    let Some(entries) = metadata.and_then(|metadata| metadata.managed_fields) else {
        return serde_json::from_str(&text);
    };
    let entries = entries.get();
    let kept = applied_by(keep, entries)?;
    // As values they are trees of maps, which take longer to make than the object.
    let start = entries.as_ptr().addr() - text.as_ptr().addr();
    text.replace_range(start..start + entries.len(), "null");
    let mut object: K = serde_json::from_str(&text)?;
    object.meta_mut().managed_fields = (!kept.is_empty()).then_some(kept);
    Ok(object)
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

    fn pack(text: &str, keep: Option<&str>) -> serde_json::Result<String> {
        serde_json::from_str::<Bare>(text)?.pack(keep)
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
        let again = read::<ConfigMap>(text, "shop-operator").unwrap();
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
    fn an_answer_is_what_a_cache_would_hold() {
        let template = json!({"metadata": {"managedFields": "not these"}});
        let object = |entries: Value| {
            json!({
                "data": {"before": "\"managedFields\":[1]", "template": template.to_string()},
                "metadata": {"annotations": {"managedFields": "[]"}, "managedFields": entries, "name": "a"},
            })
        };
        let cases = [
            json!([]),
            json!(null),
            json!([entry("us", "Update", "status")]),
            json!([
                entry("us", "Update", ""),
                entry("them", "Apply", ""),
                entry("us", "Apply", "")
            ]),
        ];
        for entries in cases {
            let text = object(entries).to_string();
            let cached: ConfigMap =
                serde_json::from_str(&pack(&text, Some("us")).unwrap()).unwrap();
            assert_eq!(read::<ConfigMap>(text, "us").unwrap(), cached);
        }
        let none = read::<ConfigMap>(r#"{"data":{"a":"b"}}"#.to_owned(), "us").unwrap();
        assert_eq!(none.data.unwrap()["a"], "b");
        let cut = r#"{"metadata":{"managedFields":[{}]}"#;
        assert!(read::<ConfigMap>(cut.to_owned(), "us").is_err());
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
        assert!(pack("[]", None).is_err());
    }

    #[test]
    fn what_is_kept_needs_no_other_metadata() {
        let entries = json!([entry("us", "Apply", "")]);
        let object = json!({ "metadata": { "managedFields": entries } });
        let text = pack(&object.to_string(), Some("us")).unwrap();
        let object: ConfigMap = serde_json::from_str(&text).unwrap();
        assert_eq!(object.managed_fields().len(), 1);
        let broken = r#"{"metadata":{"managedFields":"Apply"}}"#;
        assert!(pack(broken, Some("us")).is_err());
        assert_eq!(pack(broken, None).unwrap(), r#"{"metadata":{}}"#);
    }
}
