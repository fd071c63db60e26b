//! Keeps what an overloaded API server says about the next attempt: the header `Retry-After` of a 429 or 503.
//!
//! kube's client would wait and send the request again itself, up to 15 times within minutes: a few objects whose requests are always
//! refused would hold all workers. So its retry is off (see `client`), a refused request is an error at once, and the work queue waits.
//! kube's errors have no headers, and API priority and fairness refuses in plain text: so the delay is put into the `Status` of the answer.

use std::time::Duration;

use http::{HeaderMap, Response, StatusCode, header};
use http_body_util::{BodyExt, Either, Full};
use hyper::body::{Body, Bytes};
use kube::core::Status;
use tokio::time::{Instant, sleep};
use tower::BoxError;

use crate::retry_after::{is_overloaded, retry_after, with_retry_after};

/// How long an operator waits for an overloaded API server before it ends.
const PATIENCE: Duration = Duration::from_secs(60);
/// Between two requests, if the server names no delay.
const PAUSE: Duration = Duration::from_secs(1);

/// Passes an answer on as it is, unless it is a refusal that says when to come back.
pub(super) async fn keep_retry_after<B>(
    answer: Response<B>,
) -> Result<Response<Either<B, Full<Bytes>>>, BoxError>
where
    B: Body<Data = Bytes, Error = BoxError>,
{
    let Some(seconds) = delay(answer.status(), answer.headers()) else {
        return Ok(answer.map(Either::Left));
    };
    let (mut head, body) = answer.into_parts();
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

/// Asks for something without which the operator cannot start, again and again while the API server is overloaded.
pub(super) async fn until_available<T, F>(mut ask: impl FnMut() -> F) -> kube::Result<T>
where
    F: Future<Output = kube::Result<T>>,
{
    let start = Instant::now();
    loop {
        match ask().await {
            Err(kube::Error::Api(status))
                if is_overloaded(&status) && start.elapsed() < PATIENCE =>
            {
                sleep(retry_after(&status).unwrap_or(PAUSE)).await;
            }
            answered => return answered,
        }
    }
}

/// The seconds that the header names. Kubernetes names no dates.
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
        controller::{Action, Around, Controller, Error},
        flags::Flags,
        manager::client::connect,
        metrics::Metrics,
        store::samples::{apply, object, synced},
    };

    /// The error of a request that is answered so.
    async fn refusal(status: u16, retry_after: Option<&'static str>, body: &'static str) -> Status {
        let server = service_fn(move |_: http::Request<kube::client::Body>| async move {
            let body = Full::from(body).map_err(|never| match never {});
            let mut answer = Response::new(body);
            *answer.status_mut() = StatusCode::from_u16(status).unwrap();
            if let Some(seconds) = retry_after {
                let seconds = seconds.parse().unwrap();
                answer.headers_mut().insert(header::RETRY_AFTER, seconds);
            }
            Ok::<_, BoxError>(answer)
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
    async fn the_header_is_kept_in_the_status() {
        let text = "Too many requests, please try again later.\n";
        let status = refusal(429, Some("7"), text).await;
        assert_eq!((status.code, seconds(&status)), (429, 7));
        assert_eq!(status.message, text.trim());
        assert_eq!(status.reason, "TooManyRequests");

        let eviction = r#"{"kind":"Status","code":429,"reason":"TooManyRequests","message":"disruption budget",
            "details":{"retryAfterSeconds":10,"causes":[{"reason":"DisruptionBudget"}]}}"#;
        let status = refusal(429, Some("1"), eviction).await;
        assert_eq!(
            (status.message.as_str(), seconds(&status)),
            ("disruption budget", 10)
        );
        assert_eq!(status.details.unwrap().causes[0].reason, "DisruptionBudget");
    }

    #[tokio::test]
    async fn other_answers_are_passed_on() {
        assert_eq!(seconds(&refusal(503, None, "down").await), 0);
        assert_eq!(seconds(&refusal(500, Some("7"), "broken").await), 0);
        let date = Some("Wed, 21 Oct 2015 07:28:00 GMT");
        assert_eq!(seconds(&refusal(503, date, "down").await), 0);
    }

    #[tokio::test(start_paused = true)]
    async fn an_operator_that_starts_waits_for_an_overloaded_server_but_not_for_ever() {
        let refused = |code| {
            let status = Status::failure("no", "").with_code(code);
            kube::Error::Api(status.boxed())
        };
        let mut asked = 0;
        let answer = until_available(|| {
            asked += 1;
            let answer = if asked < 4 {
                Err(refused(503))
            } else {
                Ok(asked)
            };
            std::future::ready(answer)
        });
        assert_eq!(answer.await.unwrap(), 4);

        let start = Instant::now();
        let never = until_available(|| std::future::ready(Err::<(), _>(refused(429))));
        never.await.unwrap_err();
        assert_eq!(start.elapsed(), PATIENCE);
        let forbidden = until_available(|| std::future::ready(Err::<(), _>(refused(403))));
        forbidden.await.unwrap_err();
        assert_eq!(start.elapsed(), PATIENCE, "at once");
    }

    /// An API server on loopback that is unavailable for all objects whose name begins with `bad`, and counts those requests.
    async fn half_unavailable() -> (String, Arc<Mutex<usize>>) {
        let refused = Arc::<Mutex<usize>>::default();
        let counted = Arc::clone(&refused);
        let answer = move |request: Request| {
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
        let serving = axum::serve(listener, Router::new().fallback(answer));
        tokio::spawn(serving.into_future());
        (address, refused)
    }

    /// A client as the manager makes it.
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
    async fn eight_objects_whose_requests_are_refused_do_not_hold_up_the_ninth() {
        let (server, refused) = half_unavailable().await;
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
        let controller = Controller::new("test", &store).workers(8);
        let running = tokio::spawn(controller.run(reconcile, context, Around::default()));
        while *refused.lock().unwrap() < 8 {
            sleep(Duration::from_millis(1)).await;
        }
        apply(&mut feed, &object("good", 1));
        let reconciled = timeout(Duration::from_secs(1), done.notified()).await;
        reconciled.expect("the ninth object was not reconciled within a second");
        running.abort();
    }
}
