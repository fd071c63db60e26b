//! Defaults.

use kb::k8s_openapi::api::core::v1::ContainerPort;
use serde_json::json;

use crate::row::{Row, check, row};

const PORT: u16 = 8080;

/// Fields with defaults.
#[kb::object]
pub(crate) struct Defaults {
    #[kb(default = 1, minimum = 1)]
    pub replicas: i32,
    #[kb(default = "web")]
    pub name: String,
    #[kb(default = true)]
    pub enabled: Option<bool>,
    #[kb(default = Mode::Fast)]
    pub mode: Mode,
    #[kb(default = vec!["a".to_owned()])]
    pub hosts: Vec<String>,
    #[kb(default = PORT)]
    pub port: u16,
    #[kb(default = Limits { cpu: 2, memory: 64 })]
    pub limits: Limits,
    /// Its fields have defaults, but it has none itself.
    pub inner: Option<Limits>,
    /// Defaults of each element.
    pub many: Option<Vec<Limits>>,
    /// Default of a built-in type.
    pub container_port: Option<ContainerPort>,
}

/// A mode.
#[kb::object]
pub(crate) enum Mode {
    Fast,
    Slow,
}

/// Resource limits.
#[kb::object]
pub(crate) struct Limits {
    #[kb(default = 1)]
    pub cpu: i32,
    #[kb(default = 32)]
    pub memory: i64,
}

/// Returns all rows.
pub(crate) fn table() -> Vec<Row> {
    let all = || {
        json!({
            "replicas": 1, "name": "web", "enabled": true, "mode": "Fast", "hosts": ["a"], "port": 8080,
            "limits": {"cpu": 2, "memory": 64},
        })
    };
    let with = |field: &str, value: serde_json::Value| {
        let mut all = all();
        all[field] = value;
        all
    };
    vec![
        row(&["default"], "defaults")
            .stores(json!({}), all())
            .stores(json!({"replicas": 3}), with("replicas", json!(3)))
            .stores(json!({"hosts": []}), with("hosts", json!([])))
            // The default of an object does not set fields of a given object.
            .stores(
                json!({"limits": {"cpu": 5}}),
                with("limits", json!({"cpu": 5, "memory": 32})),
            )
            .stores(
                json!({"inner": {}}),
                with("inner", json!({"cpu": 1, "memory": 32})),
            )
            .stores(
                json!({"many": [{}, {"cpu": 4}]}),
                with(
                    "many",
                    json!([{"cpu": 1, "memory": 32}, {"cpu": 4, "memory": 32}]),
                ),
            )
            .stores(
                json!({"containerPort": {"containerPort": 80}}),
                with(
                    "containerPort",
                    json!({"containerPort": 80, "protocol": "TCP"}),
                ),
            )
            // Null is replaced by the default where it is not allowed.
            .stores(json!({"mode": null, "name": null}), all()),
        row(&["default", "minimum"], "defaults.replicas").rejects(0, "greater than or equal to 1"),
        row(&["default"], "defaults.mode").rejects("Idle", "Unsupported value"),
    ]
}

#[tokio::test]
async fn defaults_are_applied() {
    check(table()).await;
}

#[test]
fn serde_applies_the_same_defaults() {
    let read: Defaults = serde_json::from_value(json!({"inner": {}})).unwrap();
    let (inner, limits) = (Limits { cpu: 1, memory: 32 }, Limits { cpu: 2, memory: 64 });
    assert_eq!((read.inner, read.limits), (Some(inner), limits));
    assert_eq!(
        (read.replicas, read.name.as_str(), read.port),
        (1, "web", 8080)
    );
    assert_eq!(
        (read.enabled, read.hosts),
        (Some(true), vec!["a".to_owned()])
    );
}
