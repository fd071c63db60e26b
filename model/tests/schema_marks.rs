//! Keywords of marks, and types that they do not fit.

mod definitions;

use definitions::{
    field, int32, list, map, marked, marked_type, newtype, option, problem_of, problem_with,
    reference, schema_of, schema_with, shaped, structure,
};
use kb_model::api::{Default, Field, Shape, Type, TypeDef};
use serde_json::{Value, json};

fn part() -> TypeDef<Type> {
    structure("Part", vec![field("name", Type::String)])
}

/// Returns the keywords that marks add to those of the type.
fn added(ty: Type, marks: Value) -> Value {
    let plain = schema_with(field("it", ty.clone()), vec![part()]);
    let mut schema = schema_with(marked("it", ty, marks), vec![part()]);
    let keywords = schema.as_object_mut().expect("schema");
    keywords.retain(|keyword, value| plain.get(keyword) != Some(value));
    schema
}

/// Returns the rows of a table.
fn rows<const N: usize>(table: &str) -> Vec<[&str; N]> {
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    let cells = lines.map(|line| line.split('\t').collect::<Vec<_>>());
    cells
        .map(|cells| cells.try_into().expect("columns"))
        .collect()
}

fn read<T: serde::de::DeserializeOwned>(json: &str) -> T {
    serde_json::from_str(json).expect(json)
}

#[test]
fn every_mark_sets_its_keyword() {
    for [ty, marks, keywords] in rows(include_str!("data/marks.tsv")) {
        assert_eq!(
            added(read(ty), read(marks)),
            read::<Value>(keywords),
            "{marks}"
        );
    }
}

#[test]
fn reports_mismatches_at_the_mark() {
    for [ty, marks, mark, message] in rows(include_str!("data/mismatches.tsv")) {
        let problem = problem_with(marked("it", read(ty), read(marks)), vec![part()]);
        assert_eq!(problem.message, message);
        assert_eq!(problem.location.mark.as_deref(), Some(mark), "{message}");
        assert_eq!(problem.location.field.as_deref(), Some("it"));
        assert_eq!(problem.location.path, ".spec.it");
        assert_eq!(problem.location.kind.as_deref(), Some("Foo (v1)"));
        let type_id = problem.location.type_id.expect("type");
        assert_eq!(type_id.as_str(), "Spec");
    }
}

#[test]
fn reports_mismatches_of_a_type_once() {
    let name = marked_type(
        newtype("Name", field("", Type::String)),
        json!({ "minimum": 1 }),
    );
    let definition = definitions::foo_with(
        vec![field("a", reference("Name")), field("b", reference("Name"))],
        vec![name],
    );
    let problems = definitions::problems(&[definition]);
    assert_eq!(problems.len(), 1, "{problems:#?}");
    let problem = &problems[0];
    assert_eq!(
        problem.message,
        "`minimum` requires a number, but `Name` is a string"
    );
    assert_eq!(problem.location.field, None);
    let type_id = problem.location.type_id.as_ref().expect("type");
    assert_eq!(type_id.as_str(), "Name");
}

#[test]
fn applies_marks_through_options_and_newtypes() {
    let port = newtype(
        "Port",
        field(
            "",
            Type::Integer {
                bits: 16,
                signed: false,
            },
        ),
    );
    assert_eq!(
        schema_with(
            marked("it", option(reference("Port")), json!({ "minimum": 1 })),
            vec![port]
        ),
        json!({ "type": "integer", "minimum": 1, "maximum": 65535 })
    );
}

#[test]
fn writes_integral_bounds_as_integers() {
    let ratio = Field {
        allow_float: true,
        ..marked("it", Type::Float, json!({ "minimum": 1.0, "maximum": 2.5 }))
    };
    let schema = schema_of(ratio);
    assert_eq!(
        schema.to_string(),
        r#"{"maximum":2.5,"minimum":1,"type":"number"}"#
    );
}

#[test]
fn replaces_natural_bounds_also_inside_lists() {
    let ports = list(Type::Integer {
        bits: 16,
        signed: false,
    });
    assert_eq!(
        schema_of(marked("it", ports, json!({ "items": { "minimum": 1 } }))),
        json!({ "type": "array", "items": { "type": "integer", "minimum": 1, "maximum": 65535 } })
    );
}

#[test]
fn int_or_string_applies_to_any_type() {
    let both = json!([{ "type": "integer" }, { "type": "string" }]);
    assert_eq!(
        schema_of(marked(
            "it",
            Type::String,
            json!({ "int_or_string": true, "max_length": 3 })
        )),
        json!({ "anyOf": both, "x-kubernetes-int-or-string": true, "maxLength": 3 })
    );
    let schemaless = Field {
        ty: None,
        ..marked("it", Type::Bool, json!({ "int_or_string": true }))
    };
    assert_eq!(
        schema_of(schemaless),
        json!({ "x-kubernetes-int-or-string": true })
    );
    let problem = problem_of(marked(
        "it",
        Type::String,
        json!({ "int_or_string": true, "minimum": 3 }),
    ));
    assert_eq!(
        problem.message,
        "`minimum` requires a number, but `it` is an integer or a string"
    );
}

#[test]
fn schema_type_replaces_the_rust_type() {
    let text = marked_type(
        shaped("Text", Shape::Opaque),
        json!({ "schema_type": "string", "min_length": 1 }),
    );
    assert_eq!(
        schema_with(field("it", reference("Text")), vec![text]),
        json!({ "type": "string", "minLength": 1 })
    );
    assert_eq!(
        schema_of(marked("it", int32(), json!({ "schema_type": "string" }))),
        json!({ "type": "string" })
    );
    assert_eq!(
        schema_of(marked(
            "it",
            Type::Any,
            json!({ "schema_type": "array", "items": { "schema_type": "string" } })
        )),
        json!({ "type": "array", "items": { "type": "string" } })
    );
    let problem = problem_of(marked("it", Type::Any, json!({ "schema_type": "array" })));
    assert_eq!(
        problem.message,
        "`it` is a list with an unknown element type"
    );
    let opaque = shaped("Text", Shape::Opaque);
    let problem = problem_with(field("it", reference("Text")), vec![opaque]);
    assert_eq!(
        problem.message,
        "`it` has no type, which the API server requires"
    );
}

#[test]
fn embedded_resource_requires_known_or_arbitrary_fields() {
    let flags = json!({ "embedded_resource": true, "preserve_unknown_fields": true, "schema_type": "object" });
    assert_eq!(
        schema_of(marked("it", Type::Any, flags)),
        json!({
            "type": "object",
            "x-kubernetes-embedded-resource": true,
            "x-kubernetes-preserve-unknown-fields": true,
        })
    );
    let problem = problem_of(marked(
        "it",
        Type::Any,
        json!({ "embedded_resource": true }),
    ));
    assert_eq!(
        problem.message,
        "`embedded_resource` on `it` requires an object, but its type is unknown"
    );
    let empty = structure("Empty", Vec::new());
    let problem = problem_with(
        marked(
            "it",
            reference("Empty"),
            json!({ "embedded_resource": true }),
        ),
        vec![empty],
    );
    assert_eq!(
        problem.message,
        "`embedded_resource` on `it` requires properties, but it has none"
    );
}

fn with_default(ty: Type, marks: Value, default: Value) -> Field<Type> {
    Field {
        default: Some(Default::Value(default)),
        ..marked("it", ty, marks)
    }
}

#[test]
fn a_field_with_default_stays_required() {
    let definition = definitions::foo(vec![with_default(int32(), json!({}), json!(3.0))]);
    let schema = definitions::spec(definition);
    assert_eq!(schema["required"], json!(["it"]));
    assert_eq!(schema["properties"]["it"]["default"].to_string(), "3");
}

#[test]
fn rejects_invalid_defaults() {
    for [ty, marks, default, message] in rows(include_str!("data/defaults.tsv")) {
        let field = with_default(read(ty), read(marks), read(default));
        let problem = problem_with(field, vec![part()]);
        assert_eq!(
            problem.message,
            format!("invalid default of `it`: it {message}")
        );
        assert_eq!(problem.location.mark.as_deref(), Some("default"));
    }
}

#[test]
fn accepts_valid_defaults() {
    for (ty, marks, default) in [
        (int32(), json!({ "nullable": true }), json!(null)),
        (Type::Any, json!({}), json!({ "a": [1] })),
        (map(Type::Any), json!({}), json!({ "a": [1] })),
        (
            reference("Part"),
            json!({ "preserve_unknown_fields": true }),
            json!({ "name": "a", "b": 1 }),
        ),
        (Type::String, json!({ "int_or_string": true }), json!(1)),
        (list(reference("Part")), json!({}), json!([])),
    ] {
        let schema = schema_with(with_default(ty, marks, default.clone()), vec![part()]);
        assert_eq!(schema["default"], default);
    }
}

#[test]
fn rejects_unevaluated_defaults() {
    let field = Field {
        default: Some(Default::Expression(0)),
        ..field("it", Type::String)
    };
    let problem = problem_of(field);
    assert_eq!(
        problem.message,
        "the default of `it` is an unevaluated expression"
    );
}
