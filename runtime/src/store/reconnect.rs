//! Reconnects watches when this process becomes the leader.
//!
//! The watch of a standby may have a dead connection that has not timed out yet: as leader it would reconcile from a cache that is
//! minutes old. So a new leader closes the responses of its watches. kube's watcher treats that as the usual end of a watch and resumes
//! from the last resource version, without relisting. Controllers wait until the API server has responded.
//!
//! Implemented as a layer of the client, because kube's watcher does not report when a watch starts.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use http::{Request, Response, StatusCode};
use hyper::body::{Bytes, Frame, SizeHint};
use kube::{Client, client::Body};
use tokio::sync::watch;
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};
use tower::service_fn;

/// For each watch of a store, whether the API server responded after the reconnect.
pub(crate) type Reconnected = watch::Receiver<Vec<bool>>;

/// Reconnects the watches of one store, once.
#[derive(Debug, Clone)]
pub(super) struct Reconnect {
    signal: CancellationToken,
    responded: watch::Sender<Vec<bool>>,
}

impl Reconnect {
    /// Reconnects `watches` watches when the signal is canceled.
    pub(super) fn on(signal: CancellationToken, watches: usize) -> (Self, Reconnected) {
        let (responded, reconnected) = watch::channel(vec![false; watches]);
        (Self { signal, responded }, reconnected)
    }

    /// Wraps the client of a watch.
    pub(super) fn client(&self, client: Client, watch: usize) -> Client {
        let namespace = client.default_namespace().to_owned();
        let reconnect = self.clone();
        let service = service_fn(move |request| {
            let (client, reconnect) = (client.clone(), reconnect.clone());
            async move { reconnect.send(&client, request, watch).await }
        });
        Client::new(service, namespace)
    }

    /// Handles a response saying that the resource version expired: the watcher relists and then watches again.
    pub(super) fn expired(&self, watch: usize) {
        self.set_responded(watch, false);
    }

    fn set_responded(&self, watch: usize, responded: bool) {
        self.responded
            .send_modify(|watches| watches[watch] = responded);
    }

    async fn send(
        self,
        client: &Client,
        request: Request<Body>,
        watch: usize,
    ) -> kube::Result<Response<ClosableBody>> {
        let is_watch = is_watch(&request);
        let is_reconnect = self.signal.is_cancelled();
        let signal = Box::pin(self.signal.clone().cancelled_owned());
        let mut close = (is_watch && !is_reconnect).then_some(signal);
        let response = client.send(request);
        let response = match &mut close {
            None => response.await?,
            Some(signal) => tokio::select! {
                response = response => response?,
                // The watcher sends the request again.
                () = signal => Response::new(Body::empty()),
            },
        };
        if is_watch && is_reconnect && is_final(response.status()) {
            self.set_responded(watch, true);
        }
        Ok(response.map(|body| ClosableBody { body, close }))
    }
}

fn is_watch<B>(request: &Request<B>) -> bool {
    let query = request.uri().query().unwrap_or_default();
    query.split('&').any(|parameter| parameter == "watch=true")
}

/// Returns whether the cache is as current as it can be: retrying a rejected watch would not update it.
fn is_final(status: StatusCode) -> bool {
    status.is_success() || status == StatusCode::FORBIDDEN || status == StatusCode::NOT_FOUND
}

/// Response body that ends when the signal is canceled.
struct ClosableBody {
    body: Body,
    close: Option<Pin<Box<WaitForCancellationFutureOwned>>>,
}

impl hyper::body::Body for ClosableBody {
    type Data = Bytes;
    type Error = <Body as hyper::body::Body>::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        if let Some(close) = &mut self.close
            && close.as_mut().poll(context).is_ready()
        {
            self.close = None;
            self.body = Body::empty();
        }
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        // The body may end early.
        SizeHint::default()
    }
}
