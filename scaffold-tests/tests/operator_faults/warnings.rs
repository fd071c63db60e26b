//! What the API server warns of.

use serde_json::json;

use crate::place::{Place, eventually};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_warning_of_the_api_server_is_logged_once() {
    let Some(place) = Place::new().await else {
        return;
    };
    let warning = "AppServices of \"v1alpha1\" are going away";
    let mut deprecated = place.crd();
    let version = &mut deprecated["spec"]["versions"][0];
    version["deprecated"] = json!(true);
    version["deprecationWarning"] = json!(warning);
    place.environment.apply([deprecated]).await.unwrap();

    let operator = place.operator("operator", &[]).await;
    let objects = place.app_services().await;
    for name in ["one", "two"] {
        objects.create(name, "shop:1").await.unwrap();
    }
    eventually("both are reconciled", || objects.are_settled(2)).await;
    let log = operator.log();
    let said = log.iter().filter(|line| line["warning"] == warning);
    assert_eq!(said.count(), 1, "{log:#?}");
}
