//! Accepts connections, and answers them until it is time to stop.
//!
//! No client can hold the server: a handshake, the head of a request, a connection and the drain at the end each have a limit,
//! and so has the number of connections (see `open`). What is answered is the router's business.

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
    open::{Activity, OpenConnections},
};

/// How long a client may take for the TLS handshake, and for the head of each request. A connection without requests ends as well.
const PATIENCE: Duration = Duration::from_secs(10);

/// After this a connection is drained, so that a client that reads slowly, or never, does not keep it.
const LIFETIME: Duration = Duration::from_secs(300);

/// How long the answers under way may take when a connection is drained.
const DRAIN: Duration = Duration::from_secs(5);

/// What is kept of the head of a request. A bearer token is seldom larger than 2 KiB.
const MOST_HEAD: usize = 64 * 1024;

/// The pause after a connection could not be accepted: most often all file descriptors are in use.
const PAUSE: Duration = Duration::from_millis(100);

/// How many requests a connection carries.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Requests {
    /// One. The server closes the connection after its response.
    One,
    /// Any number, one after the other.
    Many,
}

/// Answers all connections by `router`, over TLS if there are `certificates`, until `shutdown`. Then nothing is accepted any more, and
/// the answers under way get some seconds to finish.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    certificates: Option<&Certificates>,
    requests: Requests,
    shutdown: CancellationToken,
) {
    let server = Server {
        router,
        tls: certificates.map(|certificates| TlsAcceptor::from(certificates.server_config())),
        requests,
        shutdown,
    };
    let renewal = async {
        match certificates {
            Some(certificates) => certificates.keep_fresh().await,
            None => pending().await,
        }
    };
    tokio::select! {
        () = Arc::new(server).accept(listener) => {}
        never = renewal => match never {},
    }
}

struct Server {
    router: Router,
    tls: Option<TlsAcceptor>,
    requests: Requests,
    shutdown: CancellationToken,
}

impl Server {
    async fn accept(self: Arc<Self>, listener: TcpListener) {
        // Whoever drops this future ends its connections too.
        let mut connections = OpenConnections::default();
        loop {
            tokio::select! {
                () = self.shutdown.cancelled() => break,
                accepted = listener.accept() => match accepted {
                    Ok((stream, _)) => {
                        connections.spawn(|activity| Arc::clone(&self).connection(stream, activity));
                    }
                    Err(error) => {
                        tracing::warn!(%error, "A connection cannot be accepted. It is tried again.");
                        sleep(PAUSE).await;
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
            return self.answer(stream, &activity).await;
        };
        let handshake = tokio::select! {
            handshake = timeout(PATIENCE, tls.accept(stream)) => handshake,
            () = self.shutdown.cancelled() => return,
        };
        match handshake {
            Ok(Ok(stream)) => self.answer(stream, &activity).await,
            Ok(Err(error)) => tracing::debug!(%error, "A TLS handshake failed."),
            Err(_) => tracing::debug!("A TLS handshake took too long."),
        }
    }

    async fn answer(&self, stream: impl AsyncRead + AsyncWrite + Unpin, activity: &Activity) {
        let router = TowerToHyperService::new(self.router.clone());
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(PATIENCE)
            .max_buf_size(MOST_HEAD)
            .keep_alive(self.requests == Requests::Many)
            .serve_connection(
                TokioIo::new(stream),
                service_fn(|request| activity.answering(router.call(request))),
            );
        let mut connection = pin!(connection);
        let ended = tokio::select! {
            ended = connection.as_mut() => Ok(ended),
            _ = timeout(LIFETIME, self.shutdown.cancelled()) => {
                connection.as_mut().graceful_shutdown();
                timeout(DRAIN, connection).await
            }
        };
        match ended {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::debug!(%error, "A connection broke."),
            Err(_) => tracing::debug!("A connection was closed before its answer was read."),
        }
    }
}
