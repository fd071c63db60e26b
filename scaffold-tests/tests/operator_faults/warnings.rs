//! Warnings of the API server.

use serde_json::json;

use crate::control_plane::{ControlPlane, eventually};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_warning_of_the_api_server_is_logged_once() {
    let Some(plane) = ControlPlane::new().await else {
        return;
    };
    let warning = "AppServices of \"v1alpha1\" are going away";
    let mut deprecated = plane.crd();
    let version = &mut deprecated["spec"]["versions"][0];
    version["deprecated"] = json!(true);
    version["deprecationWarning"] = json!(warning);
    plane.environment.apply([deprecated]).await.unwrap();

    let operator = plane.operator("operator", &[]).await;
    let objects = plane.app_services().await;
    for name in ["one", "two"] {
        objects.create(name, "shop:1").await.unwrap();
    }
    eventually("both are reconciled", || objects.are_converged(2)).await;
    let log = operator.log();
    let logged = log.iter().filter(|line| line["warning"] == warning);
    assert_eq!(logged.count(), 1, "{log:#?}");
}
