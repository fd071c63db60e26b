//! Kubernetes types in a CRD, with and without descriptions.

mod definitions;

use definitions::{field, foo, option, problem_of, schema_of};
use kb_model::api::{Field, Type};
use kb_model::crd::{Options, build};
use serde_json::{Value, json};

const ENV: &str = "io.k8s.api.core.v1.EnvVar";
const SOURCE: &str = "io.k8s.api.core.v1.EnvVarSource";

fn env() -> Field<Type> {
    field("env", option(Type::Core(ENV.to_owned())))
}

/// Returns the schema of the field with descriptions of core types.
fn described(field: Field<Type>, described: Value) -> Value {
    let Value::Object(described) = described else {
        panic!("descriptions")
    };
    let options = Options {
        core_descriptions: described.into_iter().collect(),
        ..Options::default()
    };
    let crds = build(&[foo(vec![field])], &options).expect("a CRD");
    crds[0].document["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"]["env"]
        .clone()
}

#[test]
fn inlines_core_types_without_descriptions() {
    let schema = schema_of(env());
    assert_eq!(schema["properties"]["name"], json!({ "type": "string" }));
    assert_eq!(schema["required"], json!(["name"]));
    assert_eq!(schema.get("description"), None);
}

#[test]
fn copies_descriptions_from_schemas_with_and_without_references() {
    let referring = json!({
        ENV: {
            "description": "A variable.",
            "properties": {
                "name": { "description": "Its name.", "maxLength": 3 },
                "valueFrom": { "description": "Its source.", "allOf": [{ "$ref": format!("#/components/schemas/{SOURCE}") }] },
                "unknown": { "description": "Not there." },
            },
        },
        SOURCE: {
            "description": "A source.",
            "properties": { "fieldRef": { "description": "A field." } },
        },
    });
    let inlined = json!({ ENV: {
        "description": "A variable.",
        "properties": {
            "name": { "description": "Its name." },
            "valueFrom": {
                "description": "Its source.",
                "properties": { "fieldRef": { "description": "A field." } },
            },
        },
    } });
    for source in [referring, inlined] {
        let schema = described(env(), source);
        assert_eq!(schema["description"], "A variable.");
        let properties = &schema["properties"];
        assert_eq!(
            properties["name"],
            json!({ "type": "string", "description": "Its name." })
        );
        assert_eq!(properties["valueFrom"]["description"], "Its source.");
        let field_ref = &properties["valueFrom"]["properties"]["fieldRef"];
        assert_eq!(field_ref["description"], "A field.");
        assert_eq!(properties.get("unknown"), None);
    }
}

#[test]
fn docs_of_the_field_override_those_of_the_type() {
    let mine = Field {
        docs: "Mine.".to_owned(),
        ..env()
    };
    let source = json!({ ENV: { "description": "A variable." } });
    assert_eq!(described(mine, source)["description"], "Mine.");
}

#[test]
fn types_without_properties_have_no_description() {
    let quantity = "io.k8s.apimachinery.pkg.api.resource.Quantity";
    let resources = "io.k8s.api.core.v1.ResourceRequirements";
    let source = json!({
        quantity: { "description": "A number." },
        resources: {
            "description": "What it uses.",
            "properties": { "limits": {
                "description": "At most.",
                "additionalProperties": { "description": "A number." },
            } },
        },
    });
    let of = |component: &str| field("env", Type::Core(component.to_owned()));
    let alone = described(of(quantity), source.clone());
    assert_eq!(alone.get("description"), None);
    let schema = described(of(resources), source);
    assert_eq!(schema["description"], "What it uses.");
    let limits = &schema["properties"]["limits"];
    assert_eq!(limits["description"], "At most.");
    assert_eq!(limits["additionalProperties"].get("description"), None);
}

#[test]
fn rejects_unknown_and_recursive_core_types_with_a_hint() {
    let recursive = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps";
    for (component, part) in [
        ("io.k8s.Gone", "unknown Kubernetes type `io.k8s.Gone`"),
        (recursive, "cannot be recursive"),
    ] {
        let problem = problem_of(field("it", Type::Core(component.to_owned())));
        assert!(problem.message.contains(part), "{problem}");
        let help = problem.help.expect("help");
        assert!(
            help.contains("schemaless, preserve_unknown_fields"),
            "{help}"
        );
    }
}
