// SPDX-License-Identifier: Apache-2.0

//! What reconciling a Controller asks of the Kubernetes API.

use std::sync::Arc;

use http::{Method, Request, Response};
use kube::{Client, client::Body};
use tokio_util::sync::CancellationToken;
use tower_test::mock::{self, Handle};

use odd_names::controller::Context;
use odd_names::controller::controller_::reconcile;
use odd_names::server::Metrics;
use odd_names_api::v1;

/// A context whose client talks to this test, and the test's side of it.
fn context() -> (Arc<Context>, Handle<Request<Body>, Response<Body>>) {
    let (service, server) = mock::pair();
    let context = Context {
        client: Client::new(service, "default"),
        metrics: Metrics::default(),
        shutdown: CancellationToken::new(),
    };
    (Arc::new(context), server)
}

fn sample() -> v1::Controller {
    let spec = v1::ControllerSpec::default();
    let mut object = v1::Controller::new("sample", spec);
    object.metadata.namespace = Some("default".to_owned());
    object.metadata.generation = Some(1);
    object
}

#[tokio::test]
async fn a_new_generation_is_written_to_the_status() {
    let (context, mut server) = context();
    let reconciled = tokio::spawn(reconcile(Arc::new(sample()), context));

    let (request, respond) = server.next_request().await.expect("a request");
    let path = "/apis/odd.k8s.io/v1/namespaces/default/controllers/sample/status";
    assert_eq!(request.method(), Method::PATCH);
    assert_eq!(request.uri().path(), path);
    let answer = serde_json::to_vec(&sample()).unwrap();
    respond.send_response(Response::new(Body::from(answer)));

    reconciled.await.unwrap().unwrap();
}

#[tokio::test]
async fn nothing_is_written_when_the_status_is_up_to_date() {
    let (context, mut server) = context();
    let mut object = sample();
    object.status = Some(v1::ControllerStatus {
        observed_generation: Some(1),
        ..Default::default()
    });

    reconcile(Arc::new(object), context).await.unwrap();

    assert!(server.next_request().await.is_none());
}
