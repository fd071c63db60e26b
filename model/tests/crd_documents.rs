//! Complete CRDs, equal to those of controller-gen.

mod definitions;

use definitions::{
    crd, crds, documented, field, foo, foo_with, int32, map, marked, marks, messages, option,
    optional, problems, root, version, with_status,
};
use kb_model::api::{Deprecation, Field, Marks, Scope, SpecLayout, Type, TypeColumn, TypeId};
use kb_model::crd::Definition;
use serde_json::json;

#[test]
fn writes_every_property_of_a_kind() {
    let mut definition = with_status(foo(vec![field("a", Type::String)]), Vec::new());
    let resource = &mut definition.resource;
    resource.short_names = vec!["f".to_owned()];
    resource.categories = vec!["all".to_owned()];
    resource.scope = Scope::Cluster;
    resource.annotations.insert("a".to_owned(), "1".to_owned());
    resource.labels.insert("l".to_owned(), "2".to_owned());
    resource.deprecated = Some(Deprecation {
        warning: Some("use v2".to_owned()),
    });
    resource.columns = vec![TypeColumn {
        name: "Age".to_owned(),
        column_type: "date".to_owned(),
        json_path: ".metadata.creationTimestamp".to_owned(),
        description: None,
        format: None,
        priority: Some(0),
    }];
    resource.marks = marks(json!({
        "rules": [{ "rule": "self.metadata.name.size() < 9" }],
        "title": "A Foo",
        "external_docs": { "url": "https://example.com" },
    }));
    let crd = crd(definition);
    assert_eq!(
        crd.document["metadata"],
        json!({ "name": "foos.example.com", "annotations": { "a": "1" }, "labels": { "l": "2" } })
    );
    let spec = &crd.document["spec"];
    assert_eq!(spec["scope"], "Cluster");
    assert_eq!(spec["names"]["shortNames"], json!(["f"]));
    assert_eq!(spec["names"]["categories"], json!(["all"]));
    let version = &spec["versions"][0];
    assert_eq!(version["deprecated"], true);
    assert_eq!(version["deprecationWarning"], "use v2");
    assert_eq!(version["subresources"], json!({ "status": {} }));
    assert_eq!(
        version["additionalPrinterColumns"],
        json!([{ "name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp" }])
    );
    let schema = &version["schema"]["openAPIV3Schema"];
    assert_eq!(schema["title"], "A Foo");
    assert_eq!(
        schema["externalDocs"],
        json!({ "url": "https://example.com" })
    );
    assert_eq!(
        schema["x-kubernetes-validations"],
        json!([{ "rule": "self.metadata.name.size() < 9" }])
    );
}

#[test]
fn puts_fields_at_the_root_without_spec() {
    let mut definition = foo(vec![
        field("quota", int32()),
        optional(field("note", Type::String)),
    ]);
    definition.resource.spec_layout = SpecLayout::Root;
    let id = TypeId::new("Spec");
    let def = definition.types.get_mut(&id).expect("spec");
    def.docs = "Not written.".into();
    let mut expected = root(&json!({
        "quota": { "type": "integer", "format": "int32" },
        "note": { "type": "string" },
    }));
    expected["required"] = json!(["quota"]);
    assert_eq!(version(definition)["schema"]["openAPIV3Schema"], expected);
    for (name, ty, message) in [
        (
            "status",
            Type::String,
            "with `no_spec`, the field name `status` is reserved",
        ),
        (
            "kind",
            Type::String,
            "with `no_spec`, the field name `kind` is reserved",
        ),
    ] {
        let mut definition = foo(vec![field(name, ty)]);
        definition.resource.spec_layout = SpecLayout::Root;
        assert_eq!(messages(definition), [message]);
    }
    let mut definition = foo(Vec::new());
    definition.resource.spec = map(Type::String);
    definition.resource.spec_layout = SpecLayout::Root;
    assert_eq!(
        messages(definition),
        ["`no_spec` requires a struct, but its type is a map"]
    );
}

#[test]
fn rules_of_the_kind_follow_rules_of_its_fields() {
    let mut definition = foo(vec![Field {
        immutable: true,
        ..optional(field("note", Type::String))
    }]);
    definition.resource.spec_layout = SpecLayout::Root;
    definition.resource.marks = marks(json!({ "rules": [{ "rule": "has(self.note)" }] }));
    assert_eq!(
        version(definition)["schema"]["openAPIV3Schema"]["x-kubernetes-validations"],
        json!([
            {
                "rule": "!has(oldSelf.note) || has(self.note)",
                "message": "field note is immutable once set",
            },
            { "rule": "has(self.note)" },
        ])
    );
}

#[test]
fn rejects_most_marks_on_a_whole_object() {
    let mut definition = foo(Vec::new());
    definition.resource.marks = Marks {
        min_properties: Some(1),
        ..Marks::default()
    };
    let problems = problems(&[definition]);
    assert!(
        problems[0].message.starts_with("only `cel`"),
        "{}",
        problems[0]
    );
}

#[test]
fn checks_columns_of_the_kind() {
    let column = |kind: &str, path: &str| {
        let mut definition = foo_with(vec![field("a", option(Type::String))], Vec::new());
        definition.resource.columns = vec![TypeColumn {
            name: "It".to_owned(),
            column_type: kind.to_owned(),
            json_path: path.to_owned(),
            description: None,
            format: None,
            priority: None,
        }];
        definition
    };
    crds(&[column("string", ".spec.a")]);
    crds(&[column(
        "string",
        ".status.conditions[?(@.type==\"Ready\")].status",
    )]);
    for (definition, message) in [
        (
            column("text", ".spec.a"),
            "invalid type \"text\" of column \"It\": expected one of boolean, date, integer, number, string",
        ),
        (
            column("string", "spec.a"),
            "path `spec.a` of column \"It\" must start with a dot",
        ),
        (
            column("string", ".spec.b"),
            "path `.spec.b` of column \"It\" refers to an unknown field",
        ),
    ] {
        assert_eq!(messages(definition), [message]);
    }
}

#[test]
fn rejects_names_that_the_api_server_rejects() {
    let with = |change: fn(&mut Definition)| {
        let mut definition = foo(Vec::new());
        change(&mut definition);
        messages(definition)
    };
    assert_eq!(
        with(|definition| definition.resource.short_names = vec!["F".to_owned()]),
        ["invalid name \"F\" in `short_names`"]
    );
    assert_eq!(
        with(|definition| definition.resource.list_kind = "Foo".to_owned()),
        ["`list_kind` must differ from the kind, `Foo`"]
    );
    assert_eq!(
        with(|definition| definition.resource.group = "batch".parse().expect("group")),
        ["API group \"batch\" has no dot, which custom resources require"]
    );
    assert_eq!(
        with(|definition| definition.resource.group = "x.k8s.io".parse().expect("group")),
        [
            "the group x.k8s.io is reserved for the Kubernetes project: its CRDs require the annotation `api-approved.kubernetes.io`"
        ]
    );
    assert_eq!(
        with(
            |definition| definition.resource.deprecated = Some(Deprecation {
                warning: Some(String::new())
            })
        ),
        ["a deprecation warning must be a single line of 1 to 256 bytes"]
    );
}

#[test]
fn rejects_huge_documents_and_warns_about_large_ones() {
    let large = |size: usize| {
        foo(vec![documented(
            &"x".repeat(size),
            field("a", Type::String),
        )])
    };
    let crd = crd(large(262_144));
    let notes = crd.notes();
    assert_eq!(notes.len(), 1);
    assert!(notes[0].contains("foos.example.com"), "{}", notes[0]);
    assert!(notes[0].contains("--server-side"), "{}", notes[0]);
    let problems = problems(&[large(1_572_864)]);
    assert!(
        problems[0].message.contains("accepts at most 1572864"),
        "{}",
        problems[0]
    );
    assert_eq!(problems[0].location.kind.as_deref(), Some("Foo"));
}

#[test]
fn problems_include_their_location() {
    let definition = foo(vec![marked("name", Type::String, json!({ "minimum": 1 }))]);
    assert_eq!(
        problems(&[definition])[0].to_string(),
        "Foo (v1) .spec.name: `minimum` requires a number, but `name` is a string"
    );
}
