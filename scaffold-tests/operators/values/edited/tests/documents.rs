// SPDX-License-Identifier: Apache-2.0

//! Round-trips of arbitrary JSON objects through the API server.

use kb::serde_json::{self, Map, Value, json};
use kb_envtest::{Environment, SharedEnvironment};
use kube::api::{ApiResource, DynamicObject, Patch, PatchParams, PostParams};
use kube::{Api, Client, ResourceExt};

use values_api::v1::{Release, ReleaseSpec};

/// Returns an administrator client of the control plane shared by all tests in this file, or `None` if it is not installed.
async fn admin() -> anyhow::Result<Option<Client>> {
    static SHARED: SharedEnvironment = SharedEnvironment::new();
    let builder = Environment::builder().crds(values_api::crds());
    match SHARED.start(builder).await? {
        Some(environment) => Ok(Some(environment.client().await?)),
        None => Ok(None),
    }
}

/// Returns documents that a stricter schema would reject or prune.
fn documents() -> Vec<(&'static str, Value)> {
    vec![
        ("empty", json!({})),
        (
            "empty-inside",
            json!({"map": {}, "list": [], "text": "", "lists": [[], [[]], {}]}),
        ),
        (
            "nulls",
            json!({"null": null, "map": {"null": null}, "list": [null, [null], {"null": null}]}),
        ),
        (
            "numbers",
            json!({
                "zero": 0, "negative": -1, "long": i64::MAX, "least": i64::MIN,
                "half": 0.5, "small": 1.5e-300, "large": 1.5e22, "third": 0.333_333_333_333_333_3,
            }),
        ),
        (
            "ambiguous-strings",
            json!({"no": "no", "on": "on", "null": "null", "number": "012", "float": "1e3", "date": "2020-01-01", "long": "x".repeat(10_000)}),
        ),
        (
            "mixed-list",
            json!({"list": [1, "1", 1.5, true, null, {"a": [1]}, [{"b": 2}]]}),
        ),
        (
            "odd-keys",
            json!({
                "": 1, " ": 2, ".": 3, "a.b/c": 4, "$ref": "#/x", "~1": 5, "\"quoted\"": 6, "line\nbreak": 7, "größe": 8, "日本": 9,
                "on": 10, "1": 11, "__proto__": 12,
            }),
        ),
        (
            "kubernetes-object",
            json!({
                "apiVersion": "v1", "kind": "Pod", "metadata": {"name": 7, "labels": ["no", "map"], "managedFields": {}}, "spec": {}, "status": null,
            }),
        ),
        ("deep", deep(50)),
    ]
}

/// Returns nested lists and maps. `serde_json` reads at most 128 levels.
fn deep(maps: u32) -> Value {
    (0..maps).fold(json!("the end"), |inside, _| json!({"in": [inside]}))
}

fn release(name: &str, values: &Value) -> anyhow::Result<Release> {
    let values: Map<String, Value> = serde_json::from_value(values.clone())?;
    let chart = "nginx".to_owned();
    Ok(Release::new(name, ReleaseSpec { chart, values }))
}

#[tokio::test]
async fn created_and_replaced_documents_round_trip() -> anyhow::Result<()> {
    let Some(admin) = admin().await? else {
        return Ok(());
    };
    let typed: Api<Release> = Api::default_namespaced(admin.clone());
    // Untyped, to see every field in the API server.
    let resource = ApiResource::erase::<Release>(&());
    let raw: Api<DynamicObject> = Api::default_namespaced_with(admin, &resource);
    for (name, values) in documents() {
        let created = typed
            .create(&PostParams::default(), &release(name, &values)?)
            .await?;
        assert_eq!(Value::Object(created.spec.values), values, "{name} created");
        let stored = raw.get(name).await?;
        assert_eq!(stored.data["spec"]["values"], values, "{name} stored");

        let mut read = typed.get(name).await?;
        read.labels_mut().insert("touched".into(), "yes".into());
        let replaced = typed.replace(name, &PostParams::default(), &read).await?;
        assert_eq!(
            Value::Object(replaced.spec.values),
            values,
            "{name} replaced"
        );
    }
    Ok(())
}

#[tokio::test]
async fn applied_documents_round_trip() -> anyhow::Result<()> {
    let Some(admin) = admin().await? else {
        return Ok(());
    };
    let releases: Api<Release> = Api::default_namespaced(admin);
    let params = PatchParams::apply("documents");
    for (document, values) in documents() {
        let name = format!("applied-{document}");
        let release = release(&name, &values)?;
        let applied = releases
            .patch(&name, &params, &Patch::Apply(&release))
            .await?;
        assert_eq!(Value::Object(applied.spec.values), values, "{document}");
    }
    Ok(())
}

/// The API server stores numbers as 64-bit integers or floats and normalizes their notation.
#[tokio::test]
async fn numbers_keep_their_value_but_not_their_notation() -> anyhow::Result<()> {
    let Some(admin) = admin().await? else {
        return Ok(());
    };
    let releases: Api<Release> = Api::default_namespaced(admin);
    let sent = release("notation", &json!({"whole": 2.0, "beyond": u64::MAX}))?;
    let created = releases.create(&PostParams::default(), &sent).await?;
    let expected = json!({"whole": 2, "beyond": 18_446_744_073_709_551_615_f64});
    assert_eq!(Value::Object(created.spec.values), expected);
    Ok(())
}

#[tokio::test]
async fn rejects_values_other_than_objects() -> anyhow::Result<()> {
    let Some(admin) = admin().await? else {
        return Ok(());
    };
    let resource = ApiResource::erase::<Release>(&());
    let releases: Api<DynamicObject> = Api::default_namespaced_with(admin, &resource);
    for values in [json!(null), json!([]), json!("text"), json!(1)] {
        let spec = json!({"spec": {"chart": "nginx", "values": values}});
        let release = DynamicObject::new("rejected", &resource).data(spec);
        let result = releases.create(&PostParams::default(), &release).await;
        let message = result
            .err()
            .map(|error| error.to_string())
            .unwrap_or_default();
        assert!(message.contains("spec.values"), "{values}: {message:?}");
    }
    Ok(())
}

#[test]
fn schema_of_values_is_an_open_object() -> anyhow::Result<()> {
    let crd = serde_json::to_value(Release::crd())?;
    let schema = &crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"];
    let mut values = schema["properties"]["spec"]["properties"]["values"].clone();
    for annotation in ["description", "example"] {
        values
            .as_object_mut()
            .and_then(|values| values.remove(annotation));
    }
    assert_eq!(
        values,
        json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true})
    );
    Ok(())
}

#[test]
fn clone_is_a_deep_copy() -> anyhow::Result<()> {
    let original = release("original", &json!({"service": {"ports": [80]}}))?;
    let mut copy = original.clone();
    assert_eq!(copy, original);
    copy.spec.values["service"]["ports"] = json!([]);
    assert_eq!(original.spec.values["service"]["ports"], json!([80]));
    assert_ne!(copy, original);
    Ok(())
}
