//! The shared API server, with raw responses.

use http::{Method, Request, header::CONTENT_TYPE};
use http_body_util::BodyExt;
use kb_envtest::{Environment, SharedEnvironment};
use kube::{Client, client::Body};
use serde_json::Value;

use crate::{formats::Formatted, kind::Validated, merge::Merged, pod_template::Templated};

const APPLY: &str = "application/apply-patch+yaml";
const JSON: &str = "application/json";
const MERGE: &str = "application/merge-patch+json";

/// A client of the administrator.
pub(crate) struct ApiServer {
    admin: Client,
}

/// A response of the API server.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) code: u16,
    /// Texts of its `Warning` headers.
    pub(crate) warnings: Vec<String>,
    pub(crate) body: Value,
}

impl ApiServer {
    /// Starts the shared API server; none without a control plane.
    pub(crate) async fn new() -> Option<Self> {
        static SHARED: SharedEnvironment = SharedEnvironment::new();
        let crds = [
            Validated::crd(),
            Formatted::crd(),
            Merged::crd(),
            Templated::crd(),
        ];
        let started = SHARED.start(Environment::builder().crds(crds)).await;
        let environment = started.unwrap_or_else(|error| panic!("{error}"));
        let admin = environment?.client().await.unwrap();
        Some(Self { admin })
    }

    /// Creates an object.
    pub(crate) async fn create(&self, path: &str, object: &Value) -> Response {
        self.send(Method::POST, path, JSON, object).await
    }

    /// Merges a patch into an object; null removes a field.
    pub(crate) async fn merge(&self, path: &str, change: &Value) -> Response {
        self.send(Method::PATCH, path, MERGE, change).await
    }

    /// Applies an object.
    pub(crate) async fn apply(&self, path: &str, object: &Value) -> Response {
        self.send(Method::PATCH, path, APPLY, object).await
    }

    async fn send(&self, method: Method, path: &str, kind: &str, body: &Value) -> Response {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(CONTENT_TYPE, kind)
            .body(Body::from(serde_json::to_vec(body).unwrap()))
            .unwrap();
        let response = self.admin.send(request).await.unwrap();
        let warnings = response.headers().get_all("warning").iter();
        Response {
            code: response.status().as_u16(),
            warnings: warnings
                .map(|warning| warning.to_str().unwrap().to_owned())
                .collect(),
            body: {
                let bytes = response.into_body().collect().await.unwrap().to_bytes();
                serde_json::from_slice(&bytes).unwrap()
            },
        }
    }
}

impl Response {
    pub(crate) fn is_success(&self) -> bool {
        (200..300).contains(&self.code)
    }

    pub(crate) fn code_and_message(self) -> (u16, String) {
        (self.code, self.message().to_owned())
    }

    /// Returns the error message, empty on success.
    pub(crate) fn message(&self) -> &str {
        self.body["message"].as_str().unwrap_or_default()
    }
}
