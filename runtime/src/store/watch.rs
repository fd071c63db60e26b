//! The future that fills a store.

use std::fmt;

use futures::{StreamExt, stream};
use kube::{
    Api,
    runtime::{
        WatchStreamExt,
        watcher::{self, Event},
    },
};

use super::{
    Kind, SyncState,
    feed::Feed,
    guard::Guard,
    outage::{Outage, code},
};

/// Watches the objects of one kind, and fills their [`Store`](super::Store). It does nothing until it is run.
pub struct Watch<K: Kind> {
    apis: Vec<Api<K>>,
    config: watcher::Config,
    feed: Feed<K>,
}

impl<K: Kind> Watch<K> {
    pub(super) fn new(apis: Vec<Api<K>>, config: watcher::Config, feed: Feed<K>) -> Self {
        Self { apis, config, feed }
    }

    /// Lists and watches, and does so again after errors, with kube's backoff. It does not end: drop the future to stop.
    pub async fn run(mut self) {
        let namespaces = self
            .apis
            .iter()
            .map(|api| api.namespace().map(String::from));
        let mut outages: Vec<_> = namespaces.map(Outage::of::<K>).collect();
        let watches = self.apis.into_iter().enumerate().map(|(source, api)| {
            watcher::watcher(guarded(api), self.config.clone())
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
                    }
                    outages[source].failed(&error);
                }
            }
        }
    }
}

/// The same objects, where those that do not fit their type do not fail the others.
fn guarded<K: Kind>(api: Api<K>) -> Api<Guard<K>> {
    match api.namespace().map(String::from) {
        Some(namespace) => Api::namespaced_with(api.into_client(), &namespace, &()),
        None => Api::all(api.into_client()),
    }
}

impl<K: Kind> fmt::Debug for Watch<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch")
            .field("kind", &K::kind(&()))
            .finish_non_exhaustive()
    }
}
