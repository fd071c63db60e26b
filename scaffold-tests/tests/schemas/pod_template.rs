//! Two managers merge an embedded `PodTemplateSpec` like that of a Deployment.
//!
//! Each step is applied to a custom resource and a Deployment. Merged values, managed fields and conflicts must be equal.

use kb::k8s_openapi::api::core::v1::PodTemplateSpec;
use serde_json::{Value, json};

use crate::api_server::{ApiServer, Response};

/// Desired state.
#[kb::resource(group = "schemas.example.com", version = "v1", kind = "Templated")]
pub(crate) struct TemplatedSpec {
    pub template: Option<PodTemplateSpec>,
}

/// A custom resource and a Deployment.
struct Both {
    server: ApiServer,
    name: &'static str,
}

impl Both {
    /// Applies the spec of a pod. Both accept it, or reject it for the same fields.
    async fn apply(&self, manager: &str, force: bool, pod: &Value) -> Value {
        let name = self.name;
        let query = format!("?fieldManager={manager}&force={force}");
        let custom = json!({
            "apiVersion": "schemas.example.com/v1", "kind": "Templated", "metadata": {"name": name},
            "spec": {"template": {"spec": pod}},
        });
        let path =
            format!("/apis/schemas.example.com/v1/namespaces/default/templateds/{name}{query}");
        let custom = self.server.apply(&path, &custom).await;

        let labels = json!({"app": name});
        let deployment = json!({
            "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": name},
            "spec": {"selector": {"matchLabels": labels}, "template": {"metadata": {"labels": labels}, "spec": pod}},
        });
        let path = format!("/apis/apps/v1/namespaces/default/deployments/{name}{query}");
        let deployment = self.server.apply(&path, &deployment).await;

        assert_eq!(custom.code, deployment.code, "{custom:#?} {deployment:#?}");
        if !custom.is_success() {
            assert_eq!(causes(&custom), causes(&deployment));
            return causes(&custom);
        }
        let merged = custom.body["spec"]["template"]["spec"].clone();
        let theirs = &deployment.body["spec"]["template"]["spec"];
        assert_eq!(merged, restricted(&merged, theirs), "of {theirs:#}");
        for manager in ["one", "two"] {
            assert_eq!(
                managed(&custom, manager),
                managed(&deployment, manager),
                "by {manager}"
            );
        }
        merged
    }
}

/// Returns the conflicting fields.
fn causes(response: &Response) -> Value {
    let causes = response.body["details"]["causes"].as_array();
    let fields = causes.into_iter().flatten().map(|cause| &cause["field"]);
    fields.cloned().collect()
}

/// Returns the managed fields of the pod.
fn managed(response: &Response, manager: &str) -> Value {
    let entries = response.body["metadata"]["managedFields"].as_array();
    let mut entries = entries.unwrap().iter();
    let entry = entries.find(|entry| entry["manager"] == manager && entry["operation"] == "Apply");
    let fields = entry.map(|entry| &entry["fieldsV1"]["f:spec"]["f:template"]["f:spec"]);
    fields.cloned().unwrap_or_default()
}

/// Restricts a value to the fields of a model: Deployments have defaults that are not in the schema.
fn restricted(model: &Value, value: &Value) -> Value {
    match (model, value) {
        (Value::Object(model), Value::Object(value)) => model
            .iter()
            .filter_map(|(key, model)| Some((key.clone(), restricted(model, value.get(key)?))))
            .collect(),
        (Value::Array(model), Value::Array(value)) if model.len() == value.len() => {
            let pairs = model.iter().zip(value);
            pairs
                .map(|(model, value)| restricted(model, value))
                .collect()
        }
        _ => value.clone(),
    }
}

fn first() -> Value {
    json!({
        "containers": [{
            "name": "app", "image": "app:1",
            "env": [{"name": "ONE", "value": "1"}, {"name": "BOTH", "value": "same"}],
            "ports": [{"containerPort": 80}],
            "volumeMounts": [{"name": "one", "mountPath": "/one"}],
            "args": ["--one"],
        }],
        "volumes": [{"name": "one", "emptyDir": {}}],
        "imagePullSecrets": [{"name": "one"}],
        "hostAliases": [{"ip": "10.0.0.1", "hostnames": ["one"]}],
        "topologySpreadConstraints": [{"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule"}],
    })
}

fn second() -> Value {
    json!({
        "containers": [
            {
                "name": "app",
                "env": [{"name": "TWO", "value": "2"}, {"name": "BOTH", "value": "same"}],
                // The protocol is part of the key, and TCP by default.
                "ports": [{"containerPort": 80, "protocol": "UDP"}, {"containerPort": 443}],
                "volumeMounts": [{"name": "two", "mountPath": "/two"}],
            },
            {"name": "sidecar", "image": "sidecar:1"},
        ],
        "initContainers": [{"name": "init", "image": "init:1"}],
        "volumes": [{"name": "two", "emptyDir": {}}],
        "imagePullSecrets": [{"name": "two"}],
        "hostAliases": [{"ip": "10.0.0.2", "hostnames": ["two"]}],
        "topologySpreadConstraints": [{"maxSkew": 1, "topologyKey": "host", "whenUnsatisfiable": "DoNotSchedule"}],
    })
}

/// Returns the values of a key in a list.
fn each<'v>(list: &'v Value, key: &str) -> Vec<&'v Value> {
    list.as_array()
        .unwrap()
        .iter()
        .map(|one| &one[key])
        .collect()
}

#[tokio::test]
async fn pods_of_two_managers_are_merged_like_those_of_a_deployment() {
    let Some(server) = ApiServer::new().await else {
        return;
    };
    let name = "merged";
    let both = Both { server, name };
    both.apply("one", false, &first()).await;
    let merged = both.apply("two", false, &second()).await;
    // Lists that are not merged would be equal, too.
    assert_eq!(each(&merged["containers"], "name"), ["app", "sidecar"]);
    let app = &merged["containers"][0];
    assert_eq!(app["image"], "app:1");
    assert_eq!(each(&app["env"], "name").len(), 3);
    assert_eq!(each(&app["ports"], "containerPort"), [80, 80, 443]);
    assert_eq!(each(&app["ports"], "protocol"), ["TCP", "UDP", "TCP"]);
    for list in [
        "volumes",
        "imagePullSecrets",
        "hostAliases",
        "topologySpreadConstraints",
    ] {
        assert_eq!(merged[list].as_array().unwrap().len(), 2, "{list}");
    }

    // Values that only the first manager applied are removed.
    let mut less = first();
    less["containers"][0]["env"] = json!([]);
    less["containers"][0]["ports"] = json!([]);
    less["volumes"] = json!([{"name": "one", "emptyDir": {"medium": "Memory"}}]);
    let merged = both.apply("one", false, &less).await;
    let app = &merged["containers"][0];
    assert_eq!(each(&app["ports"], "containerPort"), [80, 443]);
    let mut names = each(&app["env"], "name");
    names.sort_by_key(ToString::to_string);
    assert_eq!(names, ["BOTH", "TWO"]);
}

#[tokio::test]
async fn conflicts_of_two_managers_equal_those_of_a_deployment() {
    let Some(server) = ApiServer::new().await else {
        return;
    };
    let name = "conflicts";
    let both = Both { server, name };
    let toleration = |key: &str| json!([{"key": key, "operator": "Exists"}]);
    let mut one = first();
    one["tolerations"] = toleration("one");
    one["nodeSelector"] = json!({"one": "yes"});
    both.apply("one", false, &one).await;

    // Tolerations, arguments, the selector and the image are atomic.
    let mut two = second();
    two["tolerations"] = toleration("two");
    two["nodeSelector"] = json!({"two": "yes"});
    two["containers"][0]["args"] = json!(["--two"]);
    two["containers"][0]["image"] = json!("app:2");
    let causes = both.apply("two", false, &two).await;
    let app = ".spec.template.spec.containers[name=\"app\"]";
    let expected = [
        ".spec.template.spec.nodeSelector",
        ".spec.template.spec.tolerations",
        &format!("{app}.args"),
        &format!("{app}.image"),
    ];
    assert_eq!(causes, json!(expected));

    let merged = both.apply("two", true, &two).await;
    assert_eq!(merged["tolerations"], toleration("two"));
    assert_eq!(merged["containers"][0]["image"], "app:2");
}
