//! In-memory API server with two users, whose tokens are their names: `prometheus` may read metrics, `visitor` may not.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use http::{Request, Response, StatusCode};
use http_body_util::BodyExt;
use kube::{Client, client::Body};
use serde_json::{Value, json};
use tower::service_fn;

/// Received reviews, in order.
#[derive(Clone, Default)]
pub(super) struct Reviews(Arc<Mutex<Vec<Value>>>, Arc<Load>);

#[derive(Default)]
struct Load {
    /// Duration of a review.
    duration: Duration,
    current: AtomicUsize,
    max: AtomicUsize,
}

impl Reviews {
    /// Creates reviews that take 100 ms each.
    pub(super) fn slow() -> Self {
        let load = Load {
            duration: Duration::from_millis(100),
            ..Load::default()
        };
        Self(Arc::default(), Arc::new(load))
    }

    /// Returns the reviews since the last call.
    pub(super) fn take(&self) -> Vec<Value> {
        std::mem::take(&mut self.0.lock().unwrap())
    }

    /// Returns the maximum number of concurrent reviews.
    pub(super) fn max_concurrent(&self) -> usize {
        self.1.max.load(Ordering::Relaxed)
    }

    async fn delay(&self) {
        let current = self.1.current.fetch_add(1, Ordering::Relaxed) + 1;
        self.1.max.fetch_max(current, Ordering::Relaxed);
        tokio::time::sleep(self.1.duration).await;
        self.1.current.fetch_sub(1, Ordering::Relaxed);
    }

    /// Returns the kinds of the reviews since the last call.
    pub(super) fn kinds(&self) -> Vec<String> {
        self.take()
            .iter()
            .map(|review| review["kind"].as_str().unwrap().to_owned())
            .collect()
    }
}

/// Returns a client of the server.
pub(super) fn client(reviews: &Reviews) -> Client {
    let reviews = reviews.clone();
    let server = service_fn(move |request: Request<Body>| {
        let reviews = reviews.clone();
        async move {
            let path = request.uri().path().to_owned();
            let body = request.into_body().collect().await?.to_bytes();
            let mut review: Value = serde_json::from_slice(&body)?;
            reviews.0.lock().unwrap().push(review.clone());
            reviews.delay().await;
            let spec = &review["spec"];
            if spec["token"] == "outage" {
                let failure = Response::builder()
                    .status(StatusCode::INTERNAL_SERVER_ERROR)
                    .body(Body::empty())?;
                return Ok(failure);
            }
            if spec["token"] == "hang" {
                std::future::pending::<()>().await;
            }
            review["status"] = match path.as_str() {
                "/apis/authentication.k8s.io/v1/tokenreviews" => {
                    identity(spec["token"].as_str().unwrap())
                }
                "/apis/authorization.k8s.io/v1/subjectaccessreviews" => {
                    json!({ "allowed": spec["user"] == "prometheus" })
                }
                _ => panic!("{path}"),
            };
            Ok::<_, Box<dyn std::error::Error + Send + Sync>>(Response::new(Body::from(
                serde_json::to_vec(&review)?,
            )))
        }
    });
    Client::new(server, "default")
}

fn identity(token: &str) -> Value {
    match token {
        "prometheus" | "visitor" => json!({
            "authenticated": true,
            "user": {
                "username": token,
                "uid": "7",
                "groups": ["system:serviceaccounts", "system:authenticated"],
                "extra": { "authentication.kubernetes.io/pod-name": ["prometheus-0"] },
            },
        }),
        // The Go type always includes the user.
        _ => json!({ "authenticated": false, "user": {}, "error": "invalid bearer token" }),
    }
}
