//! HTTP/1.1 server with limits and graceful shutdown.
//!
//! No client can block the server: TLS handshakes, request headers, connections and the final drain have timeouts, and the number of connections
//! is limited (see `open_connections`).

use std::{future::pending, pin::pin, sync::Arc, time::Duration};

use axum::Router;
use hyper::{
    server::conn::http1,
    service::{Service, service_fn},
};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::{TcpListener, TcpStream},
    time::{sleep, timeout},
};
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;

use super::{
    Certificates,
    open_connections::{Activity, OpenConnections},
};

/// Timeout of the TLS handshake and of the header of each request, hence also of idle connections.
const READ_TIMEOUT: Duration = Duration::from_secs(10);

/// Maximum age of a connection, so that a client that never reads cannot keep it.
const MAX_LIFETIME: Duration = Duration::from_secs(300);

/// How long pending responses may take when a connection is drained.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(5);

/// Maximum size of a request header. A bearer token is rarely larger than 2 KiB.
const MAX_HEADER_SIZE: usize = 64 * 1024;

/// Delay after a failed accept, most often because all file descriptors are in use.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(100);

/// Whether a connection serves several requests.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeepAlive {
    /// The server closes the connection after one response.
    Disabled,
    /// A connection serves any number of requests.
    Enabled,
}

/// Serves `router`, over TLS with `certificates`, until `shutdown`. Pending responses then get a few seconds to finish.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    certificates: Option<&Certificates>,
    keep_alive: KeepAlive,
    shutdown: CancellationToken,
) {
    let server = Server {
        router,
        tls: certificates.map(|certificates| TlsAcceptor::from(certificates.server_config())),
        keep_alive,
        shutdown,
    };
    let reload = async {
        match certificates {
            Some(certificates) => certificates.watch_files().await,
            None => pending().await,
        }
    };
    tokio::select! {
        () = Arc::new(server).accept(listener) => {}
        never = reload => match never {},
    }
}

struct Server {
    router: Router,
    tls: Option<TlsAcceptor>,
    keep_alive: KeepAlive,
    shutdown: CancellationToken,
}

impl Server {
    async fn accept(self: Arc<Self>, listener: TcpListener) {
        // Dropping this future closes its connections.
        let mut connections = OpenConnections::default();
        loop {
            tokio::select! {
                () = self.shutdown.cancelled() => break,
                accepted = listener.accept() => match accepted {
                    Ok((stream, _)) => {
                        connections.spawn(|activity| Arc::clone(&self).connection(stream, activity));
                    }
                    Err(error) => {
                        tracing::warn!(%error, "failed to accept connection");
                        sleep(ACCEPT_RETRY_DELAY).await;
                    }
                },
                Some(()) = connections.join_next() => {}
            }
        }
        drop(listener);
        while connections.join_next().await.is_some() {}
    }

    async fn connection(self: Arc<Self>, stream: TcpStream, activity: Arc<Activity>) {
        let Some(tls) = &self.tls else {
            return self.serve_connection(stream, &activity).await;
        };
        let handshake = tokio::select! {
            handshake = timeout(READ_TIMEOUT, tls.accept(stream)) => handshake,
            () = self.shutdown.cancelled() => return,
        };
        match handshake {
            Ok(Ok(stream)) => self.serve_connection(stream, &activity).await,
            Ok(Err(error)) => tracing::debug!(%error, "TLS handshake failed"),
            Err(_) => tracing::debug!("TLS handshake timed out"),
        }
    }

    async fn serve_connection(
        &self,
        stream: impl AsyncRead + AsyncWrite + Unpin,
        activity: &Activity,
    ) {
        let router = TowerToHyperService::new(self.router.clone());
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(READ_TIMEOUT)
            .max_buf_size(MAX_HEADER_SIZE)
            .keep_alive(self.keep_alive == KeepAlive::Enabled)
            .serve_connection(
                TokioIo::new(stream),
                service_fn(|request| activity.track(router.call(request))),
            );
        let mut connection = pin!(connection);
        let result = tokio::select! {
            result = connection.as_mut() => Ok(result),
            _ = timeout(MAX_LIFETIME, self.shutdown.cancelled()) => {
                connection.as_mut().graceful_shutdown();
                timeout(DRAIN_TIMEOUT, connection).await
            }
        };
        match result {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::debug!(%error, "connection failed"),
            Err(_) => tracing::debug!("connection timed out during shutdown"),
        }
    }
}
