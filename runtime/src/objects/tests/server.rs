//! An API server that gives prepared answers and writes down what it was asked.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
};

use http::{Request, Response};
use http_body_util::BodyExt;
use kube::{Client, client::Body};
use serde_json::{Value, json};

/// What was asked.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Asked {
    /// `PATCH /api/..?query`
    pub(super) line: String,
    pub(super) content_type: String,
    pub(super) body: Value,
}

#[derive(Clone, Default)]
pub(super) struct Server {
    answers: Arc<Mutex<VecDeque<(u16, Value)>>>,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Server {
    /// Answers in this order; then with an error.
    pub(super) fn new(answers: impl IntoIterator<Item = (u16, Value)>) -> Self {
        let server = Self::default();
        server.answers.lock().unwrap().extend(answers);
        server
    }

    /// What was asked since this was last called.
    pub(super) fn asked(&self) -> Vec<Asked> {
        std::mem::take(&mut self.asked.lock().unwrap())
    }

    /// The first lines of it.
    pub(super) fn lines(&self) -> Vec<String> {
        self.asked().into_iter().map(|asked| asked.line).collect()
    }

    pub(super) fn client(&self) -> Client {
        let server = self.clone();
        let service = tower::service_fn(move |request: Request<Body>| {
            let server = server.clone();
            async move { Ok::<_, std::convert::Infallible>(server.answer(request).await) }
        });
        Client::new(service, "default")
    }

    async fn answer(&self, request: Request<Body>) -> Response<Body> {
        let (parts, body) = request.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        let content_type = parts
            .headers
            .get("content-type")
            .map(|value| value.to_str().unwrap().to_owned());
        self.asked.lock().unwrap().push(Asked {
            line: format!("{} {}", parts.method, parts.uri),
            content_type: content_type.unwrap_or_default(),
            body: serde_json::from_slice(&body).unwrap_or_default(),
        });
        let answer = self.answers.lock().unwrap().pop_front();
        let (status, body) =
            answer.unwrap_or_else(|| failure(500, "InternalError", "no answer is prepared"));
        let body = serde_json::to_vec(&body).unwrap();
        Response::builder()
            .status(status)
            .body(Body::from(body))
            .unwrap()
    }
}

/// An answer that is an error.
pub(super) fn failure(code: u16, reason: &str, message: &str) -> (u16, Value) {
    let status = json!({
        "kind": "Status", "apiVersion": "v1", "status": "Failure", "code": code, "reason": reason, "message": message,
    });
    (code, status)
}
