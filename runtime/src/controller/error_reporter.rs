//! Reports errors of reconciles in the conditions of the object and as events.

use std::{sync::Arc, time::Duration};

use futures::future::BoxFuture;
use serde::Serialize;
use tokio::time::timeout;
use tracing::debug;

use super::{Error, error::chain};
use crate::{
    objects::{EventRecorder, EventType, Objects, ReportedError},
    store::CachedResource,
};

/// Action of the events.
const ACTION: &str = "Reconcile";

/// Limits a report, so that an API server that does not respond does not block the worker.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Reporter of a controller. A trait object, because only kinds that can be serialized have one.
pub(super) trait ErrorReporter<K>: Send + Sync {
    fn report<'a>(&'a self, object: Arc<K>, error: &'a Error) -> BoxFuture<'a, ()>;
}

/// Reports to the API server.
pub(super) struct ApiReporter {
    pub(super) objects: Objects,
    pub(super) recorder: EventRecorder,
}

impl<K: CachedResource + Serialize> ErrorReporter<K> for ApiReporter {
    fn report<'a>(&'a self, object: Arc<K>, error: &'a Error) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            let report = ReportedError::new(error.reason(), error.to_string(), error.is_terminal());
            let note = report.message.clone();
            self.recorder
                .publish(&*object, EventType::Warning, report.reason(), ACTION, note);
            // A failed report is not an error of the reconcile. The next attempt reports again.
            match timeout(TIMEOUT, self.objects.report_error(&*object, &report)).await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => debug!(error = chain(&error), "failed to report error in status"),
                Err(_) => debug!(error = "timeout", "failed to report error in status"),
            }
        })
    }
}
