//! `SharedInformerFactory`: the manager creates stores, runs their watches and waits until they are synced.

use kb::{
    Flags, Manager,
    flags::BindAddress,
    k8s_openapi::api::core::v1::{ConfigMap, Secret},
    metrics::Metrics,
    shutdown::Shutdown,
    store::Store,
};

use super::test_namespace::{TestNamespace, within_30s};

/// Returns shared stores with one watch per kind, which `manager.run()` starts.
fn stores(manager: &Manager) -> (Store<ConfigMap>, Store<Secret>) {
    (manager.store::<ConfigMap>(), manager.store::<Secret>())
}

#[tokio::test]
async fn manager_syncs_its_stores() {
    let Some(test) = TestNamespace::new("factory").await else {
        return;
    };
    test.create("one", "shop").await;
    let flags = Flags {
        health_probe_bind_address: BindAddress::Off,
        watch_namespace: test.namespace.parse().unwrap(),
        ..Flags::default()
    };
    let shutdown = Shutdown::default();
    let manager = Manager::with_client(
        "factory",
        flags,
        test.client.clone(),
        Metrics::new(),
        shutdown.clone(),
    )
    .unwrap();
    let (config_maps, secrets) = stores(&manager);
    let (again, _) = stores(&manager);
    let running = tokio::spawn(manager.run());
    within_30s(config_maps.wait_until_synced()).await;
    within_30s(secrets.wait_until_synced()).await;
    assert!(again.get(Some(test.namespace), "one").is_some());
    shutdown.drain.cancel();
    within_30s(running).await.unwrap().unwrap();
}
