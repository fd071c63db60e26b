//! CEL rules: the user's, and those derived from marks.

mod definitions;

use definitions::{
    field, foo, foo_with, list, marked, marked_type, option, optional, problem_of, problem_with,
    problems, reference, schema_of, schema_with, spec, structure,
};
use kb_model::api::{Field, Type, TypeDef};
use kb_model::schema::cel_name;
use serde_json::{Value, json};

const VALIDATIONS: &str = "x-kubernetes-validations";

fn immutable(field: Field<Type>) -> Field<Type> {
    Field {
        immutable: true,
        ..field
    }
}

fn pair(marks: Value) -> TypeDef<Type> {
    let fields = vec![
        field("a", option(Type::String)),
        field("b", option(Type::String)),
        field("namespace", option(Type::String)),
        field("always", Type::String),
    ];
    marked_type(structure("Pair", fields), marks)
}

#[test]
fn writes_all_parts_of_a_rule_in_order() {
    let rules = json!({ "rules": [
        { "rule": "self != ''", "message": "not empty" },
        {
            "rule": "self != oldSelf",
            "messageExpression": "'x'",
            "reason": "FieldValueForbidden",
            "optionalOldSelf": true,
        },
    ] });
    assert_eq!(
        schema_of(marked("it", Type::String, rules.clone()))[VALIDATIONS],
        rules["rules"]
    );
}

#[test]
fn one_of_rules_follow_rules_of_the_type() {
    let marks = json!({
        "rules": [{ "rule": "true" }],
        "one_of": [
            { "kind": "atLeastOne", "fields": ["a", "b"] },
            { "kind": "exactlyOne", "fields": ["a", "b"] },
            { "kind": "atMostOne", "fields": ["a", "namespace"] },
        ],
    });
    let schema = schema_with(field("it", reference("Pair")), vec![pair(marks)]);
    assert_eq!(
        schema[VALIDATIONS],
        json!([
            { "rule": "true" },
            {
                "rule": "(has(self.a)?1:0)+(has(self.__namespace__)?1:0) <= 1",
                "message": "at most one of the fields in [a namespace] may be set",
            },
            {
                "rule": "(has(self.a)?1:0)+(has(self.b)?1:0) == 1",
                "message": "exactly one of the fields in [a b] must be set",
            },
            {
                "rule": "has(self.a)||has(self.b)",
                "message": "at least one of the fields in [a b] must be set",
            },
        ])
    );
}

#[test]
fn one_of_requires_existing_optional_fields() {
    for (name, message) in [
        ("c", "`c` in `at_most_one_of` is not a field of `Pair`"),
        (
            "always",
            "`always` in `at_most_one_of` is required in `Pair`",
        ),
    ] {
        let marks = json!({ "one_of": [{ "kind": "atMostOne", "fields": ["a", name] }] });
        let problem = problem_with(field("it", reference("Pair")), vec![pair(marks)]);
        assert_eq!(problem.message, message);
        assert_eq!(problem.location.mark.as_deref(), Some("at_most_one_of"));
    }
}

#[test]
fn an_optional_immutable_field_also_adds_a_rule_to_its_parent() {
    let with_rule = |name: &str| {
        let rules = json!({ "rules": [{ "rule": "size(self) > 1" }] });
        immutable(marked(name, Type::String, rules))
    };
    let schema = spec(foo(vec![
        with_rule("always"),
        optional(with_rule("my-name")),
    ]));
    let own = json!([
        { "rule": "self == oldSelf", "message": "field is immutable" },
        { "rule": "size(self) > 1" },
    ]);
    assert_eq!(schema["properties"]["always"][VALIDATIONS], own);
    assert_eq!(schema["properties"]["my-name"][VALIDATIONS], own);
    assert_eq!(
        schema[VALIDATIONS],
        json!([{
            "rule": "!has(oldSelf.my__dash__name) || has(self.my__dash__name)",
            "message": "field my-name is immutable once set",
        }])
    );
}

#[test]
fn rules_of_a_type_follow_rules_of_its_immutable_fields() {
    let fields = vec![immutable(field("a", option(Type::String)))];
    let rule = json!({ "rules": [{ "rule": "true" }] });
    let part = marked_type(structure("Part", fields), rule);
    let schema = schema_with(field("it", reference("Part")), vec![part]);
    assert_eq!(schema[VALIDATIONS][1], json!({ "rule": "true" }));
    assert_eq!(
        schema[VALIDATIONS][0]["message"],
        "field a is immutable once set"
    );
}

#[test]
fn transition_rules_require_a_correlatable_value() {
    let part = || {
        structure(
            "Part",
            vec![
                field("name", Type::String),
                immutable(field("a", Type::String)),
            ],
        )
    };
    let plain = field("parts", list(reference("Part")));
    let problem = problem_with(plain, vec![part()]);
    assert_eq!(
        problem.message,
        "`immutable` on `a` uses the old value, which is not available inside a list without `list_map_key`"
    );
    let by_key = marked(
        "parts",
        list(reference("Part")),
        json!({ "list_map_keys": ["name"] }),
    );
    assert!(
        kb_model::crd::build(
            &[foo_with(vec![by_key], vec![part()])],
            &kb_model::crd::Options::default()
        )
        .is_ok()
    );
    let atomic = marked_type(part(), json!({ "map_type": "atomic" }));
    let problem = problem_with(field("part", reference("Part")), vec![atomic]);
    assert!(
        problem.message.ends_with("inside an atomic object"),
        "{problem}"
    );
    let rule = json!({ "items": { "rules": [{ "rule": "self == oldSelf" }] } });
    let schema = problems(&[foo(vec![marked("it", list(Type::String), rule)])]);
    assert_eq!(
        schema[0].message,
        "`items(cel)` on an element of `it` uses the old value, which is not available inside a list without `list_map_key`"
    );
}

#[test]
fn rejects_rules_that_the_api_server_rejects() {
    for (rule, message) in [
        (json!({ "rule": " " }), "`cel` on `it` has no rule"),
        (
            json!({ "rule": "true", "message": "" }),
            "`cel` on `it` has an empty message",
        ),
        (
            json!({ "rule": "true", "message": "a\nb" }),
            "`cel` on `it` has a multi-line message, which the API server rejects",
        ),
        (
            json!({ "rule": "true\n&& true" }),
            "`cel` on `it` has a multi-line rule, which requires a message",
        ),
        (
            json!({ "rule": "true", "fieldPath": ".gone" }),
            "`field_path = \".gone\"` refers to an unknown field of `it`",
        ),
    ] {
        let problem = problem_of(marked("it", Type::String, json!({ "rules": [rule] })));
        assert_eq!(problem.message, message);
        assert_eq!(problem.location.mark.as_deref(), Some("cel"));
    }
}

#[test]
fn field_paths_must_resolve() {
    for path in [".a", "['a']"] {
        let marks = json!({ "rules": [{ "rule": "true", "fieldPath": path }] });
        let schema = schema_with(field("it", reference("Pair")), vec![pair(marks)]);
        assert_eq!(schema[VALIDATIONS][0]["fieldPath"], path);
    }
}

#[test]
fn escapes_names_like_kubernetes() {
    for (name, escaped) in [
        ("replicas", "replicas"),
        ("_x", "_x"),
        ("a_b", "a_b"),
        ("a__b", "a__underscores__b"),
        ("a___b", "a__underscores___b"),
        ("my-name", "my__dash__name"),
        ("a.b/c", "a__dot__b__slash__c"),
        ("if", "__if__"),
        ("namespace", "__namespace__"),
        ("while", "__while__"),
        ("iff", "iff"),
        ("int", "int"),
    ] {
        assert_eq!(cel_name(name).as_deref(), Some(escaped));
    }
    for name in ["", "1a", "a b", "ä", "a$"] {
        assert_eq!(cel_name(name), None);
    }
}

#[test]
fn rejects_optional_immutable_fields_without_cel_name() {
    let problem = problem_of(immutable(field("a b", option(Type::String))));
    assert_eq!(
        problem.message,
        "`immutable` requires a CEL rule, but `a b` is not a valid name in CEL"
    );
}

#[test]
fn rules_require_values_of_known_type() {
    let rule = json!({ "rules": [{ "rule": "true" }] });
    for ty in [Type::Any, list(Type::Any), list(list(Type::Any))] {
        let problem = problem_of(marked("it", ty, rule.clone()));
        assert_eq!(problem.message, "`cel` on `it` requires a known type");
    }
    let problem = problem_of(immutable(field("it", Type::Any)));
    assert!(
        problem
            .message
            .starts_with("`immutable` on `it` requires a known type"),
        "{problem}"
    );
    let fields = vec![
        optional(field("a", Type::Any)),
        optional(field("b", Type::Bool)),
    ];
    let marks = json!({ "one_of": [{ "kind": "atMostOne", "fields": ["a", "b"] }] });
    let pair = marked_type(structure("Pair", fields), marks);
    let problem = problem_with(field("it", reference("Pair")), vec![pair]);
    assert_eq!(
        problem.message,
        "`a` in `at_most_one_of` has an unknown type in `Pair`"
    );
}
