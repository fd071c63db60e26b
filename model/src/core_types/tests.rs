//! Checks frequently embedded types, and properties of the whole table.

use serde_json::{Value, json};

use super::{components, schema};

const META: &str = "io.k8s.apimachinery.pkg.apis.meta.v1";

fn schema_of(component: &str) -> Value {
    let schema = schema(component).unwrap();
    schema.unwrap_or_else(|| panic!("{component} is not in the table"))
}

/// Counts a keyword in a schema, ignoring property names.
fn count(schema: &Value, keyword: &str) -> usize {
    match schema {
        Value::Object(schema) => {
            let nested = schema
                .iter()
                .map(|(key, value)| match (key.as_str(), value) {
                    ("properties", Value::Object(properties)) => {
                        properties.values().map(|p| count(p, keyword)).sum()
                    }
                    _ => count(value, keyword),
                });
            nested.sum::<usize>() + usize::from(schema.contains_key(keyword))
        }
        Value::Array(schemas) => schemas.iter().map(|s| count(s, keyword)).sum(),
        _ => 0,
    }
}

#[test]
fn lists_of_a_pod_have_map_keys() {
    let template = schema_of("io.k8s.api.core.v1.PodTemplateSpec");
    assert_eq!(
        template["properties"]["metadata"],
        json!({"type": "object"})
    );
    let pod = &template["properties"]["spec"];
    assert_eq!(pod["required"], json!(["containers"]));
    let containers = &pod["properties"]["containers"];
    assert_eq!(containers["x-kubernetes-list-type"], "map");
    assert_eq!(containers["x-kubernetes-list-map-keys"], json!(["name"]));
    let ports = &containers["items"]["properties"]["ports"];
    assert_eq!(
        ports["x-kubernetes-list-map-keys"],
        json!(["containerPort", "protocol"])
    );
    assert_eq!(ports["items"]["required"], json!(["containerPort"]));
    assert_eq!(
        ports["items"]["properties"],
        json!({
            "containerPort": {"type": "integer", "format": "int32"},
            "hostIP": {"type": "string"},
            "hostPort": {"type": "integer", "format": "int32"},
            "name": {"type": "string"},
            "protocol": {"type": "string", "default": "TCP"},
        })
    );
}

#[test]
fn a_condition_has_the_validation_of_its_go_type() {
    let condition = schema_of(&format!("{META}.Condition"));
    assert_eq!(
        condition,
        json!({
            "type": "object",
            "required": ["lastTransitionTime", "message", "reason", "status", "type"],
            "properties": {
                "lastTransitionTime": {"type": "string", "format": "date-time"},
                "message": {"type": "string", "maxLength": 32768},
                "observedGeneration": {"type": "integer", "format": "int64", "minimum": 0},
                "reason": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 1024,
                    "pattern": "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$",
                },
                "status": {"type": "string", "enum": ["True", "False", "Unknown"]},
                "type": {
                    "type": "string",
                    "maxLength": 316,
                    "pattern": "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$",
                },
            },
        })
    );
}

#[test]
fn atomic_structs_have_map_type_atomic() {
    let selector = schema_of(&format!("{META}.LabelSelector"));
    assert_eq!(selector["x-kubernetes-map-type"], "atomic");
    // The name is in a struct that Go inlines and that is atomic.
    let volume = schema_of("io.k8s.api.core.v1.ConfigMapVolumeSource");
    assert_eq!(volume["x-kubernetes-map-type"], "atomic");
    let key = schema_of("io.k8s.api.core.v1.ConfigMapKeySelector");
    assert_eq!(key["required"], json!(["key"]));
    assert_eq!(
        key["properties"]["name"],
        json!({"type": "string", "default": ""})
    );
}

#[test]
fn includes_only_declared_defaults() {
    let spec = schema_of("io.k8s.api.apps.v1.StatefulSetSpec");
    assert_eq!(spec["properties"]["serviceName"], json!({"type": "string"}));
    let disk = schema_of("io.k8s.api.core.v1.AzureDiskVolumeSource");
    assert_eq!(disk["properties"]["fsType"]["default"], "ext4");
    assert_eq!(disk["properties"]["readOnly"]["default"], false);
    // `+default=ref(…)`: controller-gen ignores it.
    assert_eq!(disk["properties"]["kind"], json!({"type": "string"}));
}

#[test]
fn known_types_match_controller_gen() {
    let any_of = json!([{"type": "integer"}, {"type": "string"}]);
    let machinery = "io.k8s.apimachinery.pkg";
    let extensions = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1";
    let expected = [
        (
            format!("{machinery}.util.intstr.IntOrString"),
            json!({"anyOf": any_of, "x-kubernetes-int-or-string": true}),
        ),
        (
            format!("{machinery}.api.resource.Quantity"),
            json!({
                "anyOf": any_of,
                "pattern": r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$",
                "x-kubernetes-int-or-string": true,
            }),
        ),
        (
            format!("{machinery}.runtime.RawExtension"),
            json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true}),
        ),
        (
            format!("{extensions}.JSON"),
            json!({"x-kubernetes-preserve-unknown-fields": true}),
        ),
        (
            format!("{META}.MicroTime"),
            json!({"type": "string", "format": "date-time"}),
        ),
        (format!("{META}.Duration"), json!({"type": "string"})),
        (format!("{META}.ObjectMeta"), json!({"type": "object"})),
        (
            "bytes".to_owned(),
            json!({"type": "string", "format": "byte"}),
        ),
    ];
    for (component, schema) in expected {
        assert_eq!(schema_of(&component), schema, "{component}");
    }
}

#[test]
fn an_embedded_job_template_matches_go() {
    let job = schema_of("io.k8s.api.batch.v1.JobTemplateSpec");
    let counts = [
        ("x-kubernetes-list-type", 155),
        ("x-kubernetes-list-map-keys", 25),
        ("x-kubernetes-map-type", 54),
        ("default", 47),
        ("x-kubernetes-int-or-string", 47),
        ("description", 0),
    ];
    for (keyword, expected) in counts {
        assert_eq!(count(&job, keyword), expected, "{keyword}");
    }
}

#[test]
fn every_component_expands_or_is_recursive() {
    let mut recursive = Vec::new();
    for component in components() {
        match schema(component) {
            Ok(schema) => assert!(schema.is_some_and(|s| s.is_object()), "{component}"),
            Err(_) => recursive.extend(component.rsplit('.').next()),
        }
    }
    assert_eq!(
        recursive,
        [
            "CustomResourceDefinition",
            "CustomResourceDefinitionSpec",
            "CustomResourceDefinitionVersion",
            "CustomResourceValidation",
            "JSONSchemaProps",
        ]
    );
}

#[test]
fn recursive_types_fail_with_their_cycle() {
    let component =
        "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceValidation";
    let error = schema(component).unwrap_err();
    assert_eq!(error.chain().len(), 3);
    assert_eq!(
        error.to_string(),
        "CustomResourceValidation cannot be embedded in a CRD: structural schemas cannot be recursive \
         (CustomResourceValidation > JSONSchemaProps > JSONSchemaProps); use a type that accepts any JSON"
    );
}

#[test]
fn an_unknown_component_has_no_schema() {
    assert_eq!(schema("io.k8s.api.core.v1.PodSpock"), Ok(None));
}
