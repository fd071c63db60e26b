//! Probes respond to the kubelet however many clients hold connections.
//!
//! Runs in real time over real connections, because the accept queue of the kernel matters.

use std::{io, net::SocketAddr, time::Duration};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    task::JoinSet,
    time::{sleep, timeout},
};
use tokio_util::sync::CancellationToken;

use super::client::{listener, send_http};
use crate::server::{Probes, serve_probes};

/// More than the connection limit.
const CLIENTS: usize = 300;

/// Pause of each client between requests and connections; all share one thread with the server.
const PAUSE: Duration = Duration::from_millis(200);

const REQUEST: &[u8] = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";

#[derive(Debug, Clone, Copy)]
enum Client {
    Idle,
    SendsHalfARequest,
    KeepsSending,
    NeverReads,
}

impl Client {
    /// Uses a connection and reconnects whenever the server closes it.
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
            Self::KeepsSending => loop {
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
async fn a_probe_responds_within_a_second_despite_hundreds_of_clients() {
    for client in [
        Client::Idle,
        Client::SendsHalfARequest,
        Client::KeepsSending,
        Client::NeverReads,
    ] {
        let (listener, address) = listener().await;
        let shutdown = CancellationToken::new();
        let server = serve_probes(listener, Probes::default(), shutdown.clone());
        let task = tokio::spawn(server);
        let mut clients = JoinSet::new();
        for _ in 0..CLIENTS {
            let stream = TcpStream::connect(address).await.unwrap();
            clients.spawn(client.run(stream, address));
        }
        for _ in 0..3 {
            let probe = timeout(Duration::from_secs(1), send_http(address, "GET /healthz"));
            let response = probe.await.unwrap_or_else(|_| panic!("{client:?}"));
            assert_eq!(response.status, 200, "{client:?}");
        }
        clients.shutdown().await;
        shutdown.cancel();
        task.await.unwrap().unwrap();
    }
}

#[tokio::test]
async fn a_probe_connection_is_closed_after_one_response() {
    let (listener, address) = listener().await;
    let task = tokio::spawn(serve_probes(
        listener,
        Probes::default(),
        CancellationToken::new(),
    ));
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(REQUEST).await.unwrap();
    let mut response = String::new();
    let read = timeout(Duration::from_secs(1), stream.read_to_string(&mut response));
    read.await.unwrap().unwrap();
    assert!(response.starts_with("HTTP/1.1 200"), "{response}");
    task.abort();
}
