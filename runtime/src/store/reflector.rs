//! The future that lists and watches a resource and updates its store.

use std::fmt;

use futures::{StreamExt, stream};
use kube::{
    Api, Client,
    runtime::{
        WatchStreamExt,
        watcher::{self, Event},
    },
};
use tokio_util::sync::CancellationToken;

use super::{
    CachedResource, Reconnected, SyncState,
    event_handler::EventHandler,
    outage::{Outage, status_code},
    raw_object::RawObject,
    reconnect::Reconnect,
};

/// Lists and watches a resource and updates its [`Store`](super::Store). Does nothing until [`run`](Self::run) is polled.
pub struct Reflector<K: CachedResource> {
    apis: Vec<Api<K>>,
    config: watcher::Config,
    handler: EventHandler<K>,
    reconnect: Option<Reconnect>,
}

impl<K: CachedResource> Reflector<K> {
    pub(super) fn new(
        apis: Vec<Api<K>>,
        config: watcher::Config,
        handler: EventHandler<K>,
    ) -> Self {
        Self {
            apis,
            config,
            handler,
            reconnect: None,
        }
    }

    /// Reconnects the watches when the signal is canceled, without relisting. The receiver reports when the API server has responded.
    pub(crate) fn reconnect_on(mut self, signal: CancellationToken) -> (Self, Reconnected) {
        let (reconnect, reconnected) = Reconnect::on(signal, self.apis.len());
        self.reconnect = Some(reconnect);
        (self, reconnected)
    }

    /// Lists and watches, and retries after errors with kube's default backoff. Never returns: drop the future to stop.
    ///
    /// Requires the verbs `list` and `watch`.
    pub async fn run(mut self) {
        let namespaces = self
            .apis
            .iter()
            .map(|api| api.namespace().map(String::from));
        let mut outages: Vec<_> = namespaces.map(Outage::new::<K>).collect();
        let reconnect = self.reconnect;
        let watches = self.apis.into_iter().enumerate().map(|(watch, api)| {
            let wrap = |client| match &reconnect {
                Some(reconnect) => reconnect.client(client, watch),
                None => client,
            };
            watcher::watcher(raw_api(api, wrap), self.config.clone())
                .default_backoff()
                .map(move |result| (watch, result))
                .boxed()
        });
        let mut events = stream::select_all(watches);
        while let Some((watch, result)) = events.next().await {
            match result {
                Ok(event) => {
                    // The watcher emits `Init` before it sends a request.
                    if !matches!(event, Event::Init) {
                        outages[watch].watch_succeeded();
                    }
                    self.handler.handle(watch, event);
                }
                Err(error) => {
                    let code = status_code(&error);
                    if let Some(reason) = SyncState::after_failure(code) {
                        self.handler.set_unavailable(reason);
                    } else if let Some(reconnect) = &reconnect
                        && code == Some(410)
                    {
                        reconnect.expired(watch);
                    }
                    outages[watch].watch_failed(&error);
                }
            }
        }
    }
}

/// Returns an API for the same objects that does not deserialize them yet.
fn raw_api<K: CachedResource>(
    api: Api<K>,
    wrap: impl FnOnce(Client) -> Client,
) -> Api<RawObject<K>> {
    match api.namespace().map(String::from) {
        Some(namespace) => Api::namespaced_with(wrap(api.into_client()), &namespace, &()),
        None => Api::all(wrap(api.into_client())),
    }
}

impl<K: CachedResource> fmt::Debug for Reflector<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reflector")
            .field("kind", &K::kind(&()))
            .finish_non_exhaustive()
    }
}
