//! `/metrics`, in the clear and behind TLS.

use std::{net::SocketAddr, time::Duration};

use rustls::pki_types::CertificateDer;
use tempfile::TempDir;
use tokio::task::JoinHandle;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::{
    api_server::{self, Reviews},
    certificates::issue,
    client::{Answer, ask, ask_clear, connect, listener},
};
use crate::{
    metrics::Metrics,
    server::{Certificates, MetricsServing, serve_metrics},
};

struct Server {
    address: SocketAddr,
    folder: TempDir,
    certificate: CertificateDer<'static>,
    _stop: DropGuard,
}

impl Server {
    async fn secure() -> Self {
        let folder = TempDir::new().unwrap();
        let certificate = issue(folder.path());
        let serving = MetricsServing::Https {
            certificates: Certificates::from_files(folder.path(), "tls.crt", "tls.key").unwrap(),
            client: api_server::client(&Reviews::default()),
        };
        let shutdown = CancellationToken::new();
        let (address, _) = serve(serving, &shutdown).await;
        Self {
            address,
            folder,
            certificate,
            _stop: shutdown.drop_guard(),
        }
    }

    async fn ask(&self, request: &str, token: Option<&str>) -> Answer {
        ask(
            connect(self.address, &self.certificate).await.unwrap(),
            request,
            token,
        )
        .await
    }
}

async fn serve(
    serving: MetricsServing,
    shutdown: &CancellationToken,
) -> (SocketAddr, JoinHandle<()>) {
    let (listener, address) = listener().await;
    let metrics = Metrics::new();
    metrics.controller("shop");
    let shutdown = shutdown.clone();
    let served = tokio::spawn(async move {
        serve_metrics(listener, metrics, serving, shutdown)
            .await
            .unwrap();
    });
    (address, served)
}

#[tokio::test]
async fn metrics_are_refused_without_a_token_or_with_a_wrong_one() {
    let server = Server::secure().await;
    for token in [None, Some("wrong")] {
        let answer = server.ask("GET /metrics", token).await;
        assert_eq!(answer.status, 401, "{token:?}");
        assert!(
            answer.head.contains("www-authenticate: bearer"),
            "{answer:?}"
        );
        assert_eq!(answer.body, "Unauthorized\n");
    }
}

#[tokio::test]
async fn metrics_are_refused_to_who_may_not_read_them() {
    let server = Server::secure().await;
    let answer = server.ask("GET /metrics", Some("visitor")).await;
    assert_eq!(
        (answer.status, answer.body.as_str()),
        (403, "User \"visitor\" may not get the URL /metrics.\n")
    );
}

#[tokio::test]
async fn metrics_are_refused_while_the_api_server_cannot_be_asked() {
    let server = Server::secure().await;
    assert_eq!(server.ask("GET /metrics", Some("outage")).await.status, 503);
}

#[tokio::test]
async fn metrics_are_served_to_who_may_read_them() {
    let server = Server::secure().await;
    let answer = server.ask("GET /metrics", Some("prometheus")).await;
    assert_eq!(answer.status, 200);
    assert!(
        answer
            .head
            .contains("content-type: application/openmetrics-text; version=1.0.0; charset=utf-8"),
        "{answer:?}"
    );
    assert!(
        answer
            .body
            .contains("controller_runtime_active_workers{controller=\"shop\"} 0\n"),
        "{answer:?}"
    );
}

#[tokio::test]
async fn only_get_is_answered_and_only_metrics_are_there() {
    let server = Server::secure().await;
    for method in ["HEAD", "POST", "DELETE"] {
        let answer = server
            .ask(&format!("{method} /metrics"), Some("prometheus"))
            .await;
        assert_eq!(answer.status, 405, "{method}");
        assert!(answer.head.contains("allow: get"), "{answer:?}");
    }
    assert_eq!(server.ask("GET /", Some("prometheus")).await.status, 404);
}

#[tokio::test]
async fn http_1_is_spoken_even_to_who_prefers_2() {
    let server = Server::secure().await;
    let stream = connect(server.address, &server.certificate).await.unwrap();
    assert_eq!(stream.get_ref().1.alpn_protocol(), Some(&b"http/1.1"[..]));
}

#[tokio::test]
async fn a_renewed_certificate_is_shown_to_new_connections() {
    let server = Server::secure().await;
    let renewed = issue(server.folder.path());
    assert!(connect(server.address, &renewed).await.is_err());
    // The clock stands still from here and jumps when all wait, so the 10 seconds take none.
    tokio::time::pause();
    tokio::time::sleep(Duration::from_secs(11)).await;
    tokio::time::resume();
    assert!(connect(server.address, &renewed).await.is_ok());
    assert!(connect(server.address, &server.certificate).await.is_err());
}

#[tokio::test]
async fn in_the_clear_no_token_is_needed() {
    let shutdown = CancellationToken::new();
    let (address, served) = serve(MetricsServing::Http, &shutdown).await;
    let answer = ask_clear(address, "GET /metrics").await;
    assert_eq!(answer.status, 200);
    assert!(answer.body.ends_with("# EOF\n"), "{answer:?}");
    assert_eq!(ask_clear(address, "POST /metrics").await.status, 405);

    shutdown.cancel();
    served.await.unwrap();
}
