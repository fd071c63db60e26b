//! Connections that are cut while objects change: those of the watches among them.

use std::time::Duration;

use tokio::time::sleep;

use crate::{
    place::{Place, eventually},
    proxy::Proxy,
};

const OBJECTS: usize = 20;
const CUTS: usize = 20;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_change_is_missed_when_watches_are_cut() {
    let Some(place) = Place::new().await else {
        return;
    };
    let url = place.environment.url();
    let proxy = Proxy::new(&url).await;
    let account = place.account().await;
    let kubeconfig = proxy.leads(&place.environment.kubeconfig_as(&account), &url);
    let operator = place.operator_with("operator", &kubeconfig, &[]);
    let objects = place.app_services().await;
    objects
        .create_many((0..OBJECTS).map(|number| format!("shop-{number}")))
        .await;
    // An operator that cannot connect when it starts ends: that is another matter.
    eventually("the operator works", || objects.are_settled(OBJECTS)).await;

    for cut in 0..CUTS {
        proxy.cut();
        for number in (0..OBJECTS).filter(|number| number % 4 == cut % 4) {
            let image = format!("shop:{cut}");
            let name = format!("shop-{number}");
            objects.set_image(&name, &image).await.unwrap();
        }
        sleep(Duration::from_millis(250)).await;
    }
    eventually("every object has what its spec asks for", || {
        objects.are_settled(OBJECTS)
    })
    .await;
    assert!(operator.runs());
}
