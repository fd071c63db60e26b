//! The status: written once, with the times of its conditions, and never over what was not seen.

use kb::objects::{Objects, conditions};
use kube::api::{Patch, PatchParams};
use serde_json::json;

use crate::{
    place::{OPERATOR, Place},
    shop::{Shop, ShopStatus},
};

fn ready(shop: &Shop, message: &str) -> ShopStatus {
    let mut status = shop.status.clone().unwrap_or_default();
    let ready = conditions::ready(true, "Done", message, shop.metadata.generation);
    conditions::set(&mut status.conditions, ready);
    status
}

#[tokio::test]
async fn a_status_is_written_once_and_keeps_its_times() {
    let Some(place) = Place::new("status").await else {
        return;
    };
    let shop = place.shop("s").await;
    let (client, requests) = place.recorder().await;
    let objects = Objects::new(client, OPERATOR);

    let written = objects
        .patch_status(&shop, &ready(&shop, "one"))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(requests.take(), ["PATCH"]);
    assert_eq!(written.metadata.generation, shop.metadata.generation);

    // A second passes, for times are in seconds.
    tokio::time::sleep(std::time::Duration::from_millis(1100)).await;
    let again = objects
        .patch_status(&written, &ready(&written, "one"))
        .await
        .unwrap();
    assert!(again.is_none() && requests.take().is_empty());
    // Nor by one that was started anew.
    let restarted = Objects::new(place.admin.clone(), OPERATOR);
    assert!(
        restarted
            .patch_status(&written, &ready(&written, "one"))
            .await
            .unwrap()
            .is_none()
    );

    let changed = objects
        .patch_status(&written, &ready(&written, "two"))
        .await
        .unwrap()
        .unwrap();
    let condition = |shop: &Shop| shop.status.clone().unwrap().conditions[0].clone();
    assert_eq!(condition(&changed).message, "two");
    assert_eq!(
        condition(&changed).last_transition_time,
        condition(&written).last_transition_time
    );
}

#[tokio::test]
async fn a_status_of_an_old_object_is_a_conflict() {
    let Some(place) = Place::new("status-conflict").await else {
        return;
    };
    let old = place.shop("s").await;
    let change = json!({"spec": {"motto": "new"}});
    place
        .api::<Shop>()
        .patch("s", &PatchParams::default(), &Patch::Merge(&change))
        .await
        .unwrap();
    let objects = Objects::new(place.admin.clone(), OPERATOR);
    let refused = objects
        .patch_status(&old, &ready(&old, "one"))
        .await
        .unwrap_err();
    assert!(
        matches!(&refused, kube::Error::Api(status) if status.code == 409),
        "{refused}"
    );
    assert!(place.api::<Shop>().get("s").await.unwrap().status.is_none());
}
