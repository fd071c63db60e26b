//! `/metrics` over HTTP and HTTPS.

use std::{net::SocketAddr, time::Duration};

use rustls::pki_types::CertificateDer;
use tempfile::TempDir;
use tokio::task::JoinHandle;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::{
    api_server::{self, Reviews},
    certificates::issue,
    client::{HttpResponse, connect, listener, send, send_http},
};
use crate::{
    metrics::Metrics,
    server::{Certificates, MetricsServing, serve_metrics},
};

struct Server {
    address: SocketAddr,
    dir: TempDir,
    certificate: CertificateDer<'static>,
    _stop: DropGuard,
}

impl Server {
    async fn https() -> Self {
        let dir = TempDir::new().unwrap();
        let certificate = issue(dir.path());
        let serving = MetricsServing::Https {
            certificates: Certificates::from_files(dir.path(), "tls.crt", "tls.key").unwrap(),
            client: api_server::client(&Reviews::default()),
        };
        let shutdown = CancellationToken::new();
        let (address, _) = serve(serving, &shutdown).await;
        Self {
            address,
            dir,
            certificate,
            _stop: shutdown.drop_guard(),
        }
    }

    async fn send(&self, request: &str, token: Option<&str>) -> HttpResponse {
        send(
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
    let task = tokio::spawn(async move {
        serve_metrics(listener, metrics, serving, shutdown)
            .await
            .unwrap();
    });
    (address, task)
}

#[tokio::test]
async fn rejects_a_missing_or_invalid_token() {
    let server = Server::https().await;
    for token in [None, Some("wrong")] {
        let response = server.send("GET /metrics", token).await;
        assert_eq!(response.status, 401, "{token:?}");
        assert!(
            response.head.contains("www-authenticate: bearer"),
            "{response:?}"
        );
        assert_eq!(response.body, "Unauthorized\n");
    }
}

#[tokio::test]
async fn rejects_a_user_without_permission() {
    let server = Server::https().await;
    let response = server.send("GET /metrics", Some("visitor")).await;
    assert_eq!(
        (response.status, response.body.as_str()),
        (403, "user \"visitor\" cannot get path \"/metrics\"\n")
    );
}

#[tokio::test]
async fn rejects_requests_while_the_api_server_is_unavailable() {
    let server = Server::https().await;
    assert_eq!(
        server.send("GET /metrics", Some("outage")).await.status,
        503
    );
}

#[tokio::test]
async fn serves_metrics_to_an_authorized_user() {
    let server = Server::https().await;
    let response = server.send("GET /metrics", Some("prometheus")).await;
    assert_eq!(response.status, 200);
    assert!(
        response
            .head
            .contains("content-type: application/openmetrics-text; version=1.0.0; charset=utf-8"),
        "{response:?}"
    );
    assert!(
        response
            .body
            .contains("controller_runtime_active_workers{controller=\"shop\"} 0\n"),
        "{response:?}"
    );
}

#[tokio::test]
async fn serves_only_get_metrics() {
    let server = Server::https().await;
    for method in ["HEAD", "POST", "DELETE"] {
        let response = server
            .send(&format!("{method} /metrics"), Some("prometheus"))
            .await;
        assert_eq!(response.status, 405, "{method}");
        assert!(response.head.contains("allow: get"), "{response:?}");
    }
    assert_eq!(server.send("GET /", Some("prometheus")).await.status, 404);
}

#[tokio::test]
async fn negotiates_http_1_1() {
    let server = Server::https().await;
    let stream = connect(server.address, &server.certificate).await.unwrap();
    assert_eq!(stream.get_ref().1.alpn_protocol(), Some(&b"http/1.1"[..]));
}

#[tokio::test]
async fn new_connections_use_a_rotated_certificate() {
    let server = Server::https().await;
    let rotated = issue(server.dir.path());
    assert!(connect(server.address, &rotated).await.is_err());
    // Paused time skips the reload interval.
    tokio::time::pause();
    tokio::time::sleep(Duration::from_secs(11)).await;
    tokio::time::resume();
    assert!(connect(server.address, &rotated).await.is_ok());
    assert!(connect(server.address, &server.certificate).await.is_err());
}

#[tokio::test]
async fn http_requires_no_token() {
    let shutdown = CancellationToken::new();
    let (address, task) = serve(MetricsServing::Http, &shutdown).await;
    let response = send_http(address, "GET /metrics").await;
    assert_eq!(response.status, 200);
    assert!(response.body.ends_with("# EOF\n"), "{response:?}");
    assert_eq!(send_http(address, "POST /metrics").await.status, 405);

    shutdown.cancel();
    task.await.unwrap();
}
