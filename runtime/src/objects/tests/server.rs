//! A mock API server with prepared responses that records requests.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
};

use http::{Request, Response};
use http_body_util::BodyExt;
use kube::{Client, client::Body};
use serde_json::{Value, json};

/// A recorded request.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RecordedRequest {
    /// Method and URL, such as `PATCH /api/..?query`.
    pub(super) line: String,
    pub(super) content_type: String,
    pub(super) body: Value,
}

#[derive(Clone, Default)]
pub(super) struct Server {
    responses: Arc<Mutex<VecDeque<(u16, Value)>>>,
    requests: Arc<Mutex<Vec<RecordedRequest>>>,
}

impl Server {
    /// Creates a server that sends these responses, and then errors.
    pub(super) fn new(responses: impl IntoIterator<Item = (u16, Value)>) -> Self {
        let server = Self::default();
        server.responses.lock().unwrap().extend(responses);
        server
    }

    /// Returns the requests since the last call.
    pub(super) fn requests(&self) -> Vec<RecordedRequest> {
        std::mem::take(&mut self.requests.lock().unwrap())
    }

    /// Returns methods and URLs of the requests since the last call.
    pub(super) fn lines(&self) -> Vec<String> {
        self.requests()
            .into_iter()
            .map(|request| request.line)
            .collect()
    }

    pub(super) fn client(&self) -> Client {
        let server = self.clone();
        let service = tower::service_fn(move |request: Request<Body>| {
            let server = server.clone();
            async move { Ok::<_, std::convert::Infallible>(server.respond(request).await) }
        });
        Client::new(service, "default")
    }

    async fn respond(&self, request: Request<Body>) -> Response<Body> {
        let (parts, body) = request.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        let content_type = parts
            .headers
            .get("content-type")
            .map(|value| value.to_str().unwrap().to_owned());
        self.requests.lock().unwrap().push(RecordedRequest {
            line: format!("{} {}", parts.method, parts.uri),
            content_type: content_type.unwrap_or_default(),
            body: serde_json::from_slice(&body).unwrap_or_default(),
        });
        let response = self.responses.lock().unwrap().pop_front();
        let (status, body) =
            response.unwrap_or_else(|| failure(500, "InternalError", "no response prepared"));
        let body = serde_json::to_vec(&body).unwrap();
        Response::builder()
            .status(status)
            .body(Body::from(body))
            .unwrap()
    }
}

/// Returns an error response.
pub(super) fn failure(code: u16, reason: &str, message: &str) -> (u16, Value) {
    let status = json!({
        "kind": "Status", "apiVersion": "v1", "status": "Failure", "code": code, "reason": reason, "message": message,
    });
    (code, status)
}
