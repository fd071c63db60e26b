//! Defaults: expressions evaluated without a compiler, and the resulting serde attributes.

mod support;

use kb_model::api::Default;
use serde_json::{Value, json};
use support::{field, item_text, object};

#[test]
fn evaluates_literals() {
    let rows = [
        ("1", "i32", json!(1)),
        ("-1", "i64", json!(-1)),
        ("(1u32)", "u32", json!(1)),
        ("0xff", "i32", json!(255)),
        ("true", "bool", json!(true)),
        ("\"a\"", "String", json!("a")),
        ("'a'", "char", json!("a")),
        ("\"a\".to_string()", "String", json!("a")),
        ("\"a\".to_owned()", "Option<String>", json!("a")),
        ("\"a\".into()", "String", json!("a")),
        ("String::from(\"a\")", "String", json!("a")),
        ("String::new()", "String", json!("")),
        ("vec![]", "Vec<i32>", json!([])),
        ("Vec::new()", "Vec<i32>", json!([])),
        ("vec![1, -2]", "Vec<i32>", json!([1, -2])),
        ("[\"a\", \"b\"]", "[String; 2]", json!(["a", "b"])),
        ("BTreeMap::new()", "BTreeMap<String, i32>", json!({})),
        ("Some(5)", "Option<i32>", json!(5)),
        ("Some(\"a\".into())", "Option<String>", json!("a")),
    ];
    for (expression, ty, expected) in rows {
        let found = field(&format!("default = {expression}"), ty).default;
        assert_eq!(found, Some(Default::Value(expected)), "{expression}");
    }
    let float = field("default = 1.5f64, allow_float", "f64").default;
    assert_eq!(float, Some(Default::Value(json!(1.5))));
    for none in ["None", "Option::None", "core::option::Option::None"] {
        let null = field(&format!("default = {none}, nullable"), "Option<i32>").default;
        assert_eq!(null, Some(Default::Value(Value::Null)), "{none}");
    }
}

#[test]
fn leaves_other_expressions_to_the_compiler() {
    for (expression, ty) in [
        ("Phase::Running", "Phase"),
        ("Phase::None", "Phase"),
        ("Phase::Some(1)", "Phase"),
        ("default_replicas()", "i32"),
        ("Map::<String, i32>::new()", "Alias"),
        ("\"5Gi\".into()", "Quantity"),
        ("1 + 1", "i32"),
        ("vec![1; 3]", "Vec<i32>"),
        ("!0", "i32"),
        ("Default::default()", "Thing"),
    ] {
        let found = field(&format!("default = {expression}"), ty).default;
        assert_eq!(found, Some(Default::Expression(0)), "{expression}");
    }
}

#[test]
fn every_default_becomes_a_serde_default_function() {
    let source =
        "struct Foo { #[kb(default = 1)] a: i32, #[kb(default = f(), schemaless)] r#type: Thing }";
    let object = object(source);
    let functions: Vec<String> = object
        .expressions
        .iter()
        .map(|default| default.function.to_string())
        .collect();
    assert_eq!(functions, ["__kb_default_a", "__kb_default_type"]);
    let types: Vec<_> = object
        .expressions
        .iter()
        .map(|default| &default.ty)
        .collect();
    assert_eq!(
        types,
        [
            &syn::parse_str("i32").unwrap(),
            &syn::parse_str::<syn::Type>("Thing").unwrap()
        ]
    );
    assert!(item_text(source).contains(r#"# [serde (default = "Foo::__kb_default_a")] a : i32"#));
}

#[test]
fn names_default_functions_of_generic_types_and_variants() {
    let generic = item_text(
        "struct Foo<'a, T, const N: usize> { #[kb(default = 1)] a: i32, b: Cow<'a, [T; N]> }",
    );
    assert!(
        generic.contains(r#"(default = "Foo::<'a,T,N>::__kb_default_a")"#),
        "{generic}"
    );
    let variant = item_text("enum Foo { BarBaz { #[kb(default = 1)] a: i32 } }");
    assert!(
        variant.contains(r#"(default = "Foo::__kb_default_bar_baz__a")"#),
        "{variant}"
    );
}
