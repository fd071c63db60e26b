// SPDX-License-Identifier: Apache-2.0

//! The configmap controller on a real API server. The operator runs under its own role: config/rbac.

mod logs;

use std::{sync::Arc, time::Duration};

use anyhow::Context;
use k8s_openapi::api::core::v1::ConfigMap;
use kb::Manager;
use kb::namespaces::Namespaces;
use kb::serde_json::{self, Value, json};
use kb_envtest::{Environment, Shared};
use kube::api::{DeleteParams, ListParams, Patch, PatchParams, PostParams};
use kube::{Api, Client, ResourceExt};
use tokio::time::timeout;

use configmaps::{controller::config_map::start, lookup::Lookup};
use logs::Logs;

/// What the operator is called.
const OPERATOR: &str = "configmaps";

/// How long after an outage the watch may take to begin again: kube waits up to 30 s between attempts.
const AFTER_AN_OUTAGE: Duration = Duration::from_secs(60);

/// The control plane that all tests of this file share; none, if there is none to start.
async fn control_plane() -> anyhow::Result<Option<&'static Environment>> {
    static SHARED: Shared = Shared::new();
    let builder = Environment::builder();
    Ok(SHARED.start(builder).await?)
}

/// The ConfigMaps of a namespace, as the administrator changes them.
struct Admin(Api<ConfigMap>);

impl Admin {
    fn new(client: Client, namespace: &str) -> Self {
        Self(Api::namespaced(client, namespace))
    }

    async fn create(&self, name: &str, labels: Value) -> anyhow::Result<()> {
        let config_map =
            json!({"metadata": {"name": name, "labels": labels}, "data": {"colour": "red"}});
        let config_map = serde_json::from_value(config_map)?;
        self.0.create(&PostParams::default(), &config_map).await?;
        Ok(())
    }

    async fn change(&self, name: &str, change: Value) -> anyhow::Result<()> {
        let merge = Patch::Merge(&change);
        self.0.patch(name, &PatchParams::default(), &merge).await?;
        Ok(())
    }

    async fn delete(&self, name: &str) -> anyhow::Result<()> {
        self.0.delete(name, &DeleteParams::default()).await?;
        Ok(())
    }
}

fn names(found: &[Arc<ConfigMap>]) -> Vec<String> {
    let mut names: Vec<String> = found.iter().map(|found| found.name_any()).collect();
    names.sort();
    names
}

#[tokio::test]
async fn added_changed_and_deleted_config_maps_are_logged() -> anyhow::Result<()> {
    let Some(environment) = control_plane().await? else {
        return Ok(());
    };
    let (logs, _guard) = Logs::capture();
    let namespace = "configmaps-log";
    let operator = environment.operator(namespace, "config/rbac").await?;
    let admin = Admin::new(environment.client().await?, namespace);
    admin.create("before", json!({})).await?;
    let watched = Namespaces::single(namespace);
    let manager = Manager::for_tests(OPERATOR, operator.client(), watched)?;
    start(&manager);
    let running = manager.spawn();

    let added = logs.say("added config_map=configmaps-log/before");
    operator.until("what was there is logged", added).await?;
    admin.create("new", json!({"tier": "web"})).await?;
    let added = logs.say("added config_map=configmaps-log/new");
    operator.until("what is added is logged", added).await?;
    admin
        .change("new", json!({"data": {"colour": "blue"}}))
        .await?;
    let changed = logs.say("changed config_map=configmaps-log/new");
    operator.until("what is changed is logged", changed).await?;
    let reconciled = logs.say("has a label key=\"tier\" labelled=1");
    operator.until("it is reconciled", reconciled).await?;
    admin.delete("new").await?;
    let deleted = logs.say("deleted config_map=configmaps-log/new");
    operator.until("what is deleted is logged", deleted).await?;

    running.stop().await?;
    for (change, times) in [("added", 2), ("changed", 1), ("deleted", 1)] {
        let logged = logs.count(&format!("{change} config_map=configmaps-log/"));
        assert_eq!(logged, times, "{change}");
    }
    // No call was made that the role does not declare.
    operator.check()?;
    Ok(())
}

/// Two namespaces with ConfigMaps in them.
async fn filled_namespaces(environment: &Environment) -> anyhow::Result<[Admin; 2]> {
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
async fn look_ups_by_namespace_and_label_key_are_answered_from_the_cache() -> anyhow::Result<()> {
    let Some(environment) = control_plane().await? else {
        return Ok(());
    };
    let (logs, _guard) = Logs::capture();
    let operator = environment
        .operator("configmaps-here", "config/rbac")
        .await?;
    let [here, there] = filled_namespaces(environment).await?;
    let watched = "configmaps-here,configmaps-there".parse()?;
    let manager = Manager::for_tests(OPERATOR, operator.client(), watched)?;
    start(&manager);
    let config_maps = manager.store::<ConfigMap>();
    let lookup = Lookup::new(&config_maps);
    let running = manager.spawn();
    operator
        .until("all are listed", config_maps.wait_until_synced())
        .await?;

    assert_eq!(names(&lookup.in_namespace("configmaps-here")), ["a", "b"]);
    assert_eq!(names(&lookup.in_namespace("configmaps-there")), ["c"]);
    assert_eq!(names(&lookup.with_label("tier")), ["a", "c"]);
    assert_eq!(names(&lookup.with_label("team")), ["a"]);
    assert!(lookup.get("configmaps-there", "c").is_some());
    assert!(lookup.get("configmaps-here", "c").is_none());

    // Indexes follow.
    here.change("a", json!({"metadata": {"labels": {"tier": null}}}))
        .await?;
    here.create("d", json!({"tier": "web"})).await?;
    there.delete("c").await?;
    for change in [
        "changed config_map=configmaps-here/a",
        "added config_map=configmaps-here/d",
        "deleted config_map=configmaps-there/c",
    ] {
        operator.until(change, logs.say(change)).await?;
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
    let asked = calls
        .iter()
        .filter(|call| !["list", "watch"].contains(&call.verb()));
    assert_eq!(asked.count(), 0, "{calls:?}");
    operator.check()?;
    Ok(())
}

#[tokio::test]
async fn no_change_is_missed_while_the_api_server_restarts() -> anyhow::Result<()> {
    // Says that it is skipped, if it is.
    if control_plane().await?.is_none() {
        return Ok(());
    }
    // Its own: the other tests would notice.
    let mut environment = Environment::builder().start().await?;
    let (logs, _guard) = Logs::capture();
    let namespace = "configmaps-restart";
    // An operator under test holds on to its environment; its client does not.
    let client = environment
        .operator(namespace, "config/rbac")
        .await?
        .client();
    let admin = Admin::new(environment.client().await?, namespace);
    for name in ["kept", "altered", "gone", "remade"] {
        admin.create(name, json!({"tier": "web"})).await?;
    }
    let manager = Manager::for_tests(OPERATOR, client, Namespaces::single(namespace))?;
    start(&manager);
    let lookup = Lookup::new(&manager.store::<ConfigMap>());
    let running = manager.spawn();
    let listed = logs.say("added config_map=configmaps-restart/remade");
    timeout(AFTER_AN_OUTAGE, listed).await?;

    environment.stop_api_server();
    timeout(AFTER_AN_OUTAGE, logs.say("the watch fails")).await?;
    let found = lookup.with_label("tier");
    assert_eq!(found.len(), 4, "look-ups need no API server");
    environment.start_api_server().await?;
    admin.create("new", json!({})).await?;
    admin
        .change("altered", json!({"data": {"colour": "blue"}}))
        .await?;
    admin.delete("gone").await?;
    admin.delete("remade").await?;
    admin.create("remade", json!({})).await?;

    for (change, times) in [
        ("added config_map=configmaps-restart/new", 1),
        ("changed config_map=configmaps-restart/altered", 1),
        ("deleted config_map=configmaps-restart/gone", 1),
        ("deleted config_map=configmaps-restart/remade", 1),
        ("added config_map=configmaps-restart/remade", 2),
    ] {
        let logged = timeout(AFTER_AN_OUTAGE, logs.say_times(change, times));
        logged.await.context(change)?;
    }
    let of_kept = logs.count("config_map=configmaps-restart/kept");
    assert_eq!(of_kept, 1, "nothing happened to it");

    let listed = admin.0.list(&ListParams::default()).await?;
    let listed: Vec<String> = listed.iter().map(ResourceExt::name_any).collect();
    assert_eq!(names(&lookup.in_namespace(namespace)), listed);
    assert_eq!(names(&lookup.with_label("tier")), ["altered", "kept"]);
    running.stop().await?;
    Ok(())
}
