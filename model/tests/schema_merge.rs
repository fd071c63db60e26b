//! Merges marks of a field into those of its type, like controller-gen.

mod definitions;

use definitions::{
    field, foo_with, int32, list, marked, marked_type, newtype, option, problem_with, reference,
    schema_with, shaped, spec, structure,
};
use kb_model::api::{Field, Shape, Type, TypeDef};
use serde_json::{Value, json};

/// Returns the schema of a field of the newtype `Inner`, both with marks.
fn merged(inner: Type, type_marks: Value, field_marks: Value) -> Value {
    let inner = marked_type(newtype("Inner", field("", inner)), type_marks);
    schema_with(marked("it", reference("Inner"), field_marks), vec![inner])
}

#[test]
fn keeps_marks_of_type_or_field_alone() {
    assert_eq!(
        merged(
            int32(),
            json!({ "minimum": 1 }),
            json!({ "maximum": 3, "multiple_of": 2 })
        ),
        json!({ "type": "integer", "format": "int32", "minimum": 1, "maximum": 3, "multipleOf": 2 })
    );
}

#[test]
fn combines_bounds_of_type_and_field_even_if_equal() {
    assert_eq!(
        merged(
            Type::String,
            json!({ "min_length": 1, "max_length": 9 }),
            json!({ "min_length": 2, "max_length": 9 })
        ),
        json!({
            "type": "string",
            "allOf": [{ "minLength": 1, "maxLength": 9 }, { "minLength": 2, "maxLength": 9 }],
        })
    );
}

#[test]
fn keeps_exclusive_with_its_bound() {
    assert_eq!(
        merged(
            int32(),
            json!({ "minimum": 1, "exclusive_minimum": true }),
            json!({ "minimum": 5 })
        ),
        json!({
            "type": "integer",
            "format": "int32",
            "allOf": [{ "minimum": 1, "exclusiveMinimum": true }, { "minimum": 5 }],
        })
    );
    assert_eq!(
        merged(
            int32(),
            json!({ "maximum": 9 }),
            json!({ "maximum": 5, "exclusive_maximum": true })
        )["allOf"],
        json!([{ "maximum": 9 }, { "maximum": 5, "exclusiveMaximum": true }])
    );
}

#[test]
fn writes_equal_patterns_and_property_counts_once() {
    assert_eq!(
        merged(
            Type::String,
            json!({ "pattern": "a", "format": "uri" }),
            json!({ "pattern": "a", "format": "uri" })
        ),
        json!({ "type": "string", "pattern": "a", "format": "uri" })
    );
    assert_eq!(
        merged(
            Type::String,
            json!({ "pattern": "a" }),
            json!({ "pattern": "b" })
        ),
        json!({ "type": "string", "allOf": [{ "pattern": "a" }, { "pattern": "b" }] })
    );
    let part = marked_type(
        structure("Part", Vec::new()),
        json!({ "min_properties": 1, "max_properties": 2 }),
    );
    let marks = json!({ "min_properties": 1, "max_properties": 3 });
    assert_eq!(
        schema_with(marked("it", reference("Part"), marks), vec![part]),
        json!({
            "type": "object",
            "minProperties": 1,
            "allOf": [{ "maxProperties": 2 }, { "maxProperties": 3 }],
        })
    );
}

#[test]
fn merges_a_third_layer_beside_the_first_two() {
    let inner = marked_type(
        newtype("Inner", field("", Type::String)),
        json!({ "min_length": 1 }),
    );
    let middle = marked_type(
        newtype("Middle", field("", reference("Inner"))),
        json!({ "min_length": 2 }),
    );
    assert_eq!(
        schema_with(
            marked("it", reference("Middle"), json!({ "min_length": 3 })),
            vec![inner, middle]
        ),
        json!({
            "type": "string",
            "minLength": 3,
            "allOf": [{ "minLength": 1 }, { "minLength": 2 }],
        })
    );
}

#[test]
fn documentation_of_the_field_overrides_that_of_the_type() {
    let docs = |url: &str| json!({ "url": url });
    let marks = |word: &str| json!({ "title": word, "example": word, "external_docs": docs(word) });
    let mut inner = marked_type(newtype("Inner", field("", Type::String)), marks("type"));
    inner.docs = "Of the type.".into();
    let expected = |title: &str, description: &str| {
        json!({
            "type": "string",
            "title": title,
            "example": title,
            "externalDocs": { "url": title },
            "description": description,
        })
    };
    let full = Field {
        docs: "Of the field.".to_owned(),
        ..marked("it", reference("Inner"), marks("field"))
    };
    assert_eq!(
        schema_with(full, vec![inner.clone()]),
        expected("field", "Of the field.")
    );
    let plain = field("it", reference("Inner"));
    assert_eq!(
        schema_with(plain, vec![inner]),
        expected("type", "Of the type.")
    );
}

#[test]
fn list_type_and_map_type_of_the_field_override_those_of_the_type() {
    let strings = list(Type::String);
    let schema = merged(
        strings,
        json!({ "list_type": "set" }),
        json!({ "list_type": "atomic" }),
    );
    assert_eq!(schema["x-kubernetes-list-type"], "atomic");
    let part = marked_type(
        structure("Part", Vec::new()),
        json!({ "map_type": "atomic" }),
    );
    let granular = marked("it", reference("Part"), json!({ "map_type": "granular" }));
    let schema = schema_with(granular, vec![part]);
    assert_eq!(schema["x-kubernetes-map-type"], "granular");
}

#[test]
fn rules_of_the_field_precede_rules_of_the_type() {
    let rule = |text: &str| json!({ "rules": [{ "rule": text }] });
    let schema = merged(Type::String, rule("type"), rule("field"));
    assert_eq!(
        schema["x-kubernetes-validations"],
        json!([{ "rule": "field" }, { "rule": "type" }])
    );
}

fn color() -> TypeDef<Type> {
    shaped(
        "Color",
        Shape::Choice(vec!["Red".to_owned(), "Green".to_owned()]),
    )
}

#[test]
fn enum_values_of_a_field_must_match_its_type() {
    let same = marked(
        "it",
        reference("Color"),
        json!({ "enum": ["Green", "Red"] }),
    );
    assert_eq!(
        schema_with(same, vec![color()]),
        json!({ "type": "string", "enum": ["Red", "Green"] })
    );
    let fewer = marked("it", reference("Color"), json!({ "enum": ["Red"] }));
    let problem = problem_with(fewer, vec![color()]);
    assert_eq!(
        problem.message,
        "`enum` on `it` conflicts with the values of its type, [\"Red\",\"Green\"]"
    );
}

#[test]
fn merges_item_marks_into_the_element_type() {
    let name = marked_type(
        newtype("Name", field("", Type::String)),
        json!({ "max_length": 9 }),
    );
    let marks = json!({ "items": { "max_length": 5, "min_length": 1 } });
    assert_eq!(
        schema_with(marked("it", list(reference("Name")), marks), vec![name]),
        json!({
            "type": "array",
            "items": {
                "type": "string",
                "minLength": 1,
                "allOf": [{ "maxLength": 9 }, { "maxLength": 5 }],
            },
        })
    );
}

#[test]
fn merges_marks_into_kubernetes_types() {
    let quantity = "io.k8s.apimachinery.pkg.api.resource.Quantity";
    let plain = schema_with(field("it", Type::Core(quantity.to_owned())), Vec::new());
    let pattern = plain["pattern"].clone();
    assert!(pattern.is_string(), "{plain}");
    let marked = marked(
        "it",
        option(Type::Core(quantity.to_owned())),
        json!({ "pattern": "^1", "max_length": 4 }),
    );
    assert_eq!(
        schema_with(marked, Vec::new()),
        json!({
            "anyOf": [{ "type": "integer" }, { "type": "string" }],
            "x-kubernetes-int-or-string": true,
            "maxLength": 4,
            "allOf": [{ "pattern": pattern }, { "pattern": "^1" }],
        })
    );
}

#[test]
fn marks_of_a_field_do_not_affect_other_uses_of_its_type() {
    let name = marked_type(
        newtype("Name", field("", Type::String)),
        json!({ "max_length": 9 }),
    );
    let schema = spec(foo_with(
        vec![
            marked("a", reference("Name"), json!({ "min_length": 1 })),
            field("b", reference("Name")),
        ],
        vec![name],
    ));
    assert_eq!(
        schema["properties"]["b"],
        json!({ "type": "string", "maxLength": 9 })
    );
}
