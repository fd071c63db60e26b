//! CRDs with several versions, and several kinds.

mod definitions;

use definitions::{crds, field, kind, marked, messages, problems, structure};
use kb_model::api::Type;
use kb_model::crd::{Crd, Definition};
use serde_json::{Value, json};

fn foo(version: &str, storage: Option<bool>) -> Definition {
    let mut definition = kind(
        "Foo",
        vec![structure("Spec", vec![field("a", Type::String)])],
    );
    definition.resource.version = version.parse().expect("version");
    definition.resource.storage = storage;
    definition
}

fn entries(crds: &[Crd]) -> Vec<Value> {
    crds[0].document["spec"]["versions"]
        .as_array()
        .expect("versions")
        .clone()
}

fn texts(definitions: &[Definition]) -> Vec<String> {
    problems(definitions)
        .into_iter()
        .map(|problem| problem.message)
        .collect()
}

#[test]
fn sorts_versions_by_kubernetes_priority() {
    let crds = crds(&[
        foo("v1alpha1", None),
        foo("v1beta2", None),
        foo("v1", Some(true)),
        foo("v10", Some(false)),
        foo("v1beta1", None),
    ]);
    assert_eq!(crds.len(), 1);
    let entries = entries(&crds);
    let names: Vec<&str> = entries
        .iter()
        .filter_map(|entry| entry["name"].as_str())
        .collect();
    assert_eq!(names, ["v10", "v1", "v1beta2", "v1beta1", "v1alpha1"]);
    let stored: Vec<bool> = entries
        .iter()
        .map(|entry| entry["storage"] == true)
        .collect();
    assert_eq!(stored, [false, true, false, false, false]);
}

#[test]
fn stores_a_single_version_regardless_of_storage() {
    for storage in [None, Some(true), Some(false)] {
        let crds = crds(&[foo("v1", storage)]);
        assert_eq!(entries(&crds)[0]["storage"], true);
    }
}

#[test]
fn requires_exactly_one_storage_version() {
    assert_eq!(
        texts(&[foo("v1", None), foo("v2", None)]),
        ["the storage version of `Foo` is ambiguous: v2, v1"]
    );
    assert_eq!(
        texts(&[foo("v1", Some(false)), foo("v2", Some(false))]),
        ["`Foo` has no storage version"]
    );
    assert_eq!(
        texts(&[foo("v1", Some(true)), foo("v2", Some(true))]),
        ["`Foo` has several storage versions: v2, v1"]
    );
}

#[test]
fn stores_the_only_version_without_storage_false() {
    let crds = crds(&[foo("v1", None), foo("v2", Some(false))]);
    assert_eq!(entries(&crds)[0]["storage"], false);
    assert_eq!(entries(&crds)[1]["storage"], true);
}

#[test]
fn requires_a_served_version() {
    let mut old = foo("v1", None);
    old.resource.served = false;
    assert_eq!(messages(old.clone()), ["no version of `Foo` is served"]);
    let crds = crds(&[old, foo("v2", Some(true))]);
    assert_eq!(entries(&crds)[1]["served"], false);
}

#[test]
fn rejects_duplicate_versions() {
    assert_eq!(
        texts(&[foo("v1", Some(true)), foo("v1", None)]),
        ["duplicate definition of `Foo` in version v1"]
    );
}

#[test]
fn names_and_scope_must_be_equal_in_all_versions() {
    let mut other = foo("v1", None);
    other.resource.plural = "foes".parse().expect("plural");
    other.resource.singular = "fo".to_owned();
    other.resource.list_kind = "Foos".to_owned();
    other.resource.scope = kb_model::api::Scope::Cluster;
    assert_eq!(
        texts(&[foo("v2", Some(true)), other]),
        [
            "versions v2 and v1 have different values of `plural`: \"foos\" and \"foes\"",
            "versions v2 and v1 have different values of `singular`: \"foo\" and \"fo\"",
            "versions v2 and v1 have different values of `list_kind`: \"FooList\" and \"Foos\"",
            "versions v2 and v1 have different values of `scope`: \"Namespaced\" and \"Cluster\"",
        ]
    );
}

fn with_metadata(version: &str, short_name: &str, annotation: &str) -> Definition {
    let mut definition = foo(version, (version == "v2").then_some(true));
    if !short_name.is_empty() {
        definition.resource.short_names = vec![short_name.to_owned()];
    }
    if let Some((key, value)) = annotation.split_once('=') {
        let annotations = &mut definition.resource.annotations;
        annotations.insert(key.to_owned(), value.to_owned());
    }
    definition
}

#[test]
fn short_names_must_be_equal_where_present() {
    for (one, other) in [("f", ""), ("", "f"), ("f", "f")] {
        let crds = crds(&[with_metadata("v1", one, ""), with_metadata("v2", other, "")]);
        assert_eq!(
            crds[0].document["spec"]["names"]["shortNames"],
            json!(["f"])
        );
    }
    assert_eq!(
        texts(&[with_metadata("v1", "f", ""), with_metadata("v2", "g", "")]),
        ["versions v2 and v1 have different values of `short_names`: \"g\" and \"f\""]
    );
}

#[test]
fn merges_annotations_of_all_versions() {
    let crds = crds(&[
        with_metadata("v1", "", "a=1"),
        with_metadata("v2", "", "b=2"),
    ]);
    assert_eq!(
        crds[0].document["metadata"]["annotations"],
        json!({ "a": "1", "b": "2" })
    );
    assert_eq!(
        texts(&[
            with_metadata("v1", "", "a=1"),
            with_metadata("v2", "", "a=2")
        ]),
        ["versions v2 and v1 have different values of `annotations(\"a\")`: \"2\" and \"1\""]
    );
}

#[test]
fn kinds_are_sorted_by_group_and_plural() {
    let in_group = |name: &str, group: &str| {
        let mut definition = kind(name, vec![structure("Spec", Vec::new())]);
        definition.resource.group = group.parse().expect("group");
        definition
    };
    let crds = crds(&[
        in_group("Zoo", "b.example.com"),
        in_group("Ant", "b.example.com"),
        in_group("Yak", "a.example.com"),
    ]);
    let names: Vec<String> = crds.iter().map(Crd::name).collect();
    assert_eq!(
        names,
        [
            "yaks.a.example.com",
            "ants.b.example.com",
            "zoos.b.example.com"
        ]
    );
}

#[test]
fn rejects_duplicate_plurals() {
    let mut other = kind("Bar", vec![structure("Spec", Vec::new())]);
    other.resource.plural = "foos".parse().expect("plural");
    assert_eq!(
        texts(&[foo("v1", None), other]),
        ["`Bar` and `Foo` have the same plural `foos` in group example.com"]
    );
}

#[test]
fn reports_all_problems_and_those_of_shared_types_once() {
    let broken = |version: &str| {
        let spec = structure(
            "Spec",
            vec![
                marked("a", Type::String, json!({ "minimum": 1 })),
                marked("b", Type::Bool, json!({ "pattern": "x" })),
            ],
        );
        let mut definition = kind("Foo", vec![spec]);
        definition.resource.version = version.parse().expect("version");
        definition.resource.storage = Some(version == "v2");
        definition
    };
    assert_eq!(
        texts(&[broken("v1"), broken("v2")]),
        [
            "`minimum` requires a number, but `a` is a string",
            "`pattern` requires a string, but `b` is a boolean",
        ]
    );
}
