//! A watch against a server that is played by the test.

use http::{Request, Response};
use k8s_openapi::api::core::v1::ConfigMap;
use kube::{Api, Client, ResourceExt, client::Body};
use serde_json::{Value, json};
use tower_test::mock::{self, Handle};

use crate::store::{Config, Store, samples::Log};

type Server = Handle<Request<Body>, Response<Body>>;

/// Answers lists, each with what belongs to its namespace, and lets watches wait.
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

fn answer(status: u16, body: &Value) -> Response<Body> {
    let body = Body::from(body.to_string().into_bytes());
    Response::builder().status(status).body(body).unwrap()
}

fn items(items: &[Value]) -> Response<Body> {
    answer(
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
async fn one_watch_for_each_namespace_fills_one_store() {
    let (service, server) = mock::pair();
    tokio::spawn(serve(server, |path| match path {
        "/api/v1/namespaces/shop/configmaps" => items(&[
            json!({ "metadata": { "name": "a", "namespace": "shop", "resourceVersion": "1" } }),
            json!({ "metadata": { "name": "bad", "namespace": "shop", "resourceVersion": "2" }, "data": 7 }),
        ]),
        "/api/v1/namespaces/bank/configmaps" => items(&[
            json!({ "metadata": { "name": "b", "namespace": "bank", "resourceVersion": "3" } }),
        ]),
        other => panic!("nobody asked for {other}"),
    }));
    let client = Client::new(service, "default");
    let apis =
        ["shop", "bank"].map(|namespace| Api::<ConfigMap>::namespaced(client.clone(), namespace));
    let (store, watch) = Store::new(apis.into(), Config::default());
    tokio::spawn(watch.run());

    store.wait_until_synced().await;
    assert_eq!(store.get(Some("shop"), "a").unwrap().name_any(), "a");
    assert_eq!(store.get(Some("bank"), "b").unwrap().name_any(), "b");
    assert_eq!((store.len(), store.invalid_objects()), (2, 1));
}

#[tokio::test(start_paused = true)]
async fn a_list_that_fails_is_tried_again_and_said_once() {
    let log = Log::begin();
    let (service, server) = mock::pair();
    let tries = std::sync::atomic::AtomicU32::new(0);
    tokio::spawn(serve(server, move |_| {
        if tries.fetch_add(1, std::sync::atomic::Ordering::Relaxed) < 3 {
            let status = json!({ "kind": "Status", "status": "Failure", "code": 403, "message": "no", "reason": "Forbidden" });
            return answer(403, &status);
        }
        items(&[])
    }));
    let apis = vec![Api::<ConfigMap>::all(Client::new(service, "default"))];
    let (store, watch) = Store::new(apis, Config::default());
    tokio::spawn(watch.run());
    store.wait_until_synced().await;
    assert!(store.is_empty());
    assert_eq!(
        log.lines("the role does not allow to list `configmaps`")
            .len(),
        1
    );
    assert_eq!(log.lines("the watch works again").len(), 1);
}
