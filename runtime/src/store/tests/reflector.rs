//! A reflector against a mock API server.

use http::{Request, Response};
use k8s_openapi::api::core::v1::ConfigMap;
use kube::{Api, Client, ResourceExt, client::Body};
use serde_json::{Value, json};
use tower_test::mock::{self, Handle};

use crate::store::{Config, Store, samples::Log};

type Server = Handle<Request<Body>, Response<Body>>;

/// Responds to lists and leaves watches pending.
async fn serve(mut server: Server, list: impl Fn(&str) -> Response<Body>) {
    let mut watches = Vec::new();
    while let Some((request, reply)) = server.next_request().await {
        if request
            .uri()
            .query()
            .is_some_and(|query| query.contains("watch=true"))
        {
            watches.push(reply);
        } else {
            reply.send_response(list(request.uri().path()));
        }
    }
}

fn response(status: u16, body: &Value) -> Response<Body> {
    let body = Body::from(body.to_string().into_bytes());
    Response::builder().status(status).body(body).unwrap()
}

fn items(items: &[Value]) -> Response<Body> {
    response(
        200,
        &json!({
            "apiVersion": "v1",
            "kind": "ConfigMapList",
            "metadata": { "resourceVersion": "9" },
            "items": items,
        }),
    )
}

#[tokio::test(start_paused = true)]
async fn one_watch_per_namespace_fills_one_store() {
    let (service, server) = mock::pair();
    tokio::spawn(serve(server, |path| match path {
        "/api/v1/namespaces/shop/configmaps" => items(&[
            json!({ "metadata": { "name": "a", "namespace": "shop", "resourceVersion": "1" } }),
            json!({ "metadata": { "name": "invalid", "namespace": "shop", "resourceVersion": "2" }, "data": 7 }),
        ]),
        "/api/v1/namespaces/bank/configmaps" => items(&[
            json!({ "metadata": { "name": "b", "namespace": "bank", "resourceVersion": "3" } }),
        ]),
        other => panic!("unexpected request for {other}"),
    }));
    let client = Client::new(service, "default");
    let apis =
        ["shop", "bank"].map(|namespace| Api::<ConfigMap>::namespaced(client.clone(), namespace));
    let (store, reflector) = Store::new(apis.into(), Config::default());
    tokio::spawn(reflector.run());

    store.wait_until_synced().await;
    assert_eq!(store.get(Some("shop"), "a").unwrap().name_any(), "a");
    assert_eq!(store.get(Some("bank"), "b").unwrap().name_any(), "b");
    assert_eq!((store.len(), store.invalid_objects()), (2, 1));
}

#[tokio::test(start_paused = true)]
async fn a_failing_list_is_retried_and_logged_once() {
    let log = Log::begin();
    let (service, server) = mock::pair();
    let requests = std::sync::atomic::AtomicU32::new(0);
    tokio::spawn(serve(server, move |_| {
        if requests.fetch_add(1, std::sync::atomic::Ordering::Relaxed) < 3 {
            let status = json!({ "kind": "Status", "status": "Failure", "code": 403, "message": "no", "reason": "Forbidden" });
            return response(403, &status);
        }
        items(&[])
    }));
    let apis = vec![Api::<ConfigMap>::all(Client::new(service, "default"))];
    let (store, reflector) = Store::new(apis, Config::default());
    tokio::spawn(reflector.run());
    store.wait_until_synced().await;
    assert!(store.is_empty());
    assert_eq!(log.lines("watch failed, retrying").len(), 1);
    assert_eq!(log.lines("watch recovered").len(), 1);
}
