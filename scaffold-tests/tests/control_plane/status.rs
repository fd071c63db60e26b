//! Status patches: sent once, with stable transition times, and with conflict detection.

use kb::objects::{Objects, conditions};
use kube::api::{Patch, PatchParams};
use serde_json::json;

use crate::{
    shop::{Shop, ShopStatus},
    test_namespace::{OPERATOR, TestNamespace},
};

fn ready(shop: &Shop, message: &str) -> ShopStatus {
    let mut status = shop.status.clone().unwrap_or_default();
    let ready = conditions::ready(true, "Done", message, shop.metadata.generation);
    conditions::set(&mut status.conditions, ready);
    status
}

#[tokio::test]
async fn a_status_is_patched_once_and_keeps_its_transition_times() {
    let Some(test) = TestNamespace::new("status").await else {
        return;
    };
    let shop = test.shop("s").await;
    let (client, requests) = test.recorded_client().await;
    let objects = Objects::new(client, OPERATOR);

    let written = objects
        .patch_status(&shop, &ready(&shop, "one"))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(requests.take(), ["PATCH"]);
    assert_eq!(written.metadata.generation, shop.metadata.generation);

    // Transition times have a resolution of one second.
    tokio::time::sleep(std::time::Duration::from_millis(1100)).await;
    let again = objects
        .patch_status(&written, &ready(&written, "one"))
        .await
        .unwrap();
    assert!(again.is_none() && requests.take().is_empty());
    // Nor by a restarted operator.
    let restarted = Objects::new(test.admin.clone(), OPERATOR);
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
async fn a_status_of_a_stale_object_is_a_conflict() {
    let Some(test) = TestNamespace::new("status-conflict").await else {
        return;
    };
    let old = test.shop("s").await;
    let change = json!({"spec": {"motto": "new"}});
    test.api::<Shop>()
        .patch("s", &PatchParams::default(), &Patch::Merge(&change))
        .await
        .unwrap();
    let objects = Objects::new(test.admin.clone(), OPERATOR);
    let rejected = objects
        .patch_status(&old, &ready(&old, "one"))
        .await
        .unwrap_err();
    assert!(
        matches!(&rejected, kube::Error::Api(status) if status.code == 409),
        "{rejected}"
    );
    assert!(test.api::<Shop>().get("s").await.unwrap().status.is_none());
}
