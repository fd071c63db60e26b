//! Contributions of fields to the kind: printer columns, scale subresource, selectable fields.

mod definitions;

use definitions::{
    field, foo, foo_with, int32, list, map, marked, messages, option, optional, problem_with,
    problems, reference, structure, version, with_status,
};
use kb_model::api::{Column, Field, ScalePart, ScalePaths, SpecLayout, Type};
use kb_model::crd::Definition;
use serde_json::{Value, json};

fn column(field: Field<Type>) -> Field<Type> {
    Field {
        columns: vec![Column::default()],
        ..field
    }
}

fn selectable(field: Field<Type>) -> Field<Type> {
    Field {
        selectable: true,
        ..field
    }
}

fn replicas(name: &str) -> Field<Type> {
    scale(field(name, int32()), ScalePart::Replicas)
}

fn scale(field: Field<Type>, part: ScalePart) -> Field<Type> {
    Field {
        scale: Some(part),
        ..field
    }
}

fn core(component: &str) -> Type {
    Type::Core(component.to_owned())
}

#[test]
fn derives_path_type_and_name_of_a_column() {
    let time = core("io.k8s.apimachinery.pkg.apis.meta.v1.Time");
    let quantity = core("io.k8s.apimachinery.pkg.api.resource.Quantity");
    let full = Field {
        columns: vec![Column {
            name: Some("Mine".to_owned()),
            description: Some("What it is.".to_owned()),
            format: Some("int32".to_owned()),
            priority: Some(1),
        }],
        ..field("b", int32())
    };
    let ratio = Field {
        allow_float: true,
        ..column(field("ratio", Type::Float))
    };
    let part = structure("Part", vec![column(optional(field("podIP", Type::String)))]);
    let definition = with_status(
        foo_with(
            vec![
                column(field("readyReplicas", option(int32()))),
                full,
                column(field("since", time)),
                column(field("enabled", Type::Bool)),
                column(field("size", quantity)),
                ratio,
            ],
            vec![part],
        ),
        vec![field("part", reference("Part"))],
    );
    let entry = |name: &str, kind: &str, path: &str| json!({ "name": name, "type": kind, "jsonPath": path });
    assert_eq!(
        version(definition)["additionalPrinterColumns"],
        json!([
            entry("Ready Replicas", "integer", ".spec.readyReplicas"),
            {
                "name": "Mine",
                "type": "integer",
                "jsonPath": ".spec.b",
                "description": "What it is.",
                "format": "int32",
                "priority": 1,
            },
            entry("Since", "date", ".spec.since"),
            entry("Enabled", "boolean", ".spec.enabled"),
            entry("Size", "string", ".spec.size"),
            entry("Ratio", "number", ".spec.ratio"),
            entry("Pod IP", "string", ".status.part.podIP"),
        ])
    );
}

#[test]
fn quotes_names_in_column_paths() {
    let columns = |name: &str| {
        version(foo(vec![column(field(name, Type::String))]))["additionalPrinterColumns"][0].clone()
    };
    assert_eq!(columns("my-name")["jsonPath"], ".spec.my-name");
    assert_eq!(columns("my-name")["name"], "My Name");
    assert_eq!(
        columns("example.com/zone")["jsonPath"],
        r".spec['example\.com/zone']"
    );
}

#[test]
fn rejects_columns_without_scalar_or_path() {
    let part = structure("Part", vec![column(field("a", Type::String))]);
    for (field, message) in [
        (
            column(field("it", list(Type::String))),
            "`column` requires a string, a number or a boolean, but `it` is a list",
        ),
        (
            column(field("it", map(Type::String))),
            "`column` requires a string, a number or a boolean, but `it` is a map",
        ),
        (
            column(field("it", Type::Any)),
            "`column` requires a string, a number or a boolean, but `it` is any JSON value",
        ),
        (
            field("it", list(reference("Part"))),
            "`column` requires a path of names and dots, but `a` is inside a list",
        ),
        (
            field("it", map(reference("Part"))),
            "`column` requires a path of names and dots, but `a` is inside a map",
        ),
        (
            column(field("a b", Type::String)),
            "`column` requires a path of names and dots, but `.spec['a b']` contains a dot",
        ),
    ] {
        let problem = problem_with(field, vec![part.clone()]);
        assert_eq!(problem.message, message);
        assert_eq!(problem.location.mark.as_deref(), Some("column"));
        assert!(problem.help.is_some());
    }
    let format = Field {
        columns: vec![Column {
            format: Some("uuid".to_owned()),
            ..Column::default()
        }],
        ..field("it", Type::String)
    };
    let problem = problem_with(format, Vec::new());
    assert!(
        problem
            .message
            .starts_with("invalid column format \"uuid\""),
        "{problem}"
    );
}

#[test]
fn lists_selectable_fields_by_path() {
    let definition = with_status(
        foo(vec![
            selectable(field("color", Type::String)),
            selectable(field("size", int32())),
        ]),
        vec![selectable(field("ready", option(Type::Bool)))],
    );
    assert_eq!(
        version(definition)["selectableFields"],
        json!([{ "jsonPath": ".spec.color" }, { "jsonPath": ".spec.size" }, { "jsonPath": ".status.ready" }])
    );
}

#[test]
fn rejects_fields_that_cannot_be_selected() {
    let part = structure("Part", vec![selectable(field("a", Type::String))]);
    for (field, message) in [
        (
            selectable(field("it", list(Type::String))),
            "`selectable` requires a string, an integer or a boolean, but `it` is a list",
        ),
        (
            selectable(marked("it", Type::String, json!({ "int_or_string": true }))),
            "`selectable` requires a string, an integer or a boolean, but `it` is an integer or a string",
        ),
        (
            field("it", list(reference("Part"))),
            "`selectable` requires a path of names and dots, but `a` is inside a list",
        ),
        (
            selectable(field("a.b", Type::String)),
            r"`selectable` requires a path of names and dots, but `.spec['a\.b']` contains a dot",
        ),
    ] {
        let problem = problem_with(field, vec![part.clone()]);
        assert_eq!(problem.message, message);
        assert_eq!(problem.location.mark.as_deref(), Some("selectable"));
    }
    let many = (0..9)
        .map(|i| selectable(field(&format!("f{i}"), Type::String)))
        .collect();
    assert_eq!(
        messages(foo(many)),
        ["9 fields are selectable, but the API server accepts at most 8"]
    );
}

fn subresources(definition: Definition) -> Value {
    version(definition)["subresources"].clone()
}

#[test]
fn builds_scale_from_marked_fields() {
    let selector = scale(field("selector", option(Type::String)), ScalePart::Selector);
    let definition = with_status(
        foo(vec![replicas("replicas")]),
        vec![replicas("current"), selector],
    );
    assert_eq!(
        subresources(definition),
        json!({
            "status": {},
            "scale": {
                "specReplicasPath": ".spec.replicas",
                "statusReplicasPath": ".status.current",
                "labelSelectorPath": ".status.selector",
            },
        })
    );
}

#[test]
fn rejects_incomplete_and_duplicate_scale() {
    let problem = problem_with(replicas("replicas"), Vec::new());
    assert_eq!(
        problem.message,
        "the scale subresource requires the observed replicas, but no field of the status declares them"
    );
    assert_eq!(problem.location.path, ".spec.replicas");
    assert_eq!(problem.location.mark.as_deref(), Some("scale"));
    let definition = with_status(foo(Vec::new()), vec![replicas("current")]);
    assert_eq!(
        messages(definition),
        [
            "the scale subresource requires the desired replicas, but no field of the spec declares them"
        ]
    );
    let twice = with_status(foo(vec![replicas("a"), replicas("b")]), vec![replicas("c")]);
    assert_eq!(
        messages(twice),
        ["duplicate `scale(replicas)`: on `.spec.a` and on `.spec.b`"]
    );
}

#[test]
fn scale_requires_an_integer_and_a_string() {
    for (field, message) in [
        (
            scale(field("it", Type::String), ScalePart::Replicas),
            "`scale(replicas)` requires an integer, but `it` is a string",
        ),
        (
            scale(field("it", int32()), ScalePart::Selector),
            "`scale(selector)` requires a string, but `it` is an integer",
        ),
        (
            replicas("a.b"),
            r"`scale(replicas)` requires a path of names and dots, but `.spec['a\.b']` contains a dot",
        ),
    ] {
        let problem = problem_with(field, Vec::new());
        assert_eq!(problem.message, message);
        assert_eq!(problem.location.mark.as_deref(), Some("scale"));
    }
    let mut rootless = foo(vec![replicas("replicas")]);
    rootless.resource.spec_layout = SpecLayout::Root;
    assert_eq!(
        messages(rootless),
        [
            "`scale(replicas)` requires a field under `.spec` or `.status`, but `replicas` is under neither"
        ]
    );
}

fn scaled(spec: &str, status: &str, selector: Option<&str>) -> Definition {
    let mut definition = with_status(
        foo(vec![
            field("replicas", int32()),
            field("free", Type::Any),
            field("name", Type::String),
        ]),
        vec![field("replicas", int32()), field("selector", Type::String)],
    );
    definition.resource.scale = Some(ScalePaths {
        spec_replicas: spec.to_owned(),
        status_replicas: status.to_owned(),
        selector: selector.map(str::to_owned),
    });
    definition
}

#[test]
fn checks_scale_paths_against_the_schema() {
    let definition = scaled(".spec.free.x", ".status.replicas", Some(".status.selector"));
    assert_eq!(
        subresources(definition)["scale"],
        json!({
            "specReplicasPath": ".spec.free.x",
            "statusReplicasPath": ".status.replicas",
            "labelSelectorPath": ".status.selector",
        })
    );
    for (definition, message) in [
        (
            scaled(".status.replicas", ".status.replicas", None),
            "`spec_replicas` in `scale` must be a path under `.spec.`, found `.status.replicas`",
        ),
        (
            scaled(".spec.gone", ".status.replicas", None),
            "`spec_replicas` in `scale` refers to an unknown field `.spec.gone`",
        ),
        (
            scaled(".spec.name", ".status.replicas", None),
            "`spec_replicas` in `scale` refers to `.spec.name`, which is not of type integer",
        ),
        (
            scaled(".spec['replicas']", ".status.replicas", None),
            "`spec_replicas` in `scale` must be a path under `.spec.`, found `.spec['replicas']`",
        ),
        (
            scaled(
                ".spec.replicas",
                ".status.replicas",
                Some(".status.list[0]"),
            ),
            "invalid path `.status.list[0]` for `selector` in `scale`: only names and dots are allowed",
        ),
    ] {
        assert_eq!(messages(definition), [message]);
    }
}

#[test]
fn rejects_scale_on_both_kind_and_field() {
    let mut definition = with_status(foo(vec![replicas("replicas")]), vec![replicas("replicas")]);
    definition.resource.scale = Some(ScalePaths {
        spec_replicas: ".spec.replicas".to_owned(),
        status_replicas: ".status.replicas".to_owned(),
        selector: None,
    });
    let problems = problems(&[definition]);
    assert_eq!(
        problems[0].message,
        "`scale` is set on both the kind and this field"
    );
    assert_eq!(problems[0].location.field.as_deref(), Some("replicas"));
}
