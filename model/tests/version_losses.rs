//! Fields that objects lose between versions.

mod definitions;

use std::collections::BTreeSet;

use definitions::{field, kind, list, map, marked, option, reference, structure};
use kb_model::{
    api::{Field, Type, TypeDef, TypeId},
    crd::{Definition, Problem, losses},
};
use serde_json::json;

fn foo(version: &str, storage: bool, types: Vec<TypeDef<Type>>) -> Definition {
    let mut definition = kind("Foo", types);
    definition.resource.version = version.parse().expect("version");
    definition.resource.storage = Some(storage);
    definition
}

/// Returns the losses between v1, the storage version, and v2.
fn between(one: Vec<TypeDef<Type>>, two: Vec<TypeDef<Type>>) -> Vec<Problem> {
    losses(
        &[foo("v1", true, one), foo("v2", false, two)],
        &BTreeSet::new(),
    )
}

fn spec(fields: Vec<Field<Type>>) -> Vec<TypeDef<Type>> {
    vec![structure("Spec", fields)]
}

#[track_caller]
fn check(one: Vec<Field<Type>>, two: Vec<Field<Type>>, expected: &[&str]) {
    let texts: Vec<String> = between(spec(one), spec(two))
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(texts, expected);
}

fn lossy(field: Field<Type>) -> Field<Type> {
    Field {
        lossy: Some("nobody uses it".to_owned()),
        ..field
    }
}

fn any() -> Field<Type> {
    marked("a", Type::Any, json!({"preserve_unknown_fields": true}))
}

#[test]
fn equal_versions_lose_nothing() {
    for ty in [
        Type::String,
        list(Type::Bool),
        map(Type::String),
        option(Type::Any),
    ] {
        check(vec![field("a", ty.clone())], vec![field("a", ty)], &[]);
    }
}

#[test]
fn a_field_of_one_version_is_lost_through_the_other() {
    check(
        vec![field("a", Type::Bool), field("old", Type::Bool)],
        vec![field("a", Type::Bool), field("new", Type::Bool)],
        &[
            "Foo (v2) .spec.new: this field is lost when objects are stored as v1: v1 does not have it",
            "Foo (v1) .spec.old: this field is lost when clients read and write objects as v2: v2 does not have it",
        ],
    );
}

#[test]
fn a_loss_includes_its_type_and_field() {
    let part = |fields| {
        let parts = field("parts", list(map(reference("Part"))));
        vec![structure("Spec", vec![parts]), structure("Part", fields)]
    };
    let problems = between(part(vec![field("a", Type::Bool)]), part(Vec::new()));
    let [problem] = &problems[..] else {
        panic!("{problems:#?}");
    };
    let location = &problem.location;
    assert_eq!(location.path, ".spec.parts[][*].a");
    assert_eq!(location.type_id.as_ref().map(TypeId::as_str), Some("Part"));
    assert_eq!(location.field.as_deref(), Some("a"));
    assert!(
        problem
            .help
            .as_deref()
            .is_some_and(|help| help.contains("lossy = "))
    );
}

#[test]
fn reports_a_different_type_once() {
    check(
        vec![field("a", Type::String)],
        vec![field("a", list(Type::String))],
        &["Foo (v2) .spec.a: this field is a list, but a string in v1, and is not converted"],
    );
}

#[test]
fn a_wider_type_is_lossy_in_one_direction() {
    check(
        vec![field("a", Type::String)],
        vec![any()],
        &[
            "Foo (v2) .spec.a: this field is any JSON value, but a string in v1, and is not converted",
        ],
    );
}

#[test]
fn keys_and_unknown_fields_are_lost_in_an_object() {
    let object = |fields| {
        vec![
            structure("Spec", vec![field("a", reference("A"))]),
            structure("A", fields),
        ]
    };
    let problems = between(
        spec(vec![field("a", map(Type::Bool))]),
        object(vec![field("b", Type::Bool)]),
    );
    let texts: Vec<_> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        texts,
        [
            "Foo (v1) .spec.a: keys of this map are lost when clients read and write objects as v2: v2 only has fixed fields"
        ]
    );
    let open = vec![
        structure(
            "Spec",
            vec![marked(
                "a",
                reference("A"),
                json!({"preserve_unknown_fields": true}),
            )],
        ),
        structure("A", Vec::new()),
    ];
    let problems = between(open, object(Vec::new()));
    assert_eq!(problems.len(), 1, "{problems:#?}");
    assert!(problems[0].message.starts_with("unknown fields are lost"));
}

#[test]
fn lossy_accepts_losses_of_the_field_and_its_content() {
    check(
        vec![field("a", Type::Bool), lossy(field("old", Type::Bool))],
        vec![field("a", Type::Bool), lossy(field("new", Type::Bool))],
        &[],
    );
    check(
        vec![lossy(field("a", Type::Bool))],
        vec![field("a", Type::String)],
        &[],
    );
    // A common prefix is not the same name.
    let problems = between(
        spec(vec![lossy(field("a", Type::Bool)), field("ab", Type::Bool)]),
        spec(Vec::new()),
    );
    assert_eq!(problems.len(), 1, "{problems:#?}");
}

#[test]
fn ignores_unserved_versions_and_converted_kinds() {
    let one = foo("v1", true, spec(vec![field("a", Type::Bool)]));
    let mut two = foo("v2", false, spec(Vec::new()));
    let converted = BTreeSet::from(["foos.example.com".to_owned()]);
    assert_eq!(losses(&[one.clone(), two.clone()], &converted), []);
    assert_eq!(
        losses(&[one.clone(), two.clone()], &BTreeSet::new()).len(),
        1
    );
    two.resource.served = false;
    assert_eq!(losses(&[one, two], &BTreeSet::new()), []);
}

#[test]
fn bounds_lose_nothing() {
    let text = |marks| marked("a", Type::String, marks);
    check(
        vec![text(json!({"max_length": 3}))],
        vec![text(json!({"enum": ["x"]}))],
        &[],
    );
}
