//! The kubelet is answered however many others hold connections.
//!
//! In real time, over real connections: the kernel's queue is part of it.

use std::{io, net::SocketAddr, time::Duration};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    task::JoinSet,
    time::{sleep, timeout},
};
use tokio_util::sync::CancellationToken;

use super::client::{ask_clear, listener};
use crate::server::{Probes, serve_probes};

/// More than a server keeps open.
const CLIENTS: usize = 300;

/// The pause of each client between requests, and between connections: all of them share this test's thread with the server.
const PAUSE: Duration = Duration::from_millis(200);

const REQUEST: &[u8] = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";

#[derive(Debug, Clone, Copy)]
enum Client {
    Idle,
    SendsHalfARequest,
    KeepsAsking,
    NeverReads,
}

impl Client {
    /// Uses a connection, and a new one whenever the server closes it.
    async fn run(self, mut stream: TcpStream, address: SocketAddr) {
        loop {
            let _ = self.connection(stream).await;
            sleep(PAUSE).await;
            stream = TcpStream::connect(address).await.unwrap();
        }
    }

    async fn connection(self, mut stream: TcpStream) -> io::Result<()> {
        match self {
            Self::Idle => {}
            Self::SendsHalfARequest => stream.write_all(&REQUEST[..20]).await?,
            Self::KeepsAsking => loop {
                stream.write_all(REQUEST).await?;
                if stream.read(&mut [0; 1024]).await? == 0 {
                    return Ok(());
                }
                sleep(PAUSE).await;
            },
            Self::NeverReads => {
                stream.write_all(REQUEST).await?;
                std::future::pending::<()>().await;
            }
        }
        stream.read(&mut [0; 1024]).await.map(drop)
    }
}

#[tokio::test]
async fn a_probe_is_answered_within_a_second_whatever_hundreds_of_others_do() {
    for client in [
        Client::Idle,
        Client::SendsHalfARequest,
        Client::KeepsAsking,
        Client::NeverReads,
    ] {
        let (listener, address) = listener().await;
        let shutdown = CancellationToken::new();
        let serving = serve_probes(listener, Probes::default(), shutdown.clone());
        let served = tokio::spawn(serving);
        let mut clients = JoinSet::new();
        for _ in 0..CLIENTS {
            let stream = TcpStream::connect(address).await.unwrap();
            clients.spawn(client.run(stream, address));
        }
        for _ in 0..3 {
            let probe = timeout(Duration::from_secs(1), ask_clear(address, "GET /healthz"));
            let answer = probe.await.unwrap_or_else(|_| panic!("{client:?}"));
            assert_eq!(answer.status, 200, "{client:?}");
        }
        clients.shutdown().await;
        shutdown.cancel();
        served.await.unwrap().unwrap();
    }
}

#[tokio::test]
async fn a_probe_connection_is_closed_after_one_answer() {
    let (listener, address) = listener().await;
    let served = tokio::spawn(serve_probes(
        listener,
        Probes::default(),
        CancellationToken::new(),
    ));
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(REQUEST).await.unwrap();
    let mut answer = String::new();
    let read = timeout(Duration::from_secs(1), stream.read_to_string(&mut answer));
    read.await.unwrap().unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    served.abort();
}
