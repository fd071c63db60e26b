//! How a server begins and ends connections.
//!
//! The clock is paused: it jumps to the next deadline when everyone waits.

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

use super::client::{ask_clear, listener};
use crate::server::{
    Certificates,
    connections::{Requests, serve},
};

/// `/slow` is answered when told, and `/stuck` never. Both say when they have begun.
struct Server {
    address: SocketAddr,
    served: JoinHandle<()>,
    shutdown: CancellationToken,
    begun: Arc<Notify>,
    release: Arc<Notify>,
}

impl Server {
    async fn start(certificates: Option<Certificates>) -> Self {
        let (listener, address) = listener().await;
        let shutdown = CancellationToken::new();
        let (begun, release) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let told = (Arc::clone(&begun), Arc::clone(&release));
        let slow = move || async move {
            told.0.notify_one();
            told.1.notified().await;
            "done"
        };
        let told = Arc::clone(&begun);
        let stuck = move || async move {
            told.notify_one();
            pending::<()>().await;
        };
        let router = Router::new()
            .route("/slow", get(slow))
            .route("/stuck", get(stuck));
        let token = shutdown.clone();
        let served = tokio::spawn(async move {
            serve(
                listener,
                router,
                certificates.as_ref(),
                Requests::Many,
                token,
            )
            .await;
        });
        Self {
            address,
            served,
            shutdown,
            begun,
            release,
        }
    }
}

#[tokio::test(start_paused = true)]
async fn an_answer_under_way_is_finished_and_nothing_new_is_accepted() {
    let server = Server::start(None).await;
    let answer = tokio::spawn(ask_clear(server.address, "GET /slow"));
    server.begun.notified().await;
    server.shutdown.cancel();
    tokio::time::sleep(Duration::from_millis(1)).await;
    assert!(TcpStream::connect(server.address).await.is_err());
    assert!(!server.served.is_finished());

    server.release.notify_one();
    assert_eq!(answer.await.unwrap().body, "done");
    server.served.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_never_comes_holds_the_shutdown_for_five_seconds() {
    let server = Server::start(None).await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    stream
        .write_all(b"GET /stuck HTTP/1.1\r\nHost: localhost\r\n\r\n")
        .await
        .unwrap();
    server.begun.notified().await;
    let start = Instant::now();
    server.shutdown.cancel();
    server.served.await.unwrap();
    assert_eq!(start.elapsed().as_secs(), 5);
}

#[tokio::test(start_paused = true)]
async fn silent_clients_do_not_hold_the_shutdown() {
    for certificates in [None, Some(Certificates::self_signed().unwrap())] {
        let server = Server::start(certificates).await;
        let _silent = TcpStream::connect(server.address).await.unwrap();
        tokio::time::sleep(Duration::from_millis(1)).await;
        let start = Instant::now();
        server.shutdown.cancel();
        server.served.await.unwrap();
        assert_eq!(start.elapsed().as_secs(), 0);
    }
}

#[tokio::test(start_paused = true)]
async fn silent_clients_are_let_go_after_ten_seconds() {
    for certificates in [None, Some(Certificates::self_signed().unwrap())] {
        let server = Server::start(certificates).await;
        let mut silent = TcpStream::connect(server.address).await.unwrap();
        let start = Instant::now();
        // Closed, or reset: it ends.
        let _ = silent.read_to_end(&mut Vec::new()).await;
        assert_eq!(start.elapsed().as_secs(), 10);
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_that_waits_for_ever_is_let_go_after_five_minutes() {
    let server = Server::start(None).await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    stream
        .write_all(b"GET /stuck HTTP/1.1\r\nHost: localhost\r\n\r\n")
        .await
        .unwrap();
    let start = Instant::now();
    let _ = stream.read_to_end(&mut Vec::new()).await;
    assert_eq!(start.elapsed().as_secs(), 305);
    assert!(!server.served.is_finished());
}

#[tokio::test]
async fn a_stuck_handshake_does_not_hold_up_others() {
    let certificates = Certificates::self_signed().unwrap();
    let certificate = certificates.certificate();
    let server = Server::start(Some(certificates)).await;
    let _silent = TcpStream::connect(server.address).await.unwrap();
    server.release.notify_one();
    let stream = super::client::connect(server.address, &certificate)
        .await
        .unwrap();
    assert_eq!(
        super::client::ask(stream, "GET /slow", None).await.body,
        "done"
    );
}
