//! serde attributes: the user's, and those added by kb.

mod support;

use kb_model::api::{Presence, Shape};
use support::{fields, item_text, object};

/// Returns the JSON names of the fields of a struct.
fn names(source: &str) -> Vec<String> {
    fields(source).into_iter().map(|field| field.name).collect()
}

#[test]
fn uses_camel_case_unless_renamed() {
    let rows = [
        (
            "struct Foo { ready_replicas: i32, r#type: i32 }",
            ["readyReplicas", "type"],
        ),
        (
            "struct Foo { #[serde(rename = \"X-y\")] a_b: i32, c_d: i32 }",
            ["X-y", "cD"],
        ),
        (
            "#[serde(rename_all = \"kebab-case\")] struct Foo { a_b: i32, c: i32 }",
            ["a-b", "c"],
        ),
        (
            "#[serde(rename_all(serialize = \"snake_case\", deserialize = \"snake_case\"))] struct Foo { a_b: i32, c: i32 }",
            ["a_b", "c"],
        ),
        (
            "struct Foo { #[serde(alias = \"z\")] a_b: i32, #[serde(skip)] s: Thing, c: i32 }",
            ["aB", "c"],
        ),
    ];
    for (source, expected) in rows {
        assert_eq!(names(source), expected, "{source}");
    }
}

#[test]
fn a_flattened_field_has_no_name() {
    let fields = fields("struct Foo { #[serde(flatten)] #[kb(cel(\"a\"))] rest: Rest }");
    assert_eq!((fields[0].name.as_str(), fields[0].flatten), ("", true));
    assert_eq!(fields[0].marks.rules.len(), 1);
}

#[test]
fn derives_presence_from_type_markers_and_serde() {
    let rows = [
        ("struct Foo { x: i32 }", Presence::ByType),
        ("struct Foo { x: Option<i32> }", Presence::ByType),
        ("struct Foo { x: Alias }", Presence::ByType),
        ("struct Foo { #[kb(optional)] x: i32 }", Presence::Optional),
        (
            "struct Foo { #[kb(required)] x: Option<i32> }",
            Presence::Required,
        ),
        (
            "struct Foo { #[serde(default)] x: i32 }",
            Presence::Optional,
        ),
        (
            "struct Foo { #[serde(default)] #[kb(required)] x: i32 }",
            Presence::Required,
        ),
        (
            "#[serde(default)] struct Foo { x: i32 }",
            Presence::Optional,
        ),
        ("struct Foo { #[kb(default = 1)] x: i32 }", Presence::ByType),
        (
            "struct Foo { #[kb(default = 1, optional)] x: i32 }",
            Presence::Optional,
        ),
        (
            "struct Foo { #[serde(skip_serializing)] x: i32 }",
            Presence::Optional,
        ),
        (
            "struct Foo { #[serde(skip_deserializing)] x: i32 }",
            Presence::Optional,
        ),
        (
            "struct Foo { #[kb(schemaless)] x: Option<i32> }",
            Presence::Optional,
        ),
        ("struct Foo { #[kb(schemaless)] x: i32 }", Presence::ByType),
        (
            "struct Foo { #[kb(json_schema)] x: Option<i32> }",
            Presence::Optional,
        ),
        (
            "struct Foo { #[kb(schema_type = \"string\")] #[serde(with = \"m\")] x: Option<i32> }",
            Presence::Optional,
        ),
    ];
    for (source, expected) in rows {
        assert_eq!(fields(source)[0].presence, expected, "{source}");
    }
}

#[test]
fn skips_absent_fields() {
    const IS_NONE: &str = r#"# [serde (skip_serializing_if = "::core::option::Option::is_none")]"#;
    const IS_ABSENT: &str = r#"# [serde (skip_serializing_if = "::kb::Schema::is_absent")]"#;
    const IS_DEFAULT: &str = r#"# [serde (skip_serializing_if = "::kb::__private::is_default")]"#;
    const DEFAULT: &str = "# [serde (default)]";
    let rows = [
        ("x: i32", "x : i32".to_owned()),
        ("x: Vec<String>", "x : Vec < String >".to_owned()),
        ("x: Option<i32>", format!("{IS_NONE} x : Option < i32 >")),
        (
            "x: std::option::Option<i32>",
            format!("{IS_NONE} x : std :: option :: Option < i32 >"),
        ),
        ("x: Alias", format!("{IS_ABSENT} x : Alias")),
        (
            "x: Box<Option<i32>>",
            format!("{IS_ABSENT} x : Box < Option < i32 > >"),
        ),
        (
            "#[kb(optional)] x: i32",
            format!("{DEFAULT} {IS_DEFAULT} x : i32"),
        ),
        (
            "#[kb(optional)] x: Option<i32>",
            format!("{IS_NONE} x : Option < i32 >"),
        ),
        (
            "#[kb(optional, default = 1)] x: i32",
            r#"# [serde (default = "Foo::__kb_default_x")] x : i32"#.to_owned(),
        ),
        (
            "#[kb(required)] x: Option<i32>",
            "x : Option < i32 >".to_owned(),
        ),
        ("#[kb(required)] x: Alias", "x : Alias".to_owned()),
        ("#[kb(schemaless)] x: Alias", "x : Alias".to_owned()),
        ("#[kb(json_schema)] x: Alias", "x : Alias".to_owned()),
    ];
    for (field, expected) in rows {
        let text = item_text(&format!("struct Foo {{ {field} }}"));
        let expected =
            format!(r#"# [serde (rename_all = "camelCase")] struct Foo {{ {expected} }}"#);
        assert_eq!(text, expected, "{field}");
    }
}

#[test]
fn keeps_attributes_of_the_user() {
    let rows = [
        (
            "struct Foo { #[serde(skip_serializing_if = \"f\")] x: Option<i32> }",
            r#"# [serde (rename_all = "camelCase")] struct Foo { # [serde (skip_serializing_if = "f")] x : Option < i32 > }"#,
        ),
        (
            "struct Foo { #[serde(default = \"f\")] #[kb(optional)] x: i32 }",
            r#"# [serde (rename_all = "camelCase")] struct Foo { # [serde (default = "f")] x : i32 }"#,
        ),
        (
            "#[serde(rename_all = \"kebab-case\")] struct Foo { #[serde(skip)] x: Alias, #[serde(flatten)] y: Alias }",
            r#"# [serde (rename_all = "kebab-case")] struct Foo { # [serde (skip)] x : Alias , # [serde (flatten)] y : Alias }"#,
        ),
        (
            "struct Foo { #[kb(schema_type = \"string\")] #[serde(with = \"m\")] x: Option<i32> }",
            r#"# [serde (rename_all = "camelCase")] struct Foo { # [serde (with = "m")] # [serde (default)] # [serde (skip_serializing_if = "::core::option::Option::is_none")] x : Option < i32 > }"#,
        ),
        (
            "#[serde(transparent)] struct Foo { x: Option<i32> }",
            "# [serde (transparent)] struct Foo { x : Option < i32 > }",
        ),
        (
            "#[derive(Eq)] struct Foo(Option<i32>);",
            "# [derive (Eq)] struct Foo (Option < i32 >) ;",
        ),
        ("enum Foo { A, B }", "enum Foo { A , B }"),
        (
            "enum Foo { A(i32), B {} }",
            r#"# [serde (rename_all = "camelCase")] # [serde (rename_all_fields = "camelCase")] enum Foo { A (i32) , B { } }"#,
        ),
        (
            "#[serde(rename_all = \"PascalCase\")] enum Foo { A(i32) }",
            r#"# [serde (rename_all = "PascalCase")] # [serde (rename_all_fields = "camelCase")] enum Foo { A (i32) }"#,
        ),
    ];
    for (source, expected) in rows {
        assert_eq!(item_text(source), expected, "{source}");
    }
}

#[test]
fn adds_bounds_for_is_absent() {
    let text = item_text("struct Foo<T> { x: T }");
    assert!(
        text.contains(
            r#"(bound (serialize = "T: ::kb::__private::serde::Serialize + ::kb::Schema"))"#
        ),
        "{text}"
    );
    for source in [
        "struct Foo<T> { x: Vec<T> }",
        "struct Foo<T> { x: Option<T>, y: Alias }",
    ] {
        assert!(!item_text(source).contains("bound"), "{source}");
    }
    let own = item_text("#[serde(bound = \"T: Mine\")] struct Foo<T> { x: T }");
    assert_eq!(own.matches("bound").count(), 1, "{own}");
}

#[test]
fn removes_all_markers_from_the_item() {
    let text = item_text(
        "/// Docs.\n#[kb(title = \"t\")] struct Foo { /// Field.\n #[kb(minimum = 1)] x: i32, #[kb(items(minimum = 1))] y: Vec<i32> }",
    );
    assert!(!text.contains("kb"), "{text}");
    assert!(
        text.contains("\" Docs.\"") && text.contains("\" Field.\""),
        "{text}"
    );
}

#[test]
fn variants_can_override_renaming() {
    let object = object(
        "enum Foo { #[serde(rename = \"X\")] A(i32), #[serde(rename_all = \"kebab-case\")] BarBaz { my_a: i32 }, C { my_a: i32 } }",
    );
    let text = serde_json::to_string(&object.def.shape).unwrap();
    for part in [
        r#""name":"X""#,
        r#""name":"barBaz""#,
        r#""name":"my-a""#,
        r#""name":"c""#,
        r#""name":"myA""#,
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let Shape::Union(variants) = object.def.shape else {
        panic!()
    };
    assert_eq!(variants.len(), 3);
}
