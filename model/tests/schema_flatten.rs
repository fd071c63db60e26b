//! Flattened fields.

mod definitions;

use definitions::{
    field, foo_with, int32, map, marked, marked_type, messages, option, reference, shaped, spec,
    structure,
};
use kb_model::api::{Default, Field, Shape, Type, TypeDef, Variant, VariantContent};
use serde_json::json;

fn flattened(ty: Type) -> Field<Type> {
    Field {
        flatten: true,
        ..field("", ty)
    }
}

fn part() -> TypeDef<Type> {
    let mut part = structure(
        "Part",
        vec![field("b", Type::String), field("c", option(int32()))],
    );
    part.docs = "Of the part.".into();
    part
}

fn source() -> TypeDef<Type> {
    let variant = |name: &str| Variant {
        name: name.to_owned(),
        docs: String::new(),
        content: VariantContent::Newtype(Box::new(field("", Type::String))),
    };
    shaped("Source", Shape::Union(vec![variant("x"), variant("y")]))
}

#[test]
fn moves_properties_and_required_names_to_the_parent() {
    let fields = vec![field("a", Type::Bool), flattened(reference("Part"))];
    assert_eq!(
        spec(foo_with(fields, vec![part()])),
        json!({
            "type": "object",
            "properties": {
                "a": { "type": "boolean" },
                "b": { "type": "string" },
                "c": { "type": "integer", "format": "int32" },
            },
            "required": ["a", "b"],
        })
    );
}

#[test]
fn requires_nothing_of_an_optional_struct() {
    let fields = vec![field("a", Type::Bool), flattened(option(reference("Part")))];
    let schema = spec(foo_with(fields, vec![part()]));
    assert_eq!(schema["required"], json!(["a"]));
    assert_eq!(schema["properties"]["b"], json!({ "type": "string" }));
}

#[test]
fn a_map_or_any_value_keeps_unknown_fields() {
    for ty in [map(Type::String), Type::Any, option(map(Type::Any))] {
        let fields = vec![field("a", Type::Bool), flattened(ty)];
        assert_eq!(
            spec(foo_with(fields, Vec::new())),
            json!({
                "type": "object",
                "properties": { "a": { "type": "boolean" } },
                "required": ["a"],
                "x-kubernetes-preserve-unknown-fields": true,
            })
        );
    }
}

#[test]
fn appends_rules_to_those_of_the_parent() {
    let rule = |text: &str| json!({ "rules": [{ "rule": text }] });
    let part = marked_type(part(), rule("has(self.b)"));
    let other = marked_type(
        structure("Other", vec![field("d", Type::Bool)]),
        rule("has(self.d)"),
    );
    let first = Field {
        flatten: true,
        ..marked("", reference("Part"), rule("has(self.c)"))
    };
    let fields = vec![first, flattened(reference("Other"))];
    let mut definition = foo_with(fields, vec![part, other]);
    let id = kb_model::api::TypeId::new("Spec");
    let own = definition.types.get_mut(&id).expect("spec");
    own.marks = definitions::marks(rule("true"));
    assert_eq!(
        spec(definition)["x-kubernetes-validations"],
        json!([
            { "rule": "true" },
            { "rule": "has(self.d)" },
            { "rule": "has(self.c)" },
            { "rule": "has(self.b)" },
        ])
    );
}

#[test]
fn an_enum_requires_exactly_one_variant_and_an_optional_enum_at_most_one() {
    let x = json!({ "required": ["x"] });
    let y = json!({ "required": ["y"] });
    let schema = spec(foo_with(
        vec![flattened(reference("Source"))],
        vec![source()],
    ));
    assert_eq!(schema["oneOf"], json!([x, y]));
    let schema = spec(foo_with(
        vec![flattened(option(reference("Source")))],
        vec![source()],
    ));
    assert_eq!(
        schema["oneOf"],
        json!([x, y, { "not": { "anyOf": [x, y] } }])
    );
}

#[test]
fn columns_of_flattened_fields_have_the_path_of_the_parent() {
    let column = Field {
        columns: vec![kb_model::api::Column::default()],
        ..field("size", int32())
    };
    let part = structure("Part", vec![column]);
    let definition = foo_with(vec![flattened(reference("Part"))], vec![part]);
    assert_eq!(
        definitions::version(definition)["additionalPrinterColumns"],
        json!([{ "name": "Size", "type": "integer", "jsonPath": ".spec.size" }])
    );
}

#[test]
fn rejects_types_that_cannot_be_flattened() {
    let twice = vec![field("b", Type::Bool), flattened(reference("Part"))];
    assert_eq!(
        messages(foo_with(twice, vec![part()])),
        ["duplicate JSON name `b`"]
    );
    let text = vec![flattened(Type::String)];
    assert_eq!(
        messages(foo_with(text, Vec::new())),
        ["`flatten` requires an object or a map, but this field is a string"]
    );
    let with_default = Field {
        default: Some(Default::Value(json!({ "b": "x" }))),
        ..flattened(reference("Part"))
    };
    assert_eq!(
        messages(foo_with(vec![with_default], vec![part()])),
        ["`default` requires a property, but this field is flattened"]
    );
    let immutable = Field {
        immutable: true,
        ..flattened(reference("Part"))
    };
    assert_eq!(
        messages(foo_with(vec![immutable], vec![part()])),
        ["`immutable` requires a property, but this field is flattened"]
    );
}
