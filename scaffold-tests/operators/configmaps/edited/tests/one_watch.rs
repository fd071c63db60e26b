// SPDX-License-Identifier: Apache-2.0

//! Counts the open watches of ConfigMaps in the API server. The count includes all clients, so this file has a single test.

use std::sync::Arc;

use futures::StreamExt;
use k8s_openapi::api::core::v1::ConfigMap;
use kb::Manager;
use kb::controller::{Action, Controller, Error};
use kb::namespaces::Namespaces;
use kb::store::Change;
use kb_envtest::{Environment, SharedEnvironment};
use kube::api::{ListParams, ObjectMeta, PostParams};
use kube::core::Request;
use kube::{Api, Client, ResourceExt};
use tokio::sync::mpsc::{self, UnboundedSender};

use configmaps::{controller::config_map::register, lookup::Lookup};

async fn reconcile(
    object: Arc<ConfigMap>,
    seen: Arc<UnboundedSender<String>>,
) -> Result<Action, Error> {
    let _ = seen.send(object.name_any());
    Ok(Action::await_change())
}

/// Returns the number of open cluster-wide watches of ConfigMaps, from the metrics of the API server.
async fn open_watches(admin: &Client) -> anyhow::Result<u64> {
    let request = Request::new("/metrics").list(&ListParams::default())?;
    let metrics = admin.request_text(request).await?;
    let is_watch = |line: &&str| {
        line.starts_with("apiserver_longrunning_requests{")
            && [
                "resource=\"configmaps\"",
                "scope=\"cluster\"",
                "verb=\"WATCH\"",
            ]
            .iter()
            .all(|label| line.contains(label))
    };
    let counts = metrics
        .lines()
        .filter(is_watch)
        .filter_map(|line| line.split(' ').next_back());
    let counts: Result<Vec<u64>, _> = counts.map(str::parse).collect();
    Ok(counts?.iter().sum())
}

#[tokio::test]
async fn several_consumers_share_one_watch() -> anyhow::Result<()> {
    static SHARED: SharedEnvironment = SharedEnvironment::new();
    let Some(environment) = SHARED.start(Environment::builder()).await? else {
        return Ok(());
    };
    let admin = environment.client().await?;
    let before = open_watches(&admin).await?;
    let operator = environment
        .operator("configmaps-watch", "config/rbac")
        .await?;
    let manager = Manager::for_tests("configmaps", operator.client(), Namespaces::All)?;

    // The operator, a second controller, a subscriber and lookups.
    register(&manager);
    let (seen, mut reconciled) = mpsc::unbounded_channel();
    let second = Controller::new("second", &manager.store::<ConfigMap>());
    manager.add_controller(second, reconcile, seen);
    let mut changes = manager.store::<ConfigMap>().subscribe();
    let config_maps = manager.store::<ConfigMap>();
    let lookup = Lookup::new(&config_maps);
    let running = manager.spawn();
    operator
        .wait_for("the cache is synced", config_maps.wait_until_synced())
        .await?;

    // Once all consumers have received an object created after the list, all of their watches are open.
    let new = ConfigMap {
        metadata: ObjectMeta {
            name: Some("new".to_owned()),
            ..ObjectMeta::default()
        },
        ..ConfigMap::default()
    };
    let api: Api<ConfigMap> = Api::namespaced(admin.clone(), "configmaps-watch");
    api.create(&PostParams::default(), &new).await?;
    let received = async {
        while reconciled.recv().await.is_some_and(|name| name != "new") {}
        while let Some(change) = changes.next().await {
            if matches!(&change, Change::Applied { new, .. } if new.name_any() == "new") {
                return;
            }
        }
    };
    operator
        .wait_for("all consumers receive the object", received)
        .await?;
    assert!(lookup.get("configmaps-watch", "new").is_some());
    assert_eq!(open_watches(&admin).await? - before, 1);

    running.stop().await?;
    operator.check()?;
    Ok(())
}
