//! What the API server fills in.

use kb::k8s_openapi::api::core::v1::ContainerPort;
use serde_json::json;

use crate::row::{Row, check, row};

const PORT: u16 = 8080;

/// What has defaults.
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
    /// Its own fields have defaults; itself it has none.
    pub inner: Option<Limits>,
    /// Each element has its own.
    pub many: Option<Vec<Limits>>,
    /// A default of Kubernetes' own types.
    pub container_port: Option<ContainerPort>,
}

/// How it works.
#[kb::object]
pub(crate) enum Mode {
    Fast,
    Slow,
}

/// What it may use.
#[kb::object]
pub(crate) struct Limits {
    #[kb(default = 1)]
    pub cpu: i32,
    #[kb(default = 32)]
    pub memory: i64,
}

/// All rows.
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
            .becomes(json!({}), all())
            .becomes(json!({"replicas": 3}), with("replicas", json!(3)))
            .becomes(json!({"hosts": []}), with("hosts", json!([])))
            // A default for the whole does not fill in parts: those have their own.
            .becomes(
                json!({"limits": {"cpu": 5}}),
                with("limits", json!({"cpu": 5, "memory": 32})),
            )
            .becomes(
                json!({"inner": {}}),
                with("inner", json!({"cpu": 1, "memory": 32})),
            )
            .becomes(
                json!({"many": [{}, {"cpu": 4}]}),
                with(
                    "many",
                    json!([{"cpu": 1, "memory": 32}, {"cpu": 4, "memory": 32}]),
                ),
            )
            .becomes(
                json!({"containerPort": {"containerPort": 80}}),
                with(
                    "containerPort",
                    json!({"containerPort": 80, "protocol": "TCP"}),
                ),
            )
            // What has a default and is no null is as good as absent when it is null.
            .becomes(json!({"mode": null, "name": null}), all()),
        row(&["default", "minimum"], "defaults.replicas").refuses(0, "greater than or equal to 1"),
        row(&["default"], "defaults.mode").refuses("Idle", "Unsupported value"),
    ]
}

#[tokio::test]
async fn defaults_are_filled_in_and_nothing_else_is() {
    check(table()).await;
}

#[test]
fn serde_fills_in_what_the_api_server_does() {
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
