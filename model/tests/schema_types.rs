//! Schemas of types without marks.

mod definitions;

use definitions::{
    field, foo, foo_with, int32, list, map, marked, messages, newtype, object, option, optional,
    problem_of, problem_with, reference, schema_of, schema_with, shaped, spec, structure,
};
use kb_model::api::{Field, Shape, Type, Variant, VariantContent};
use serde_json::{Value, json};

fn integer(bits: u8, signed: bool) -> Type {
    Type::Integer { bits, signed }
}

#[test]
fn scalars_have_their_json_types() {
    for (ty, schema) in [
        (Type::Bool, json!({ "type": "boolean" })),
        (Type::String, json!({ "type": "string" })),
        (
            Type::Any,
            json!({ "x-kubernetes-preserve-unknown-fields": true }),
        ),
        (
            integer(32, true),
            json!({ "type": "integer", "format": "int32" }),
        ),
        (
            integer(64, true),
            json!({ "type": "integer", "format": "int64" }),
        ),
        (
            integer(64, false),
            json!({ "type": "integer", "format": "int64", "minimum": 0 }),
        ),
        (
            integer(32, false),
            json!({ "type": "integer", "format": "int64", "minimum": 0, "maximum": 4_294_967_295_u32 }),
        ),
        (
            integer(8, true),
            json!({ "type": "integer", "minimum": -128, "maximum": 127 }),
        ),
        (
            integer(16, true),
            json!({ "type": "integer", "minimum": -32768, "maximum": 32767 }),
        ),
        (
            integer(8, false),
            json!({ "type": "integer", "minimum": 0, "maximum": 255 }),
        ),
        (
            integer(16, false),
            json!({ "type": "integer", "minimum": 0, "maximum": 65535 }),
        ),
    ] {
        assert_eq!(schema_of(field("it", ty)), schema);
    }
}

#[test]
fn rejects_integers_beyond_json() {
    let problem = problem_of(field("it", integer(128, true)));
    assert_eq!(problem.location.field.as_deref(), Some("it"));
    assert!(problem.message.starts_with("128-bit integers"), "{problem}");
}

#[test]
fn rejects_floats_without_allow_float() {
    let problem = problem_of(field("ratio", list(Type::Float)));
    assert!(
        problem.message.starts_with("`ratio` is a float"),
        "{problem}"
    );
    assert!(
        problem
            .help
            .is_some_and(|help| help.contains("allow_float"))
    );
    let meant = Field {
        allow_float: true,
        ..field("ratio", option(Type::Float))
    };
    assert_eq!(schema_of(meant), json!({ "type": "number" }));
}

#[test]
fn containers_include_the_schema_of_their_elements() {
    let string = || Box::new(Type::String);
    for (ty, schema) in [
        (
            Type::List(string()),
            json!({ "type": "array", "items": { "type": "string" } }),
        ),
        (
            Type::Set(string()),
            json!({ "type": "array", "items": { "type": "string" }, "x-kubernetes-list-type": "set" }),
        ),
        (
            Type::Array(string(), 3),
            json!({ "type": "array", "items": { "type": "string" }, "minItems": 3, "maxItems": 3 }),
        ),
        (
            map(list(Type::Bool)),
            json!({
                "type": "object",
                "additionalProperties": { "type": "array", "items": { "type": "boolean" } },
            }),
        ),
        (
            list(option(Type::String)),
            json!({ "type": "array", "items": { "type": "string", "nullable": true } }),
        ),
        (
            map(option(int32())),
            json!({
                "type": "object",
                "additionalProperties": { "type": "integer", "format": "int32", "nullable": true },
            }),
        ),
    ] {
        assert_eq!(schema_of(field("it", ty)), schema);
    }
}

#[test]
fn a_set_of_objects_is_a_plain_list_because_the_api_server_compares_elements_as_a_whole() {
    let set = Type::Set(Box::new(reference("Part")));
    let part = structure("Part", vec![field("name", Type::String)]);
    let schema = schema_with(field("it", set), vec![part]);
    assert_eq!(schema.get("x-kubernetes-list-type"), None);
    let nullable = Type::Set(Box::new(option(Type::String)));
    let schema = schema_of(field("it", nullable));
    assert_eq!(schema.get("x-kubernetes-list-type"), None);
}

#[test]
fn an_optional_field_is_neither_required_nor_nullable() {
    let schema = spec(foo(vec![
        field("a", option(Type::String)),
        optional(field("b", Type::String)),
        field("c", Type::String),
        Field {
            presence: kb_model::api::Presence::Required,
            ..field("d", option(Type::String))
        },
    ]));
    assert_eq!(schema["required"], json!(["c", "d"]));
    for name in ["a", "b", "c", "d"] {
        assert_eq!(schema["properties"][name], json!({ "type": "string" }));
    }
}

#[test]
fn a_struct_without_fields_has_no_properties() {
    assert_eq!(spec(foo(Vec::new())), json!({ "type": "object" }));
}

#[test]
fn required_names_are_sorted() {
    let schema = spec(foo(vec![
        field("zebra", Type::String),
        field("ant", Type::String),
    ]));
    assert_eq!(schema["required"], json!(["ant", "zebra"]));
}

#[test]
fn inlines_references_and_prefers_the_docs_of_the_field() {
    let mut part = structure("Part", vec![field("name", Type::String)]);
    part.docs = "A part.".into();
    let documented = Field {
        docs: "The first part.".to_owned(),
        ..field("first", reference("Part"))
    };
    let schema = spec(foo_with(
        vec![
            documented,
            field("second", reference("Part")),
            field("rest", list(reference("Part"))),
        ],
        vec![part],
    ));
    let mut expected = object(&json!({ "name": { "type": "string" } }));
    expected["description"] = "The first part.".into();
    assert_eq!(schema["properties"]["first"], expected);
    expected["description"] = "A part.".into();
    assert_eq!(schema["properties"]["second"], expected);
    assert_eq!(schema["properties"]["rest"]["items"], expected);
}

#[test]
fn a_unit_enum_is_a_string_with_ordered_values() {
    let color = shaped(
        "Color",
        Shape::Choice(vec!["Red".to_owned(), "Green".to_owned()]),
    );
    assert_eq!(
        schema_with(field("color", reference("Color")), vec![color]),
        json!({ "type": "string", "enum": ["Red", "Green"] })
    );
}

fn source() -> kb_model::api::TypeDef<Type> {
    shaped(
        "Source",
        Shape::Union(vec![
            Variant {
                name: "git".to_owned(),
                docs: "A repository.".to_owned(),
                content: VariantContent::Struct(vec![field("url", Type::String)]),
            },
            Variant {
                name: "inline".to_owned(),
                docs: String::new(),
                content: VariantContent::Newtype(Box::new(field("", Type::String))),
            },
        ]),
    )
}

#[test]
fn an_enum_with_data_is_an_object_with_exactly_one_of_its_properties() {
    let schema = schema_with(field("source", reference("Source")), vec![source()]);
    let mut git = object(&json!({ "url": { "type": "string" } }));
    git["description"] = "A repository.".into();
    assert_eq!(
        schema,
        json!({
            "type": "object",
            "properties": { "git": git, "inline": { "type": "string" } },
            "oneOf": [{ "required": ["git"] }, { "required": ["inline"] }],
        })
    );
}

#[test]
fn an_option_inside_a_newtype_is_nullable_because_it_cannot_be_absent() {
    let inner = newtype("Inner", field("", option(Type::String)));
    let schema = spec(foo_with(vec![field("it", reference("Inner"))], vec![inner]));
    let nullable = json!({ "it": { "type": "string", "nullable": true } });
    assert_eq!(schema, object(&nullable));
}

#[test]
fn rejects_recursive_types_with_their_cycle() {
    let node = structure("Node", vec![field("children", list(reference("Node")))]);
    let problem = problem_with(field("tree", reference("Node")), vec![node]);
    assert_eq!(
        problem.message,
        "recursive type `Node` (Spec -> Node -> Node): schemas of CRDs cannot be recursive"
    );
    assert_eq!(problem.location.field.as_deref(), Some("children"));
    assert_eq!(problem.location.path, ".spec.tree.children[]");
    let help = problem.help.expect("help");
    assert!(
        help.contains("#[kb(schemaless, preserve_unknown_fields)]"),
        "{help}"
    );
}

#[test]
fn a_schemaless_field_requires_preserve_unknown_fields() {
    let schemaless = |marks: Value| Field {
        ty: None,
        ..marked("it", Type::Bool, marks)
    };
    assert_eq!(
        schema_of(schemaless(json!({ "preserve_unknown_fields": true }))),
        json!({ "x-kubernetes-preserve-unknown-fields": true })
    );
    let problem = problem_of(schemaless(json!({})));
    assert_eq!(
        problem.message,
        "`it` has no type, which the API server requires"
    );
}

#[test]
fn rejects_duplicate_field_names() {
    let messages = messages(foo(vec![field("a", Type::Bool), field("a", Type::String)]));
    assert_eq!(messages, ["duplicate JSON name `a`"]);
}

#[test]
fn rejects_unknown_types() {
    let problem = problem_of(field("it", reference("Gone")));
    assert_eq!(problem.message, "unknown type `Gone`");
}

#[test]
fn keeps_raw_schemas_verbatim() {
    let raw = json!({ "type": "string", "maxLength": 3 });
    assert_eq!(schema_of(field("it", Type::Raw(raw.clone()))), raw);
    for (raw, message) in [
        (
            json!({ "$ref": "#/x" }),
            "schemas of CRDs do not support `$ref`",
        ),
        (
            json!({ "type": "object", "properties": { "a": { "type": ["string", "null"] } } }),
            "expected a string as `type`, found `[\"string\",\"null\"]`",
        ),
        (
            json!({ "type": "integer", "exclusiveMinimum": 3 }),
            "expected `true` or `false` as `exclusiveMinimum`, found `3`",
        ),
        (json!(true), "expected an object as schema, found `true`"),
    ] {
        let problem = problem_of(field("it", Type::Raw(raw)));
        assert_eq!(problem.message, message);
        assert_eq!(problem.location.mark.as_deref(), Some("json_schema"));
    }
}
