//! Limits the length of descriptions.

mod definitions;

use definitions::{documented, field, foo};
use kb_model::api::Type;
use kb_model::crd::{Options, build};
use serde_json::{Value, json};

/// Returns the truncated description.
fn cut(text: &str, most: usize) -> Value {
    let mut definition = foo(Vec::new());
    definition.resource.docs = text.into();
    let options = Options {
        max_desc_len: Some(most),
        ..Options::default()
    };
    let crds = build(&[definition], &options).expect("a CRD");
    crds[0].document["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["description"].clone()
}

#[test]
fn limits_descriptions_by_bytes() {
    for (text, most, left) in [
        ("One. Two and three.", 10, "One."),
        ("One! Two? Three.", 10, "One! Two?"),
        ("short", 5, "short"),
        ("abcdefgh", 4, "abcd..."),
        ("one two three", 9, "one two..."),
        (".dots only first", 8, ".dots..."),
        ("ääää", 3, "ä..."),
        ("句子。更多", 11, "句子。"),
    ] {
        assert_eq!(cut(text, most), left, "{text} {most}");
    }
    assert_eq!(cut("all of it.", 0), Value::Null);
}

#[test]
fn keeps_properties_named_description() {
    let options = Options {
        max_desc_len: Some(0),
        ..Options::default()
    };
    let definition = foo(vec![documented(
        "Gone.",
        field("description", Type::String),
    )]);
    let crds = build(&[definition], &options).expect("a CRD");
    let spec =
        &crds[0].document["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"];
    assert_eq!(
        spec["properties"]["description"],
        json!({ "type": "string" })
    );
}
