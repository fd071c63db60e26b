//! Minimal HTTP and HTTPS client.

use std::{net::SocketAddr, sync::Arc};

use rustls::{
    ClientConfig, RootCertStore,
    crypto::ring,
    pki_types::{CertificateDer, ServerName},
};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};
use tokio_rustls::{TlsConnector, client::TlsStream};

/// Response of a server.
#[derive(Debug, PartialEq)]
pub(super) struct HttpResponse {
    pub(super) status: u16,
    pub(super) head: String,
    pub(super) body: String,
}

/// Binds a listener on loopback.
pub(super) async fn listener() -> (TcpListener, SocketAddr) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    (listener, address)
}

/// Sends a request and reads until the server closes the connection.
pub(super) async fn send(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    request: &str,
    token: Option<&str>,
) -> HttpResponse {
    let token = token.map_or(String::new(), |token| {
        format!("Authorization: Bearer {token}\r\n")
    });
    let request =
        format!("{request} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{token}\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).await.unwrap();
    let (head, body) = response.split_once("\r\n\r\n").unwrap();
    HttpResponse {
        status: head.split(' ').nth(1).unwrap().parse().unwrap(),
        head: head.to_ascii_lowercase(),
        body: body.to_owned(),
    }
}

/// Sends a request over HTTP.
pub(super) async fn send_http(address: SocketAddr, request: &str) -> HttpResponse {
    send(TcpStream::connect(address).await.unwrap(), request, None).await
}

/// Connects over TLS to a server with this certificate.
pub(super) async fn connect(
    address: SocketAddr,
    certificate: &CertificateDer<'static>,
) -> std::io::Result<TlsStream<TcpStream>> {
    let mut roots = RootCertStore::empty();
    roots.add(certificate.clone()).unwrap();
    let mut config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    let stream = TcpStream::connect(address).await?;
    let name = ServerName::try_from("localhost").unwrap();
    TlsConnector::from(Arc::new(config))
        .connect(name, stream)
        .await
}
