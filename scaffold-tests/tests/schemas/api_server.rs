//! The control plane that all tests share, and its administrator, who sees the whole of an answer.

use http::{Method, Request, header::CONTENT_TYPE};
use http_body_util::BodyExt;
use kb_envtest::{Environment, Shared};
use kube::{Client, client::Body};
use serde_json::Value;

use crate::{bounded::Bounded, formats::Formatted, merged::Merged, template::Templated};

const APPLY: &str = "application/apply-patch+yaml";
const JSON: &str = "application/json";
const MERGE: &str = "application/merge-patch+json";

/// The administrator of the control plane.
pub(crate) struct Place {
    admin: Client,
}

/// What the API server answers.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) code: u16,
    /// The texts of its `Warning` headers.
    pub(crate) warnings: Vec<String>,
    pub(crate) body: Value,
}

impl Place {
    /// The one for all; none if there is no control plane.
    pub(crate) async fn new() -> Option<Self> {
        static SHARED: Shared = Shared::new();
        let crds = [
            Bounded::crd(),
            Formatted::crd(),
            Merged::crd(),
            Templated::crd(),
        ];
        let started = SHARED.start(Environment::builder().crds(crds)).await;
        let environment = started.unwrap_or_else(|error| panic!("{error}"));
        let admin = environment?.client().await.unwrap();
        Some(Self { admin })
    }

    /// Creates an object, as JSON.
    pub(crate) async fn create(&self, path: &str, object: &Value) -> Answer {
        self.send(Method::POST, path, JSON, object).await
    }

    /// Changes some fields of an object; null takes one away.
    pub(crate) async fn change(&self, path: &str, change: &Value) -> Answer {
        self.send(Method::PATCH, path, MERGE, change).await
    }

    /// Applies an object.
    pub(crate) async fn apply(&self, path: &str, object: &Value) -> Answer {
        self.send(Method::PATCH, path, APPLY, object).await
    }

    async fn send(&self, method: Method, path: &str, kind: &str, body: &Value) -> Answer {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(CONTENT_TYPE, kind)
            .body(Body::from(serde_json::to_vec(body).unwrap()))
            .unwrap();
        let answer = self.admin.send(request).await.unwrap();
        let warnings = answer.headers().get_all("warning").iter();
        Answer {
            code: answer.status().as_u16(),
            warnings: warnings
                .map(|warning| warning.to_str().unwrap().to_owned())
                .collect(),
            body: {
                let bytes = answer.into_body().collect().await.unwrap().to_bytes();
                serde_json::from_slice(&bytes).unwrap()
            },
        }
    }
}

impl Answer {
    pub(crate) fn is_success(&self) -> bool {
        (200..300).contains(&self.code)
    }

    pub(crate) fn code_and_message(self) -> (u16, String) {
        (self.code, self.message().to_owned())
    }

    /// Why it was refused; nothing if it was not.
    pub(crate) fn message(&self) -> &str {
        self.body["message"].as_str().unwrap_or_default()
    }
}
