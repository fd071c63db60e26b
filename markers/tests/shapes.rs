//! Shapes of structs, newtypes and enums, and types without schema.

mod support;

use kb_model::api::{Shape, VariantContent};
use support::object;

fn shape(source: &str) -> Shape<usize> {
    object(source).def.shape
}

#[test]
fn reads_structs() {
    let object = object("struct Foo { a: i32, b: Option<String>, c: i32 }");
    assert_eq!(object.def.name, "Foo");
    let Shape::Struct(fields) = object.def.shape else {
        panic!()
    };
    let types: Vec<_> = fields.iter().map(|field| field.ty).collect();
    assert_eq!(types, [Some(0), Some(1), Some(0)], "each type once");
    assert_eq!(object.types.len(), 2);
    assert_eq!(shape("struct Foo {}"), Shape::Struct(Vec::new()));
}

#[test]
fn reads_newtypes() {
    for source in [
        "struct Name(String);",
        "#[serde(transparent)] struct Name(String);",
        "#[serde(transparent)] struct Name { inner: String }",
        "#[serde(transparent)] struct Name { inner: String, #[serde(skip)] x: Thing }",
    ] {
        let Shape::Newtype(content) = shape(source) else {
            panic!("{source}")
        };
        assert_eq!(
            (content.name.as_str(), content.ty),
            ("", Some(0)),
            "{source}"
        );
    }
}

#[test]
fn reads_unit_enums_in_order() {
    for (source, expected) in [
        ("enum Phase { Running, Failed }", ["Running", "Failed"]),
        (
            "#[serde(rename_all = \"lowercase\")] enum Phase { Running, Failed }",
            ["running", "failed"],
        ),
        (
            "enum Phase { #[serde(rename = \"go\")] Running, #[serde(skip)] Gone, Failed }",
            ["go", "Failed"],
        ),
        (
            "enum Phase { Running, #[serde(other)] Unknown }",
            ["Running", "Unknown"],
        ),
    ] {
        assert_eq!(
            shape(source),
            Shape::Choice(expected.map(str::to_owned).to_vec()),
            "{source}"
        );
    }
}

#[test]
fn reads_enums_with_data_as_unions() {
    let source =
        "enum Source { /// From a map.\n ConfigMap(Ref), Inline { the_text: String }, Empty {} }";
    let Shape::Union(variants) = shape(source) else {
        panic!()
    };
    let names: Vec<&str> = variants
        .iter()
        .map(|variant| variant.name.as_str())
        .collect();
    assert_eq!(names, ["configMap", "inline", "empty"]);
    assert_eq!(variants[0].docs, "From a map.");
    assert!(matches!(&variants[0].content, VariantContent::Newtype(field) if field.ty == Some(0)));
    assert!(
        matches!(&variants[1].content, VariantContent::Struct(fields) if fields[0].name == "theText")
    );
    assert_eq!(variants[2].content, VariantContent::Struct(Vec::new()));
}

#[test]
fn types_with_a_declared_schema_are_opaque() {
    for source in [
        "#[kb(schema_type = \"string\")] struct Url(Inner);",
        "#[kb(schema_type = \"string\", format = \"uri\")] struct Url { a: (i32, i32) }",
        "#[kb(schema_type = \"string\")] #[serde(try_from = \"String\", into = \"String\")] struct Url(u8, u8);",
        "#[kb(int_or_string)] #[serde(untagged)] enum Port { Number(i32), Name(String) }",
    ] {
        let object = object(source);
        assert_eq!(object.def.shape, Shape::Opaque, "{source}");
        assert_eq!(object.types.len(), 0);
        let text = quote::ToTokens::to_token_stream(&object.item).to_string();
        assert!(!text.contains("rename_all"), "{text}");
    }
}

#[test]
fn keeps_types_as_written() {
    let rows = [
        "bool",
        "u64",
        "String",
        "&'static str",
        "char",
        "Cow<'static, str>",
        "Option<Box<Thing>>",
        "Vec<u8>",
        "[i32; 3]",
        "Box<[String]>",
        "BTreeSet<String>",
        "HashMap<String, Vec<Thing>>",
        "BTreeMap<Name, String>",
        "serde_json::Value",
        "k8s_openapi::api::core::v1::PodTemplateSpec",
        "super::Thing<i32>",
        "::std::vec::Vec<String>",
        "T",
        "my_type!()",
        "std::net::IpAddr",
        "Duration",
        "<T as Trait>::Out",
    ];
    for ty in rows {
        let object = object(&format!("struct Foo<T> {{ x: {ty} }}"));
        assert_eq!(object.types, [syn::parse_str(ty).unwrap()], "{ty}");
    }
}

#[test]
fn default_false_disables_the_implementation() {
    assert!(object("#[kb::object] struct Foo {}").default);
    assert!(!object("#[kb::object(default = false)] struct Foo {}").default);
}
