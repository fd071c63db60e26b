//! An embedded `PodTemplateSpec` that two managers apply is merged as that of a Deployment is.
//!
//! The same is applied to a custom resource and to a Deployment. After every step what was merged, who manages what, and what is refused must
//! be the same in both.

use kb::k8s_openapi::api::core::v1::PodTemplateSpec;
use serde_json::{Value, json};

use crate::place::{Answer, Place};

/// What runs.
#[kb::resource(group = "schemas.example.com", version = "v1", kind = "Templated")]
pub(crate) struct TemplatedSpec {
    pub template: Option<PodTemplateSpec>,
}

/// A custom resource and a Deployment.
struct Both {
    place: Place,
    name: &'static str,
}

impl Both {
    /// Both take the spec of a pod, or refuse it for the same fields.
    async fn apply(&self, manager: &str, force: bool, pod: &Value) -> Value {
        let name = self.name;
        let query = format!("?fieldManager={manager}&force={force}");
        let custom = json!({
            "apiVersion": "schemas.example.com/v1", "kind": "Templated", "metadata": {"name": name},
            "spec": {"template": {"spec": pod}},
        });
        let path =
            format!("/apis/schemas.example.com/v1/namespaces/default/templateds/{name}{query}");
        let custom = self.place.apply(&path, &custom).await;

        let labels = json!({"app": name});
        let deployment = json!({
            "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": name},
            "spec": {"selector": {"matchLabels": labels}, "template": {"metadata": {"labels": labels}, "spec": pod}},
        });
        let path = format!("/apis/apps/v1/namespaces/default/deployments/{name}{query}");
        let deployment = self.place.apply(&path, &deployment).await;

        assert_eq!(custom.code, deployment.code, "{custom:#?} {deployment:#?}");
        if !custom.is_success() {
            assert_eq!(causes(&custom), causes(&deployment));
            return causes(&custom);
        }
        let merged = custom.body["spec"]["template"]["spec"].clone();
        let theirs = &deployment.body["spec"]["template"]["spec"];
        assert_eq!(merged, like(&merged, theirs), "of {theirs:#}");
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

/// The fields that an apply was refused for.
fn causes(answer: &Answer) -> Value {
    let causes = answer.body["details"]["causes"].as_array();
    let fields = causes.into_iter().flatten().map(|cause| &cause["field"]);
    fields.cloned().collect()
}

/// What a manager has applied of the pod.
fn managed(answer: &Answer, manager: &str) -> Value {
    let entries = answer.body["metadata"]["managedFields"].as_array();
    let mut entries = entries.unwrap().iter();
    let entry = entries.find(|entry| entry["manager"] == manager && entry["operation"] == "Apply");
    let fields = entry.map(|entry| &entry["fieldsV1"]["f:spec"]["f:template"]["f:spec"]);
    fields.cloned().unwrap_or_default()
}

/// What a value has of the fields of another: a Deployment has defaults that only its own code knows.
fn like(model: &Value, value: &Value) -> Value {
    match (model, value) {
        (Value::Object(model), Value::Object(value)) => model
            .iter()
            .filter_map(|(key, model)| Some((key.clone(), like(model, value.get(key)?))))
            .collect(),
        (Value::Array(model), Value::Array(value)) if model.len() == value.len() => {
            let pairs = model.iter().zip(value);
            pairs.map(|(model, value)| like(model, value)).collect()
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
                // The protocol is part of the key, and TCP if it is not said.
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

/// The values of a key in a list.
fn each<'v>(list: &'v Value, key: &str) -> Vec<&'v Value> {
    list.as_array()
        .unwrap()
        .iter()
        .map(|one| &one[key])
        .collect()
}

#[tokio::test]
async fn the_pods_of_two_managers_are_merged_as_those_of_a_deployment() {
    let Some(place) = Place::new().await else {
        return;
    };
    let name = "merged";
    let both = Both { place, name };
    both.apply("one", false, &first()).await;
    let merged = both.apply("two", false, &second()).await;
    // That it is the same would be true of two lists that are not merged, too.
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

    // What one no longer wants goes, and what two or both have stays.
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
async fn what_two_managers_cannot_share_is_the_same_conflict_as_in_a_deployment() {
    let Some(place) = Place::new().await else {
        return;
    };
    let name = "conflicts";
    let both = Both { place, name };
    let toleration = |key: &str| json!([{"key": key, "operator": "Exists"}]);
    let mut one = first();
    one["tolerations"] = toleration("one");
    one["nodeSelector"] = json!({"one": "yes"});
    both.apply("one", false, &one).await;

    // Tolerations, arguments and the selector are one value each; an image is one anyway.
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
