//! Watches that connect anew when this process begins to lead.
//!
//! A standby may lead with a watch whose connection is dead and has not been noticed yet, and would reconcile from a cache that is minutes old. So a new leader
//! ends the responses of its watches. kube's watcher takes that for the usual end of a watch, and resumes from the last version that it has seen, without
//! listing again. Controllers wait until the API server has answered.
//!
//! This is a layer around the client of each watch, because kube's watcher does not show when a watch begins.

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

/// Says for each watch of a store whether it was answered after it had to connect anew.
pub(crate) type Reconnected = watch::Receiver<Vec<bool>>;

/// Connects the watches of one store anew, once.
#[derive(Debug, Clone)]
pub(super) struct Reconnect {
    signal: CancellationToken,
    answered: watch::Sender<Vec<bool>>,
}

impl Reconnect {
    /// Waits for the signal, for so many watches.
    pub(super) fn on(signal: CancellationToken, watches: usize) -> (Self, Reconnected) {
        let (answered, reconnected) = watch::channel(vec![false; watches]);
        (Self { signal, answered }, reconnected)
    }

    /// The client for one of the watches.
    pub(super) fn client(&self, client: Client, watch: usize) -> Client {
        let namespace = client.default_namespace().to_owned();
        let reconnect = self.clone();
        let service = service_fn(move |request| {
            let (client, reconnect) = (client.clone(), reconnect.clone());
            async move { reconnect.send(&client, request, watch).await }
        });
        Client::new(service, namespace)
    }

    /// What was answered is that the version is too old: all is listed again, and then watched.
    pub(super) fn expired(&self, watch: usize) {
        self.set(watch, false);
    }

    fn set(&self, watch: usize, answered: bool) {
        self.answered
            .send_modify(|watches| watches[watch] = answered);
    }

    async fn send(
        self,
        client: &Client,
        request: Request<Body>,
        watch: usize,
    ) -> kube::Result<Response<EndingBody>> {
        let is_watch = is_watch(&request);
        let is_late = self.signal.is_cancelled();
        let signal = Box::pin(self.signal.clone().cancelled_owned());
        let mut end = (is_watch && !is_late).then_some(signal);
        let response = client.send(request);
        let response = match &mut end {
            None => response.await?,
            Some(signal) => tokio::select! {
                response = response => response?,
                // The watcher asks again.
                () = signal => Response::new(Body::empty()),
            },
        };
        if is_watch && is_late && is_answer(response.status()) {
            self.set(watch, true);
        }
        Ok(response.map(|body| EndingBody { body, end }))
    }
}

fn is_watch<B>(request: &Request<B>) -> bool {
    let query = request.uri().query().unwrap_or_default();
    query.split('&').any(|parameter| parameter == "watch=true")
}

/// Whether the cache is as good as it can be: a watch that the server refuses leaves it as it is.
fn is_answer(status: StatusCode) -> bool {
    status.is_success() || status == StatusCode::FORBIDDEN || status == StatusCode::NOT_FOUND
}

/// A response that ends at the signal, if it has one to wait for.
struct EndingBody {
    body: Body,
    end: Option<Pin<Box<WaitForCancellationFutureOwned>>>,
}

impl hyper::body::Body for EndingBody {
    type Data = Bytes;
    type Error = <Body as hyper::body::Body>::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        if let Some(end) = &mut self.end
            && end.as_mut().poll(context).is_ready()
        {
            self.end = None;
            self.body = Body::empty();
        }
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        // It may end earlier than the body says.
        SizeHint::default()
    }
}
