//! Valid uses of markers, and the resulting model.

mod support;

use kb_model::api::{Column, Presence, ScalePart, Shape};
use serde_json::json;
use support::{columns, field, fields, json, marks, object, parse};

#[test]
fn reads_every_marker_of_a_field() {
    for [markers, ty, expected] in columns(include_str!("data/marks.tsv")) {
        let found = json(&marks(markers, ty));
        assert_eq!(found, parse(expected), "{markers}");
    }
}

#[test]
fn reads_markers_of_the_field_itself() {
    assert!(field("immutable", "String").immutable);
    assert!(field("selectable", "String").selectable);
    assert!(field("allow_float", "f32").allow_float);
    assert_eq!(
        field("required", "Option<i32>").presence,
        Presence::Required
    );
    assert_eq!(field("optional", "i32").presence, Presence::Optional);
    assert_eq!(field("optional = false", "i32").presence, Presence::ByType);
    assert_eq!(
        field("scale(replicas)", "i32").scale,
        Some(ScalePart::Replicas)
    );
    assert_eq!(
        field("scale(selector)", "Option<String>").scale,
        Some(ScalePart::Selector)
    );
    assert_eq!(field("schemaless", "Thing").ty, None);
    assert_eq!(field("schemaless, int_or_string", "Thing").ty, None);
    assert_eq!(field("default = 1", "i32").presence, Presence::ByType);
}

#[test]
fn column_arguments_are_optional() {
    assert_eq!(field("column", "i32").columns, [Column::default()]);
    let markers =
        r#"column(name = "Ready", description = "d", format = "int32", priority = 1), column"#;
    let full = Column {
        name: Some("Ready".to_owned()),
        description: Some("d".to_owned()),
        format: Some("int32".to_owned()),
        priority: Some(1),
    };
    assert_eq!(field(markers, "i32").columns, [full, Column::default()]);
}

#[test]
fn merges_several_attributes() {
    let fields = fields("struct Foo { #[kb(minimum = 1)] #[kb(maximum = 2,)] x: i32 }");
    let marks = json(&fields[0].marks);
    assert_eq!(marks, json!({"minimum": 1, "maximum": 2}));
}

#[test]
fn ignores_the_type_of_fields_with_a_declared_schema() {
    let object = object(
        r#"struct Foo {
            #[kb(schemaless)] a: (i32, Thing),
            #[kb(schema_type = "string")] #[serde(with = "hex")] b: Vec<u8>,
            #[kb(int_or_string)] c: Port,
            #[kb(json_schema)] d: Foreign,
            e: Foreign,
        }"#,
    );
    let Shape::Struct(fields) = &object.def.shape else {
        panic!("{:?}", object.def.shape)
    };
    let types: Vec<_> = fields.iter().map(|field| field.ty).collect();
    assert_eq!(types, [None, None, Some(0), Some(1), Some(2)]);
    assert_eq!((object.types.len(), object.json_schema), (3, vec![1]));
}

#[test]
fn reads_markers_of_types_and_newtype_contents() {
    let object =
        object(r#"#[kb(min_length = 1, title = "t")] struct Name(#[kb(pattern = "a")] String);"#);
    let marks = json(&object.def.marks);
    assert_eq!(marks, json!({"min_length": 1, "title": "t"}));
    let Shape::Newtype(content) = object.def.shape else {
        panic!("{:?}", object.def.shape)
    };
    assert_eq!(content.marks.pattern.as_deref(), Some("a"));
}

#[test]
fn one_of_accepts_rust_and_json_names() {
    let object = object(
        r#"#[kb(at_most_one_of(my_a, "myB"), exactly_one_of(r#type, c), at_least_one_of("c", "other"))]
        struct Foo {
            my_a: Option<i32>,
            my_b: Alias,
            #[serde(rename = "kind")] r#type: Option<i32>,
            #[kb(optional)] c: i32,
            #[serde(flatten)] rest: Rest,
        }"#,
    );
    let rules = json(&object.def.marks.one_of);
    let expected = json!([
        {"kind": "atMostOne", "fields": ["myA", "myB"]},
        {"kind": "exactlyOne", "fields": ["kind", "c"]},
        {"kind": "atLeastOne", "fields": ["c", "other"]},
    ]);
    assert_eq!(rules, expected);
}

#[test]
fn records_the_spans_of_markers() {
    let union = object("enum Foo { BarBaz(#[kb(minimum = 1)] i32) }");
    let variant = &union.spans.fields[0];
    assert_eq!((variant.name.as_str(), variant.marks.len()), ("barBaz", 1));
    assert_eq!(variant.ty.source_text().as_deref(), Some("i32"));
    let object = object("#[kb(cel(\"a\"))] struct Foo { #[kb(minimum = 1, column)] my_x: i32 }");
    let names = |marks: &[(String, proc_macro2::Span)]| -> Vec<String> {
        let texts = marks.iter().map(|(_, span)| span.source_text());
        texts.flatten().collect()
    };
    assert_eq!(names(&object.spans.marks), ["cel"]);
    let field = &object.spans.fields[0];
    assert_eq!(field.name, "myX");
    assert_eq!(names(&field.marks), ["minimum", "column"]);
    assert_eq!(field.field.source_text().as_deref(), Some("my_x"));
    assert_eq!(field.ty.source_text().as_deref(), Some("i32"));
}

#[test]
fn int_or_string_replaces_the_type() {
    for ty in ["Thing", "IntOrString", "Option<Thing>"] {
        let object = object(&format!("struct Foo {{ #[kb(int_or_string)] x: {ty} }}"));
        let found = &object.types[..];
        let expected = "::kb::k8s_openapi::apimachinery::pkg::util::intstr::IntOrString";
        assert_eq!(found, [syn::parse_str::<syn::Type>(expected).unwrap()]);
        let Shape::Struct(fields) = &object.def.shape else {
            panic!("{:?}", object.def.shape);
        };
        let is_optional = fields[0].presence == Presence::Optional;
        assert_eq!(is_optional, ty.starts_with("Option"), "{ty}");
    }
}
