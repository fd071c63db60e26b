//! Dropped connections, including watches, while objects change.

use std::time::Duration;

use tokio::time::sleep;

use crate::{
    control_plane::{ControlPlane, eventually},
    proxy::Proxy,
};

const OBJECTS: usize = 20;
const DROPS: usize = 20;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_change_is_missed_when_watches_are_dropped() {
    let Some(plane) = ControlPlane::new().await else {
        return;
    };
    let url = plane.environment.url();
    let proxy = Proxy::new(&url).await;
    let account = plane.account().await;
    let kubeconfig = proxy.kubeconfig(&plane.environment.kubeconfig_as(&account), &url);
    let operator = plane.operator_with("operator", &kubeconfig, &[]);
    let objects = plane.app_services().await;
    objects
        .create_many((0..OBJECTS).map(|number| format!("shop-{number}")))
        .await;
    // An operator that cannot connect at startup exits, which is not tested here.
    eventually("the operator works", || objects.are_converged(OBJECTS)).await;

    for round in 0..DROPS {
        proxy.drop_connections();
        for number in (0..OBJECTS).filter(|number| number % 4 == round % 4) {
            let image = format!("shop:{round}");
            let name = format!("shop-{number}");
            objects.set_image(&name, &image).await.unwrap();
        }
        sleep(Duration::from_millis(250)).await;
    }
    eventually("all objects converge", || objects.are_converged(OBJECTS)).await;
    assert!(operator.is_running());
}
