//! `SharedInformerFactory`: the manager gives out stores, starts their watches, and waits until they are filled.

use kb::{
    Flags, Manager,
    flags::BindAddress,
    k8s_openapi::api::core::v1::{ConfigMap, Secret},
    metrics::Metrics,
    shutdown::Shutdown,
    store::Store,
};

use super::place::{Place, soon};

/// As often as a kind is asked for, there is one watch of it. `manager.run()` starts them all.
fn stores(manager: &Manager) -> (Store<ConfigMap>, Store<Secret>) {
    (manager.store::<ConfigMap>(), manager.store::<Secret>())
}

#[tokio::test]
async fn the_manager_fills_the_stores_that_it_gave_out() {
    let Some(place) = Place::new("factory").await else {
        return;
    };
    place.make("one", "shop").await;
    let flags = Flags {
        health_probe_bind_address: BindAddress::Off,
        watch_namespace: place.namespace.parse().unwrap(),
        ..Flags::default()
    };
    let shutdown = Shutdown::default();
    let manager = Manager::with_client(
        "factory",
        flags,
        place.client.clone(),
        Metrics::new(),
        shutdown.clone(),
    )
    .unwrap();
    let (config_maps, secrets) = stores(&manager);
    let (again, _) = stores(&manager);
    let running = tokio::spawn(manager.run());
    soon(config_maps.wait_until_synced()).await;
    soon(secrets.wait_until_synced()).await;
    assert!(again.get(Some(place.namespace), "one").is_some());
    shutdown.drain.cancel();
    soon(running).await.unwrap().unwrap();
}
