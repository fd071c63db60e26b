//! Serialized objects match their schema and deserialize again.
#![allow(missing_docs, reason = "test types")]

use kb::serde_json::{self, json};

#[kb::object]
pub struct Maybe(pub Option<i32>);

#[kb::object]
pub struct Numbered<const N: usize> {
    pub value: i32,
}

#[kb::object]
pub struct Outer<const N: usize> {
    pub inner: Numbered<N>,
}

#[kb::object]
pub enum Source {
    Git {
        #[kb(default = "a")]
        repo_url: String,
    },
    GitRepo {
        #[kb(default = "b")]
        url: String,
    },
}

#[kb::object]
pub struct Parts<T> {
    #[kb(optional)]
    pub parts: Vec<T>,
}

#[kb::object(default = false)]
#[serde(default)]
pub struct Tuned {
    #[kb(optional)]
    pub replicas: i32,
}

impl Default for Tuned {
    fn default() -> Self {
        Self { replicas: 3 }
    }
}

#[kb::resource(
    group = "example.com",
    version = "v1",
    kind = "ReadBack",
    optional_spec
)]
pub struct ReadBackSpec {
    #[kb(default = [])]
    pub names: Vec<String>,
    #[serde(skip_serializing)]
    pub token: String,
    pub outer: Option<Outer<2>>,
    pub parts: Option<Parts<Source>>,
}

#[test]
fn a_newtype_of_an_option_serializes_as_null() {
    #[kb::object]
    struct Holder {
        maybe: Maybe,
    }
    let serialized = serde_json::to_value(Holder { maybe: Maybe(None) }).unwrap();
    assert_eq!(serialized, json!({ "maybe": null }));
    let read: Holder = serde_json::from_value(serialized).unwrap();
    assert_eq!(read.maybe, Maybe(None));
}

#[test]
fn a_missing_optional_spec_stays_missing() {
    let stored =
        json!({ "apiVersion": "example.com/v1", "kind": "ReadBack", "metadata": { "name": "a" } });
    let object: ReadBack = serde_json::from_value(stored.clone()).unwrap();
    assert_eq!(serde_json::to_value(object).unwrap(), stored);
}

#[test]
fn skip_serializing_fields_default_when_missing() {
    let spec = ReadBackSpec {
        token: "secret".to_owned(),
        ..ReadBackSpec::default()
    };
    let serialized = serde_json::to_value(spec).unwrap();
    assert_eq!(serialized, json!({ "names": [] }));
    let read: ReadBackSpec = serde_json::from_value(serialized).unwrap();
    assert_eq!(read.token, "");
}

#[test]
fn fields_of_variants_have_defaults() {
    let read = |value| serde_json::from_value::<Source>(value).unwrap();
    let url = |text: &str| text.to_owned();
    assert_eq!(
        read(json!({ "git": {} })),
        Source::Git { repo_url: url("a") }
    );
    assert_eq!(
        read(json!({ "gitRepo": {} })),
        Source::GitRepo { url: url("b") }
    );
}

#[test]
fn an_optional_list_of_any_type_may_be_missing() {
    let read: Parts<Source> = serde_json::from_value(json!({})).unwrap();
    assert_eq!(read, Parts { parts: Vec::new() });
}

#[test]
fn the_default_of_a_struct_applies_to_its_fields() {
    let read: Tuned = serde_json::from_value(json!({})).unwrap();
    assert_eq!(read.replicas, 3);
    let serialized = serde_json::to_value(Tuned { replicas: 0 }).unwrap();
    assert_eq!(serialized, json!({ "replicas": 0 }));
}
