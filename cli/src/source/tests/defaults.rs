//! Evaluation of defaults.

use serde_json::json;

use super::support::{default_of, reasons};

const ITEMS: &str = "
use kb::k8s_openapi::apimachinery::pkg::{api::resource::Quantity, util::intstr::IntOrString};
use std::collections::BTreeMap;
#[kb::object] pub enum Phase { Pending, #[serde(rename = \"going\")] Running, #[default] Done }
#[kb::object] pub struct Port(pub u16);
#[kb::object] pub struct Limits { pub max_cpu: i32, pub support: Option<String>, #[kb(optional)] pub ports: Vec<Port> }
#[kb::object] pub enum Source { Git { clone_url: String }, LocalFile(String) }
#[kb::object] pub struct Wrap<T> { pub inner: T }
type Alias = Phase;
mod limits { pub const HOUR: i32 = 60 * MINUTE; const MINUTE: i32 = 60; pub const NAME: &str = \"x\"; }
use limits::HOUR;
use Phase::Pending;
";

#[test]
fn evaluates_literals_and_lists() {
    for (ty, expression, value) in [
        ("i32", "1", json!(1)),
        ("i32", "-1", json!(-1)),
        ("i8", "-128", json!(-128)),
        ("u64", "18_446_744_073_709_551_615", json!(u64::MAX)),
        ("bool", "true", json!(true)),
        ("String", "\"a\"", json!("a")),
        ("Option<i64>", "5", json!(5)),
        ("Vec<i32>", "[1, 2]", json!([1, 2])),
        ("Vec<i32>", "vec![1, 2 + 3]", json!([1, 5])),
        ("[i32; 2]", "[HOUR, 1]", json!([3600, 1])),
    ] {
        assert_eq!(default_of(ty, expression, ITEMS), value, "{expression}");
    }
}

#[test]
fn evaluates_string_conversions() {
    for expression in [
        "String::from(\"a\")",
        "\"a\".to_string()",
        "\"a\".to_owned()",
        "\"a\".into()",
        "std::string::String::from(\"a\")",
    ] {
        assert_eq!(
            default_of("String", expression, ITEMS),
            json!("a"),
            "{expression}"
        );
    }
    assert_eq!(default_of("String", "limits::NAME", ITEMS), json!("x"));
    assert_eq!(
        default_of("String", "limits::NAME.to_owned()", ITEMS),
        json!("x")
    );
    let names = default_of(
        "Vec<String>",
        "vec![limits::NAME.into(), \"b\".into()]",
        ITEMS,
    );
    assert_eq!(names, json!(["x", "b"]));
}

#[test]
fn evaluates_constants_and_arithmetic() {
    for (ty, expression, value) in [
        ("i32", "HOUR", json!(3600)),
        ("i32", "limits::HOUR * 24", json!(86400)),
        ("i32", "-(HOUR - 600) / 2", json!(-1500)),
        ("Option<i32>", "HOUR", json!(3600)),
        ("Option<i32>", "Some(HOUR)", json!(3600)),
    ] {
        assert_eq!(default_of(ty, expression, ITEMS), value, "{expression}");
    }
}

#[test]
fn evaluates_variants_to_their_serialized_name() {
    for (ty, expression, value) in [
        ("Phase", "Phase::Pending", json!("Pending")),
        ("Phase", "Phase::Running", json!("going")),
        ("Phase", "crate::Phase::Running", json!("going")),
        ("Alias", "Phase::Running", json!("going")),
        ("Phase", "Pending", json!("Pending")),
        ("Option<Phase>", "Phase::Done", json!("Done")),
        ("Option<Phase>", "Some(Phase::Done)", json!("Done")),
        (
            "Vec<Phase>",
            "vec![Phase::Done, Phase::Running]",
            json!(["Done", "going"]),
        ),
        (
            "Source",
            "Source::LocalFile(\"a\".into())",
            json!({"localFile": "a"}),
        ),
        (
            "Source",
            "Source::Git { clone_url: \"a\".into() }",
            json!({"git": {"cloneUrl": "a"}}),
        ),
    ] {
        assert_eq!(default_of(ty, expression, ITEMS), value, "{expression}");
    }
}

#[test]
fn serializes_newtypes_and_structs_like_serde() {
    for (ty, expression, value) in [
        ("Port", "Port(80)", json!(80)),
        ("Vec<Port>", "vec![Port(80), Port(443)]", json!([80, 443])),
        (
            "Limits",
            "Limits { max_cpu: 1, support: None, ports: vec![] }",
            json!({"maxCpu": 1}),
        ),
        (
            "Limits",
            "Limits { max_cpu: HOUR, support: Some(\"1Gi\".into()), ports: vec![Port(80)] }",
            json!({"maxCpu": 3600, "support": "1Gi", "ports": [80]}),
        ),
        ("Wrap<Port>", "Wrap { inner: Port(1) }", json!({"inner": 1})),
        ("Quantity", "Quantity(\"1Gi\".into())", json!("1Gi")),
        ("IntOrString", "IntOrString::Int(80)", json!(80)),
        (
            "IntOrString",
            "IntOrString::String(\"http\".into())",
            json!("http"),
        ),
        ("Wrap<Option<i32>>", "Wrap { inner: None }", json!({})),
    ] {
        assert_eq!(default_of(ty, expression, ITEMS), value, "{expression}");
    }
}

#[test]
fn falls_back_for_other_expressions() {
    for (ty, expression) in [
        ("i32", "compute()"),
        ("i32", "i32::MAX"),
        ("i32", "Default::default()"),
        ("Vec<i32>", "vec![HOUR; 2]"),
        ("Phase", "Alias::Running"),
        ("Phase", "Phase::default()"),
        (
            "BTreeMap<String, i32>",
            "BTreeMap::from([(\"a\".to_owned(), 1)])",
        ),
        ("i32", "if true { 1 } else { 2 }"),
        ("String", "format!(\"{}\", 1)"),
        ("Limits", "Limits { max_cpu: 1, ..Default::default() }"),
        ("Limits", "Limits::default()"),
        ("Port", "Port::new(80)"),
        ("Port", "80u16.into()"),
        ("u8", "HOUR + 1"),
        ("i32", "Phase::Done as i32"),
    ] {
        let field = format!("#[kb(default = {expression})] pub field: {ty},");
        let found = reasons(&field, ITEMS);
        assert_eq!(found.len(), 1, "{expression}: {found:?}");
        assert!(
            found[0].starts_with("api/src/lib.rs:2: the default `"),
            "{found:?}"
        );
    }
}
