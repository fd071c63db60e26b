// SPDX-License-Identifier: Apache-2.0

//! What reconciling a NetworkPolicy asks of the Kubernetes API.

use std::sync::Arc;

use http::{Method, Request, Response};
use kb::objects::{Events, Objects};
use kube::{Client, client::Body};
use serde_json::Value;
use tower_test::mock::{self, Handle};

use multi_group::controller::network::network_policy::{Context, reconcile};
use multi_group_api::network::v1;

/// A context whose client talks to this test, and the test's side of it.
fn context() -> (Arc<Context>, Handle<Request<Body>, Response<Body>>) {
    let (service, server) = mock::pair();
    let client = Client::new(service, "default");
    let context = Context {
        objects: Objects::new(client.clone(), "multi-group"),
        events: Events::new(client, "network-networkpolicy"),
    };
    (Arc::new(context), server)
}

fn sample() -> v1::NetworkPolicy {
    let spec = v1::NetworkPolicySpec::default();
    let mut object = v1::NetworkPolicy::new("sample", spec);
    object.metadata.namespace = Some("default".to_owned());
    object.metadata.uid = Some("6a1c".to_owned());
    object.metadata.resource_version = Some("1".to_owned());
    object.metadata.generation = Some(1);
    object
}

#[tokio::test]
async fn a_new_generation_is_written_to_the_status_once() {
    let (context, mut server) = context();
    let mut object = sample();
    let reconciled = tokio::spawn(reconcile(Arc::new(object.clone()), Arc::clone(&context)));

    let (request, respond) = server.next_request().await.expect("a request");
    let path = "/apis/network.example.com/v1/namespaces/default/networkpolicies/sample/status";
    assert_eq!(request.method(), Method::PATCH);
    assert_eq!(request.uri().path(), path);
    let body = request.into_body().collect_bytes().await.unwrap();
    let patch: Value = serde_json::from_slice(&body).unwrap();
    object.status = serde_json::from_value(patch["status"].clone()).unwrap();
    let answer = serde_json::to_vec(&object).unwrap();
    respond.send_response(Response::new(Body::from(answer)));
    reconciled.await.unwrap().unwrap();

    reconcile(Arc::new(object), context).await.unwrap();
    while let Some((request, _)) = server.next_request().await {
        assert!(request.uri().path().ends_with("/events"), "{request:?}");
    }
}
