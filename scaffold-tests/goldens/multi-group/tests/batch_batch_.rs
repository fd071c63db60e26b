// SPDX-License-Identifier: Apache-2.0

//! What reconciling a Batch asks of the Kubernetes API.

use std::sync::Arc;

use http::{Method, Request, Response};
use kube::{Client, client::Body};
use tokio_util::sync::CancellationToken;
use tower_test::mock::{self, Handle};

use multi_group::controller::Context;
use multi_group::controller::batch::batch_::reconcile;
use multi_group::server::Metrics;
use multi_group_api::batch::v1;

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

fn sample() -> v1::Batch {
    let spec = v1::BatchSpec::default();
    let mut object = v1::Batch::new("sample", spec);
    object.metadata.namespace = Some("default".to_owned());
    object.metadata.generation = Some(1);
    object
}

#[tokio::test]
async fn a_new_generation_is_written_to_the_status() {
    let (context, mut server) = context();
    let reconciled = tokio::spawn(reconcile(Arc::new(sample()), context));

    let (request, respond) = server.next_request().await.expect("a request");
    let path = "/apis/batch.example.com/v1/namespaces/default/batches/sample/status";
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
    object.status = Some(v1::BatchStatus {
        observed_generation: Some(1),
        ..Default::default()
    });

    reconcile(Arc::new(object), context).await.unwrap();

    assert!(server.next_request().await.is_none());
}
