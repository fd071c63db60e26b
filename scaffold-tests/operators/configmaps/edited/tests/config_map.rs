// SPDX-License-Identifier: Apache-2.0

//! Integration tests of the ConfigMap controller against a real API server.
//!
//! The operator runs with the permissions in config/rbac.

mod logs;

use std::{sync::Arc, time::Duration};

use anyhow::Context;
use k8s_openapi::api::core::v1::ConfigMap;
use kb::Manager;
use kb::namespaces::Namespaces;
use kb::serde_json::{self, Value, json};
use kb_envtest::{Environment, SharedEnvironment};
use kube::api::{DeleteParams, ListParams, Patch, PatchParams, PostParams};
use kube::{Api, Client, ResourceExt};
use tokio::time::timeout;

use configmaps::{controller::config_map::register, lookup::Lookup};
use logs::Logs;

/// Name of the operator.
const OPERATOR: &str = "configmaps";

/// Time for the watch to recover from an outage: kube backs off for up to 30 s.
const RECOVERY_TIMEOUT: Duration = Duration::from_secs(60);

/// Returns the control plane shared by all tests in this file, or `None` if it is not installed.
async fn control_plane() -> anyhow::Result<Option<&'static Environment>> {
    static SHARED: SharedEnvironment = SharedEnvironment::new();
    let builder = Environment::builder();
    Ok(SHARED.start(builder).await?)
}

/// Administrator client for the ConfigMaps of a namespace.
struct Admin(Api<ConfigMap>);

impl Admin {
    fn new(client: Client, namespace: &str) -> Self {
        Self(Api::namespaced(client, namespace))
    }

    async fn create(&self, name: &str, labels: Value) -> anyhow::Result<()> {
        let config_map =
            json!({"metadata": {"name": name, "labels": labels}, "data": {"color": "red"}});
        let config_map = serde_json::from_value(config_map)?;
        self.0.create(&PostParams::default(), &config_map).await?;
        Ok(())
    }

    async fn patch(&self, name: &str, patch: Value) -> anyhow::Result<()> {
        let merge = Patch::Merge(&patch);
        self.0.patch(name, &PatchParams::default(), &merge).await?;
        Ok(())
    }

    async fn delete(&self, name: &str) -> anyhow::Result<()> {
        self.0.delete(name, &DeleteParams::default()).await?;
        Ok(())
    }
}

fn names(config_maps: &[Arc<ConfigMap>]) -> Vec<String> {
    let mut names: Vec<String> = config_maps
        .iter()
        .map(|config_map| config_map.name_any())
        .collect();
    names.sort();
    names
}

#[tokio::test]
async fn logs_added_changed_and_deleted_config_maps() -> anyhow::Result<()> {
    let Some(environment) = control_plane().await? else {
        return Ok(());
    };
    let (logs, _guard) = Logs::capture();
    let namespace = "configmaps-log";
    let operator = environment.operator(namespace, "config/rbac").await?;
    let admin = Admin::new(environment.client().await?, namespace);
    admin.create("existing", json!({})).await?;
    let namespaces = Namespaces::single(namespace);
    let manager = Manager::for_tests(OPERATOR, operator.client(), namespaces)?;
    register(&manager);
    let running = manager.spawn();

    let added = logs.wait_for("added config_map=configmaps-log/existing");
    operator
        .wait_for("the existing object is logged", added)
        .await?;
    admin.create("new", json!({"tier": "web"})).await?;
    let added = logs.wait_for("added config_map=configmaps-log/new");
    operator
        .wait_for("the added object is logged", added)
        .await?;
    admin
        .patch("new", json!({"data": {"color": "blue"}}))
        .await?;
    let changed = logs.wait_for("changed config_map=configmaps-log/new");
    operator
        .wait_for("the changed object is logged", changed)
        .await?;
    let reconciled = logs.wait_for("counted label key key=\"tier\" matching=1");
    operator
        .wait_for("the object is reconciled", reconciled)
        .await?;
    admin.delete("new").await?;
    let deleted = logs.wait_for("deleted config_map=configmaps-log/new");
    operator
        .wait_for("the deleted object is logged", deleted)
        .await?;

    running.stop().await?;
    for (change, count) in [("added", 2), ("changed", 1), ("deleted", 1)] {
        let logged = logs.count(&format!("{change} config_map=configmaps-log/"));
        assert_eq!(logged, count, "{change}");
    }
    // Fails if the operator sent a request that its role does not allow.
    operator.check()?;
    Ok(())
}

/// Creates two namespaces with ConfigMaps.
async fn create_namespaces(environment: &Environment) -> anyhow::Result<[Admin; 2]> {
    let namespace =
        |name| json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}});
    let names = ["configmaps-here", "configmaps-there"];
    environment.apply(names.map(namespace)).await?;
    let client = environment.client().await?;
    let [here, there] = names.map(|name| Admin::new(client.clone(), name));
    here.create("a", json!({"tier": "web", "team": "shop"}))
        .await?;
    here.create("b", json!({})).await?;
    there.create("c", json!({"tier": "data"})).await?;
    Ok([here, there])
}

#[tokio::test]
async fn lookups_by_namespace_and_label_key_read_the_cache() -> anyhow::Result<()> {
    let Some(environment) = control_plane().await? else {
        return Ok(());
    };
    let (logs, _guard) = Logs::capture();
    let operator = environment
        .operator("configmaps-here", "config/rbac")
        .await?;
    let [here, there] = create_namespaces(environment).await?;
    let namespaces = "configmaps-here,configmaps-there".parse()?;
    let manager = Manager::for_tests(OPERATOR, operator.client(), namespaces)?;
    register(&manager);
    let config_maps = manager.store::<ConfigMap>();
    let lookup = Lookup::new(&config_maps);
    let running = manager.spawn();
    operator
        .wait_for("the cache is synced", config_maps.wait_until_synced())
        .await?;

    assert_eq!(names(&lookup.in_namespace("configmaps-here")), ["a", "b"]);
    assert_eq!(names(&lookup.in_namespace("configmaps-there")), ["c"]);
    assert_eq!(names(&lookup.with_label("tier")), ["a", "c"]);
    assert_eq!(names(&lookup.with_label("team")), ["a"]);
    assert!(lookup.get("configmaps-there", "c").is_some());
    assert!(lookup.get("configmaps-here", "c").is_none());

    // Indexes follow changes.
    here.patch("a", json!({"metadata": {"labels": {"tier": null}}}))
        .await?;
    here.create("d", json!({"tier": "web"})).await?;
    there.delete("c").await?;
    for change in [
        "changed config_map=configmaps-here/a",
        "added config_map=configmaps-here/d",
        "deleted config_map=configmaps-there/c",
    ] {
        operator.wait_for(change, logs.wait_for(change)).await?;
    }
    assert_eq!(
        names(&lookup.in_namespace("configmaps-here")),
        ["a", "b", "d"]
    );
    assert!(lookup.in_namespace("configmaps-there").is_empty());
    assert_eq!(names(&lookup.with_label("tier")), ["d"]);
    assert_eq!(names(&lookup.with_label("team")), ["a"]);

    running.stop().await?;
    let calls = operator.calls();
    let uncached = calls
        .iter()
        .filter(|call| !["list", "watch"].contains(&call.verb()));
    assert_eq!(uncached.count(), 0, "{calls:?}");
    operator.check()?;
    Ok(())
}

#[tokio::test]
async fn misses_no_change_while_the_api_server_restarts() -> anyhow::Result<()> {
    // Reports that the test is skipped.
    if control_plane().await?.is_none() {
        return Ok(());
    }
    // Not shared, because this test stops the API server.
    let mut environment = Environment::builder().start().await?;
    let (logs, _guard) = Logs::capture();
    let namespace = "configmaps-restart";
    // Only the client: an operator would borrow the environment.
    let client = environment
        .operator(namespace, "config/rbac")
        .await?
        .client();
    let admin = Admin::new(environment.client().await?, namespace);
    for name in ["kept", "altered", "deleted", "recreated"] {
        admin.create(name, json!({"tier": "web"})).await?;
    }
    let manager = Manager::for_tests(OPERATOR, client, Namespaces::single(namespace))?;
    register(&manager);
    let lookup = Lookup::new(&manager.store::<ConfigMap>());
    let running = manager.spawn();
    let listed = logs.wait_for("added config_map=configmaps-restart/recreated");
    timeout(RECOVERY_TIMEOUT, listed).await?;

    environment.stop_api_server();
    timeout(RECOVERY_TIMEOUT, logs.wait_for("watch failed")).await?;
    let found = lookup.with_label("tier");
    assert_eq!(found.len(), 4, "lookups work without the API server");
    environment.start_api_server().await?;
    admin.create("new", json!({})).await?;
    admin
        .patch("altered", json!({"data": {"color": "blue"}}))
        .await?;
    admin.delete("deleted").await?;
    admin.delete("recreated").await?;
    admin.create("recreated", json!({})).await?;

    for (change, count) in [
        ("added config_map=configmaps-restart/new", 1),
        ("changed config_map=configmaps-restart/altered", 1),
        ("deleted config_map=configmaps-restart/deleted", 1),
        ("deleted config_map=configmaps-restart/recreated", 1),
        ("added config_map=configmaps-restart/recreated", 2),
    ] {
        let logged = timeout(RECOVERY_TIMEOUT, logs.wait_for_count(change, count));
        logged.await.context(change)?;
    }
    let kept = logs.count("config_map=configmaps-restart/kept");
    assert_eq!(kept, 1, "unchanged object");

    let listed = admin.0.list(&ListParams::default()).await?;
    let listed: Vec<String> = listed.iter().map(ResourceExt::name_any).collect();
    assert_eq!(names(&lookup.in_namespace(namespace)), listed);
    assert_eq!(names(&lookup.with_label("tier")), ["altered", "kept"]);
    running.stop().await?;
    Ok(())
}
