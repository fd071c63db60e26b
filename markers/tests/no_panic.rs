//! Parsing arbitrary attributes does not panic.

use kb_markers::{read_object, read_rbac, read_resource};
use proc_macro2::{Span, TokenStream};
use proptest::prelude::*;

/// Known words and punctuation.
const TOKENS: &[&str] = &[
    "minimum",
    "maximum",
    "min_length",
    "pattern",
    "format",
    "enum",
    "example",
    "default",
    "cel",
    "column",
    "scale",
    "items",
    "values",
    "list_type",
    "list_map_key",
    "external_docs",
    "at_most_one_of",
    "schema_type",
    "schemaless",
    "json_schema",
    "optional",
    "required",
    "group",
    "version",
    "kind",
    "status",
    "annotations",
    "short_names",
    "rule",
    "name",
    "a",
    "null",
    "_",
    "type",
    "r#type",
    "=",
    "=",
    "=",
    ",",
    ",",
    ",",
    ":",
    "-",
    "<",
    ">",
    "::",
    ".",
    "&",
    "#",
    "1",
    "-1",
    "1.5",
    "0xff",
    "1u8",
    "99999999999999999999999999",
    "1e400",
    "\"\"",
    "\"a\"",
    "\"(\"",
    "\"v1\"",
    "\"a.b\"",
    "\"Foo\"",
    "'a'",
    "b'a'",
    "b\"a\"",
    "c\"a\"",
    "true",
    "false",
    "vec![1]",
    "Some(1)",
    "None",
    "String::new()",
    "\"a\".into()",
    "{\"a\": 1}",
    "[\"a\", 1]",
    "(a, \"b\")",
];

const TYPES: &[&str] = &[
    "i32",
    "String",
    "Option<Vec<String>>",
    "BTreeMap<String, f64>",
    "Thing<T>",
    "T",
    "(i32, T)",
    "[u8; 4]",
    "&'static str",
    "m!()",
    "Vec",
    "Option",
    "Box<dyn A>",
    "<T as A>::B",
    "_",
    "impl A",
    "fn() -> !",
];

fn tokens() -> impl Strategy<Value = String> {
    let leaf = proptest::collection::vec(proptest::sample::select(TOKENS), 0..8)
        .prop_map(|words| words.join(" "));
    leaf.prop_recursive(3, 24, 4, |inner| {
        let group = (
            proptest::sample::select(TOKENS),
            inner.clone(),
            proptest::sample::select(&["()", "[]", "{}"][..]),
        );
        let group = group.prop_map(|(word, inner, brackets)| {
            format!("{word}{}{inner}{}", &brackets[..1], &brackets[1..])
        });
        proptest::collection::vec(prop_oneof![group, inner], 1..4)
            .prop_map(|parts| parts.join(", "))
    })
}

fn read(args: &str, item: &str) {
    let Ok(item) = syn::parse_str::<syn::Item>(item) else {
        return;
    };
    let args: TokenStream = args.parse().unwrap_or_default();
    let _ = read_rbac(args.clone(), Span::call_site());
    let _ = read_object(args.clone(), item.clone());
    let _ = read_resource(args, item);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn does_not_panic_on_arbitrary_attributes(
        args in tokens(),
        on_type in tokens(),
        on_field in tokens(),
        serde in tokens(),
        ty in proptest::sample::select(TYPES),
    ) {
        read(&args, &format!("#[kb({on_type})] #[serde({serde})] struct Foo<T> {{ #[kb({on_field})] x: {ty}, y: Option<{ty}> }}"));
        read(&args, &format!("#[kb({on_type})] struct Foo(#[kb({on_field})] {ty});"));
        read(&args, &format!("#[kb({on_type})] enum Foo {{ #[serde({serde})] A(#[kb({on_field})] {ty}), B {{ #[kb({on_field})] x: {ty} }}, C }}"));
    }

    #[test]
    fn does_not_panic_on_arbitrary_rules(
        groups in text(),
        resources in text(),
        names in text(),
        verbs in text(),
        urls in text(),
        namespace in text(),
    ) {
        for on in [
            format!("groups = {groups:?}, resources = {resources:?}, resource_names = {names:?}"),
            format!("urls = {urls:?}"),
            format!("urls = [{urls:?}, {groups:?}], resources = [{resources:?}]"),
        ] {
            let args = format!("{on}, verbs = {verbs:?}, namespace = {namespace:?}, reason = {names:?}");
            let _ = read_rbac(args.parse().unwrap_or_default(), Span::call_site());
        }
        for verbs in [verbs.clone(), format!("get {verbs}"), format!("{verbs:?}, *")] {
            let args = format!("{resources:?}: {verbs}, resource_names = {names:?}, namespace = {namespace:?}");
            if let Ok(tokens) = args.parse() {
                let _ = read_rbac(tokens, Span::call_site());
            }
        }
    }
}

/// Generates strings that are often nearly valid.
fn text() -> impl Strategy<Value = String> {
    let parts = proptest::sample::select(
        &[
            "apps", "pods", "/", "*", ";", "v1", "get", ".k8s.io", "core", "\u{fc}", " ", "A",
        ][..],
    );
    let near = proptest::collection::vec(parts, 0..5).prop_map(|parts| parts.concat());
    prop_oneof![4 => near, 1 => any::<String>()]
}
