//! The future that fills a store.

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
    feed::Feed,
    guard::Guard,
    outage::{Outage, code},
    reconnect::Reconnect,
};

/// Watches the objects of one kind, and fills their [`Store`](super::Store). It does nothing until it is run.
pub struct Reflector<K: CachedResource> {
    apis: Vec<Api<K>>,
    config: watcher::Config,
    feed: Feed<K>,
    reconnect: Option<Reconnect>,
}

impl<K: CachedResource> Reflector<K> {
    pub(super) fn new(apis: Vec<Api<K>>, config: watcher::Config, feed: Feed<K>) -> Self {
        Self {
            apis,
            config,
            feed,
            reconnect: None,
        }
    }

    /// Connects anew at the signal, without listing again, and tells when the server has answered.
    pub(crate) fn reconnect_on(mut self, signal: CancellationToken) -> (Self, Reconnected) {
        let (reconnect, reconnected) = Reconnect::on(signal, self.apis.len());
        self.reconnect = Some(reconnect);
        (self, reconnected)
    }

    /// Lists and watches, and does so again after errors, with kube's backoff. It does not end: drop the future to stop.
    pub async fn run(mut self) {
        let namespaces = self
            .apis
            .iter()
            .map(|api| api.namespace().map(String::from));
        let mut outages: Vec<_> = namespaces.map(Outage::of::<K>).collect();
        let reconnect = self.reconnect;
        let watches = self.apis.into_iter().enumerate().map(|(source, api)| {
            let reconnecting = |client| match &reconnect {
                Some(reconnect) => reconnect.client(client, source),
                None => client,
            };
            watcher::watcher(guarded(api, reconnecting), self.config.clone())
                .default_backoff()
                .map(move |result| (source, result))
                .boxed()
        });
        let mut events = stream::select_all(watches);
        while let Some((source, result)) = events.next().await {
            match result {
                Ok(event) => {
                    // kube says `Init` before it has asked the server anything.
                    if !matches!(event, Event::Init) {
                        outages[source].ended();
                    }
                    self.feed.take(source, event);
                }
                Err(error) => {
                    if let Some(reason) = SyncState::after_failure(code(&error)) {
                        self.feed.unavailable(reason);
                    } else if let Some(reconnect) = &reconnect
                        && code(&error) == Some(410)
                    {
                        reconnect.expired(source);
                    }
                    outages[source].failed(&error);
                }
            }
        }
    }
}

/// The same objects, where those that do not fit their type do not fail the others.
fn guarded<K: CachedResource>(api: Api<K>, client: impl FnOnce(Client) -> Client) -> Api<Guard<K>> {
    match api.namespace().map(String::from) {
        Some(namespace) => Api::namespaced_with(client(api.into_client()), &namespace, &()),
        None => Api::all(client(api.into_client())),
    }
}

impl<K: CachedResource> fmt::Debug for Reflector<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reflector")
            .field("kind", &K::kind(&()))
            .finish_non_exhaustive()
    }
}
