//! List types, and their requirements on elements.

mod definitions;

use definitions::{
    field, int32, list, marked, marked_type, option, problem_with, reference, schema_with,
    structure,
};
use kb_model::api::{Default, Field, Type, TypeDef};
use serde_json::{Value, json};

fn part() -> TypeDef<Type> {
    let defaulted = Field {
        default: Some(Default::Value(json!("TCP"))),
        ..field("protocol", option(Type::String))
    };
    structure(
        "Part",
        vec![
            field("name", Type::String),
            field("size", option(int32())),
            field("tags", list(Type::String)),
            defaulted,
            marked("null", Type::String, json!({ "nullable": true })),
        ],
    )
}

fn parts(marks: Value) -> Field<Type> {
    marked("it", list(reference("Part")), marks)
}

#[test]
fn accepts_keys_that_are_required_or_have_a_default() {
    let schema = schema_with(
        parts(json!({ "list_map_keys": ["name", "protocol"] })),
        vec![part()],
    );
    assert_eq!(schema["x-kubernetes-list-type"], "map");
    assert_eq!(
        schema["x-kubernetes-list-map-keys"],
        json!(["name", "protocol"])
    );
}

#[test]
fn rejects_other_keys() {
    for (keys, message) in [
        (
            json!(["gone"]),
            "refers to `gone`, which is not a field of the element",
        ),
        (json!(["size"]), "refers to `size`, which is optional"),
        (
            json!(["tags"]),
            "refers to `tags`, which is a list and not a scalar",
        ),
        (json!(["null"]), "refers to `null`, which is nullable"),
        (json!(["name", "name"]), "lists `name` twice"),
    ] {
        let problem = problem_with(parts(json!({ "list_map_keys": keys })), vec![part()]);
        assert_eq!(problem.message, format!("`list_map_key` on `it` {message}"));
        assert_eq!(problem.location.mark.as_deref(), Some("list_map_key"));
        assert!(problem.help.is_some());
    }
}

#[test]
fn list_map_keys_require_non_null_objects() {
    let keys = json!({ "list_map_keys": ["name"] });
    let problem = problem_with(marked("it", list(Type::String), keys.clone()), Vec::new());
    assert_eq!(
        problem.message,
        "`list_map_key` on `it` requires a list of objects, but an element is a string"
    );
    let nullable = list(option(reference("Part")));
    let problem = problem_with(marked("it", nullable, keys), vec![part()]);
    assert_eq!(
        problem.message,
        "`list_map_key` on `it` requires elements that are not nullable"
    );
}

#[test]
fn list_type_map_requires_keys() {
    let problem = problem_with(parts(json!({ "list_type": "map" })), vec![part()]);
    assert_eq!(
        problem.message,
        "`list_type` on `it` requires `list_map_key` if it is \"map\""
    );
}

#[test]
fn list_type_set_requires_scalar_or_atomic_elements() {
    let set = || json!({ "list_type": "set" });
    let problem = problem_with(parts(set()), vec![part()]);
    assert_eq!(
        problem.message,
        "`list_type` on `it` is \"set\", which requires scalar or atomic elements, but an element is an object"
    );
    let atomic = marked_type(part(), json!({ "map_type": "atomic" }));
    let schema = schema_with(parts(set()), vec![atomic]);
    assert_eq!(schema["x-kubernetes-list-type"], "set");
    let lists = marked("it", list(list(Type::String)), set());
    let schema = schema_with(lists, Vec::new());
    assert_eq!(schema["x-kubernetes-list-type"], "set");
    let problem = problem_with(marked("it", list(option(Type::String)), set()), Vec::new());
    assert_eq!(
        problem.message,
        "`list_type` on `it` is \"set\", but the elements are nullable"
    );
}

#[test]
fn keys_require_list_type_map() {
    let marks = json!({ "list_map_keys": ["name"], "list_type": "atomic" });
    let problem = problem_with(parts(marks), vec![part()]);
    assert_eq!(
        problem.message,
        "`list_map_key` on `it` requires `list_type = \"map\"`, found \"atomic\""
    );
}
