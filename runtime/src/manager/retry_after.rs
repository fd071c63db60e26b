//! Preserves the `Retry-After` header of 429 and 503 responses from an overloaded API server.
//!
//! kube's client would wait and retry the request itself, up to 15 times within minutes, so a few rejected objects would block all workers. So
//! its retries are disabled (see `client`): a rejected request fails immediately, and the work queue delays the object. kube's errors have no
//! headers, and API priority and fairness rejects in plain text, so the delay is stored in the `Status` of the response.

use std::time::Duration;

use http::{HeaderMap, Response, StatusCode, header};
use http_body_util::{BodyExt, Either, Full};
use hyper::body::{Body, Bytes};
use kube::core::Status;
use tokio::time::{Instant, sleep};
use tower::BoxError;

use crate::retry_after::{is_overloaded, retry_after, with_retry_after};

/// How long to wait for an overloaded API server at startup.
const MAX_WAIT: Duration = Duration::from_secs(60);
/// Delay without a `Retry-After` header.
const DEFAULT_DELAY: Duration = Duration::from_secs(1);

/// Copies `Retry-After` into the `Status`; other responses are returned unchanged.
pub(super) async fn keep_retry_after<B>(
    response: Response<B>,
) -> Result<Response<Either<B, Full<Bytes>>>, BoxError>
where
    B: Body<Data = Bytes, Error = BoxError>,
{
    let Some(seconds) = delay(response.status(), response.headers()) else {
        return Ok(response.map(Either::Left));
    };
    let (mut head, body) = response.into_parts();
    let text = body.collect().await?.to_bytes();
    let status = serde_json::from_slice(&text).unwrap_or_else(|_| {
        let message = String::from_utf8_lossy(&text);
        let reason = match head.status {
            StatusCode::TOO_MANY_REQUESTS => "TooManyRequests",
            _ => "ServiceUnavailable",
        };
        Status::failure(message.trim(), reason).with_code(head.status.as_u16())
    });
    let text = serde_json::to_vec(&with_retry_after(status, seconds))?;
    head.headers.remove(header::CONTENT_LENGTH);
    Ok(Response::from_parts(head, Either::Right(text.into())))
}

/// Retries a request that startup depends on while the API server is overloaded.
pub(super) async fn retry_while_overloaded<T, F>(mut request: impl FnMut() -> F) -> kube::Result<T>
where
    F: Future<Output = kube::Result<T>>,
{
    let start = Instant::now();
    loop {
        match request().await {
            Err(kube::Error::Api(status))
                if is_overloaded(&status) && start.elapsed() < MAX_WAIT =>
            {
                sleep(retry_after(&status).unwrap_or(DEFAULT_DELAY)).await;
            }
            result => return result,
        }
    }
}

/// Returns the header's seconds. Kubernetes sends no dates.
fn delay(status: StatusCode, headers: &HeaderMap) -> Option<u32> {
    let overloaded = [
        StatusCode::TOO_MANY_REQUESTS,
        StatusCode::SERVICE_UNAVAILABLE,
    ];
    if !overloaded.contains(&status) {
        return None;
    }
    let value = headers.get(header::RETRY_AFTER)?;
    value.to_str().ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use axum::{Router, extract::Request};
    use k8s_openapi::api::core::v1::ConfigMap;
    use kube::{Api, Client, ResourceExt, client::ClientBuilder};
    use serde_json::{Value, json};
    use tokio::{net::TcpListener, sync::Notify, time::timeout};
    use tower::{service_fn, util::AndThenLayer};

    use super::*;
    use crate::{
        controller::{Action, Controller, Error, RunOptions},
        flags::Flags,
        manager::client::connect,
        metrics::Metrics,
        store::samples::{apply, object, synced},
    };

    /// Returns the error of a request with this response.
    async fn rejected_status(
        status: u16,
        retry_after: Option<&'static str>,
        body: &'static str,
    ) -> Status {
        let server = service_fn(move |_: http::Request<kube::client::Body>| async move {
            let body = Full::from(body).map_err(|never| match never {});
            let mut response = Response::new(body);
            *response.status_mut() = StatusCode::from_u16(status).unwrap();
            if let Some(seconds) = retry_after {
                let seconds = seconds.parse().unwrap();
                response.headers_mut().insert(header::RETRY_AFTER, seconds);
            }
            Ok::<_, BoxError>(response)
        });
        let client = ClientBuilder::new(server, "default")
            .with_layer(&AndThenLayer::new(keep_retry_after))
            .build();
        match client.apiserver_version().await {
            Err(kube::Error::Api(status)) => *status,
            other => panic!("{other:?}"),
        }
    }

    fn seconds(status: &Status) -> u32 {
        let details = status.details.as_ref();
        details.map_or(0, |details| details.retry_after_seconds)
    }

    #[tokio::test]
    async fn stores_the_header_in_the_status() {
        let text = "Too many requests, please try again later.\n";
        let status = rejected_status(429, Some("7"), text).await;
        assert_eq!((status.code, seconds(&status)), (429, 7));
        assert_eq!(status.message, text.trim());
        assert_eq!(status.reason, "TooManyRequests");

        let eviction = r#"{"kind":"Status","code":429,"reason":"TooManyRequests","message":"disruption budget",
            "details":{"retryAfterSeconds":10,"causes":[{"reason":"DisruptionBudget"}]}}"#;
        let status = rejected_status(429, Some("1"), eviction).await;
        assert_eq!(
            (status.message.as_str(), seconds(&status)),
            ("disruption budget", 10)
        );
        assert_eq!(status.details.unwrap().causes[0].reason, "DisruptionBudget");
    }

    #[tokio::test]
    async fn returns_other_responses_unchanged() {
        assert_eq!(seconds(&rejected_status(503, None, "down").await), 0);
        assert_eq!(seconds(&rejected_status(500, Some("7"), "broken").await), 0);
        let date = Some("Wed, 21 Oct 2015 07:28:00 GMT");
        assert_eq!(seconds(&rejected_status(503, date, "down").await), 0);
    }

    #[tokio::test(start_paused = true)]
    async fn startup_retries_while_the_server_is_overloaded_for_a_limited_time() {
        let rejected = |code| {
            let status = Status::failure("no", "").with_code(code);
            kube::Error::Api(status.boxed())
        };
        let mut requests = 0;
        let response = retry_while_overloaded(|| {
            requests += 1;
            let response = if requests < 4 {
                Err(rejected(503))
            } else {
                Ok(requests)
            };
            std::future::ready(response)
        });
        assert_eq!(response.await.unwrap(), 4);

        let start = Instant::now();
        let never = retry_while_overloaded(|| std::future::ready(Err::<(), _>(rejected(429))));
        never.await.unwrap_err();
        assert_eq!(start.elapsed(), MAX_WAIT);
        let forbidden = retry_while_overloaded(|| std::future::ready(Err::<(), _>(rejected(403))));
        forbidden.await.unwrap_err();
        assert_eq!(start.elapsed(), MAX_WAIT, "must not retry");
    }

    /// Starts an API server on loopback that responds with 503 for objects whose name starts with `bad`, and counts those requests.
    async fn half_unavailable() -> (String, Arc<Mutex<usize>>) {
        let rejections = Arc::<Mutex<usize>>::default();
        let counted = Arc::clone(&rejections);
        let response = move |request: Request| {
            let path = request.uri().path().to_owned();
            let (status, body): (_, Value) = if path == "/version" {
                let version = "v1.36.0";
                (
                    200,
                    json!({"major": "1", "minor": "36", "gitVersion": version, "gitCommit": "", "gitTreeState": "",
                    "buildDate": "", "goVersion": "", "compiler": "", "platform": ""}),
                )
            } else if path.contains("/bad") {
                *counted.lock().unwrap() += 1;
                (
                    503,
                    json!({"kind": "Status", "code": 503, "message": "unavailable"}),
                )
            } else {
                (
                    200,
                    json!({"metadata": {"name": "good", "namespace": "shop"}}),
                )
            };
            let status = StatusCode::from_u16(status).unwrap();
            std::future::ready((status, body.to_string()))
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let server = axum::serve(listener, Router::new().fallback(response));
        tokio::spawn(server.into_future());
        (address, rejections)
    }

    /// Returns the manager's client.
    async fn client(server: &str) -> Client {
        let kubeconfig = json!({
            "apiVersion": "v1", "kind": "Config", "current-context": "test",
            "clusters": [{"name": "test", "cluster": {"server": server}}],
            "contexts": [{"name": "test", "context": {"cluster": "test", "user": "test"}}],
            "users": [{"name": "test", "user": {}}],
        });
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), kubeconfig.to_string()).unwrap();
        let flags = Flags {
            kubeconfig: Some(file.path().to_owned()),
            ..Flags::default()
        };
        connect(&flags, &Metrics::new()).await.unwrap()
    }

    #[tokio::test]
    async fn objects_whose_requests_are_rejected_do_not_block_others() {
        let (server, rejections) = half_unavailable().await;
        let (store, mut feed) = synced((0..8).map(|number| object(&format!("bad-{number}"), 1)));
        let done = Arc::new(Notify::new());
        let context = Arc::new((client(&server).await, Arc::clone(&done)));
        let reconcile = async |object: Arc<ConfigMap>, context: Arc<(Client, Arc<Notify>)>| {
            let (client, done) = &*context;
            let api: Api<ConfigMap> = Api::namespaced(client.clone(), "shop");
            api.get(&object.name_any()).await?;
            done.notify_one();
            Ok::<_, Error>(Action::await_change())
        };
        let controller = Controller::new("test", &store).concurrency(8);
        let running = tokio::spawn(controller.run(reconcile, context, RunOptions::default()));
        while *rejections.lock().unwrap() < 8 {
            sleep(Duration::from_millis(1)).await;
        }
        apply(&mut feed, &object("good", 1));
        let reconciled = timeout(Duration::from_secs(1), done.notified()).await;
        reconciled.expect("not reconciled within a second");
        running.abort();
    }
}
