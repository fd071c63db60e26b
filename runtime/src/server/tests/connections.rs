//! Connection handling and graceful shutdown, with paused time.

use std::{future::pending, net::SocketAddr, sync::Arc, time::Duration};

use axum::{Router, routing::get};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    sync::Notify,
    task::JoinHandle,
    time::Instant,
};
use tokio_util::sync::CancellationToken;

use super::client::{listener, send_http};
use crate::server::{
    Certificates,
    connections::{KeepAlive, serve},
};

/// Serves `/slow`, which responds when released, and `/stuck`, which never responds. Both signal when they start.
struct Server {
    address: SocketAddr,
    task: JoinHandle<()>,
    shutdown: CancellationToken,
    started: Arc<Notify>,
    release: Arc<Notify>,
}

impl Server {
    async fn start(certificates: Option<Certificates>) -> Self {
        let (listener, address) = listener().await;
        let shutdown = CancellationToken::new();
        let (started, release) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let signals = (Arc::clone(&started), Arc::clone(&release));
        let slow = move || async move {
            signals.0.notify_one();
            signals.1.notified().await;
            "done"
        };
        let signals = Arc::clone(&started);
        let stuck = move || async move {
            signals.notify_one();
            pending::<()>().await;
        };
        let router = Router::new()
            .route("/slow", get(slow))
            .route("/stuck", get(stuck));
        let token = shutdown.clone();
        let task = tokio::spawn(async move {
            serve(
                listener,
                router,
                certificates.as_ref(),
                KeepAlive::Enabled,
                token,
            )
            .await;
        });
        Self {
            address,
            task,
            shutdown,
            started,
            release,
        }
    }
}

#[tokio::test(start_paused = true)]
async fn shutdown_finishes_responses_and_accepts_no_connections() {
    let server = Server::start(None).await;
    let response = tokio::spawn(send_http(server.address, "GET /slow"));
    server.started.notified().await;
    server.shutdown.cancel();
    tokio::time::sleep(Duration::from_millis(1)).await;
    assert!(TcpStream::connect(server.address).await.is_err());
    assert!(!server.task.is_finished());

    server.release.notify_one();
    assert_eq!(response.await.unwrap().body, "done");
    server.task.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_stuck_response_delays_shutdown_by_five_seconds() {
    let server = Server::start(None).await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    stream
        .write_all(b"GET /stuck HTTP/1.1\r\nHost: localhost\r\n\r\n")
        .await
        .unwrap();
    server.started.notified().await;
    let start = Instant::now();
    server.shutdown.cancel();
    server.task.await.unwrap();
    assert_eq!(start.elapsed().as_secs(), 5);
}

#[tokio::test(start_paused = true)]
async fn idle_clients_do_not_delay_shutdown() {
    for certificates in [None, Some(Certificates::self_signed().unwrap())] {
        let server = Server::start(certificates).await;
        let _idle = TcpStream::connect(server.address).await.unwrap();
        tokio::time::sleep(Duration::from_millis(1)).await;
        let start = Instant::now();
        server.shutdown.cancel();
        server.task.await.unwrap();
        assert_eq!(start.elapsed().as_secs(), 0);
    }
}

#[tokio::test(start_paused = true)]
async fn idle_clients_are_disconnected_after_ten_seconds() {
    for certificates in [None, Some(Certificates::self_signed().unwrap())] {
        let server = Server::start(certificates).await;
        let mut idle = TcpStream::connect(server.address).await.unwrap();
        let start = Instant::now();
        // Closed or reset.
        let _ = idle.read_to_end(&mut Vec::new()).await;
        assert_eq!(start.elapsed().as_secs(), 10);
    }
}

#[tokio::test(start_paused = true)]
async fn a_waiting_client_is_disconnected_after_five_minutes() {
    let server = Server::start(None).await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    stream
        .write_all(b"GET /stuck HTTP/1.1\r\nHost: localhost\r\n\r\n")
        .await
        .unwrap();
    let start = Instant::now();
    let _ = stream.read_to_end(&mut Vec::new()).await;
    assert_eq!(start.elapsed().as_secs(), 305);
    assert!(!server.task.is_finished());
}

#[tokio::test]
async fn a_stuck_handshake_does_not_block_others() {
    let certificates = Certificates::self_signed().unwrap();
    let certificate = certificates.certificate();
    let server = Server::start(Some(certificates)).await;
    let _idle = TcpStream::connect(server.address).await.unwrap();
    server.release.notify_one();
    let stream = super::client::connect(server.address, &certificate)
        .await
        .unwrap();
    assert_eq!(
        super::client::send(stream, "GET /slow", None).await.body,
        "done"
    );
}
