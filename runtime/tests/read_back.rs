//! What is written can be read again, and is what the schema asks for.
#![allow(missing_docs, reason = "types of a test")]

use kb::serde_json::{self, json};

#[kb::object]
pub struct Maybe(pub Option<i32>);

#[kb::object]
pub struct Numbered<const N: usize> {
    pub value: i32,
}

#[kb::object]
pub struct Around<const N: usize> {
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
    pub around: Option<Around<2>>,
    pub parts: Option<Parts<Source>>,
}

#[test]
fn a_newtype_of_an_option_is_null_as_its_schema_says() {
    #[kb::object]
    struct Holder {
        maybe: Maybe,
    }
    let written = serde_json::to_value(Holder { maybe: Maybe(None) }).unwrap();
    assert_eq!(written, json!({ "maybe": null }));
    let read: Holder = serde_json::from_value(written).unwrap();
    assert_eq!(read.maybe, Maybe(None));
}

#[test]
fn a_spec_that_was_not_there_is_not_written() {
    let stored =
        json!({ "apiVersion": "example.com/v1", "kind": "ReadBack", "metadata": { "name": "a" } });
    let object: ReadBack = serde_json::from_value(stored.clone()).unwrap();
    assert_eq!(serde_json::to_value(object).unwrap(), stored);
}

#[test]
fn what_is_never_written_is_not_missed() {
    let spec = ReadBackSpec {
        token: "secret".to_owned(),
        ..ReadBackSpec::default()
    };
    let written = serde_json::to_value(spec).unwrap();
    assert_eq!(written, json!({ "names": [] }));
    let read: ReadBackSpec = serde_json::from_value(written).unwrap();
    assert_eq!(read.token, "");
}

#[test]
fn variants_have_defaults_of_their_own() {
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
fn a_list_may_be_absent_whatever_its_elements_are() {
    let read: Parts<Source> = serde_json::from_value(json!({})).unwrap();
    assert_eq!(read, Parts { parts: Vec::new() });
}

#[test]
fn the_default_of_the_whole_counts_for_its_fields() {
    let read: Tuned = serde_json::from_value(json!({})).unwrap();
    assert_eq!(read.replicas, 3);
    let written = serde_json::to_value(Tuned { replicas: 0 }).unwrap();
    assert_eq!(written, json!({ "replicas": 0 }));
}
