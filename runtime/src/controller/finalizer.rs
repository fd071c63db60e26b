//! Finalizers: cleanup before an object is deleted.
//!
//! kube's `finalizer` wraps the reconciler and so needs an error type of its own, an `Api` and an event to match on. This one belongs to the
//! controller: `reconcile` never sees an object without its finalizer or one that is being deleted.

use std::{sync::Arc, time::Duration};

use futures::future::BoxFuture;
use kube::ResourceExt;

use super::{Action, Error};
use crate::{objects::Objects, store::CachedResource};

/// Result of a cleanup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cleanup {
    /// Nothing is left: the finalizer is removed and the object can be deleted.
    Done,
    /// Not finished yet: called again after this delay.
    Pending(Duration),
}

type CleanupFn<K, Ctx> =
    dyn Fn(Arc<K>, Arc<Ctx>) -> BoxFuture<'static, Result<Cleanup, Error>> + Send + Sync;

/// Finalizer of a controller.
pub(super) struct Finalizer<K, Ctx> {
    name: String,
    objects: Objects,
    cleanup: Box<CleanupFn<K, Ctx>>,
}

impl<K: CachedResource, Ctx> Finalizer<K, Ctx> {
    pub(super) fn new<F, E>(
        name: String,
        objects: Objects,
        cleanup: impl Fn(Arc<K>, Arc<Ctx>) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = Result<Cleanup, E>> + Send + 'static,
        E: Into<Error> + Send + 'static,
    {
        Self {
            name,
            objects,
            cleanup: Box::new(move |object, context| {
                let cleanup = cleanup(object, context);
                Box::pin(async { cleanup.await.map_err(Into::into) })
            }),
        }
    }

    /// Adds the finalizer, reconciles, or cleans up and removes the finalizer, whichever is next.
    pub(super) async fn reconcile<F>(
        &self,
        object: Arc<K>,
        context: Arc<Ctx>,
        reconcile: impl FnOnce(Arc<K>, Arc<Ctx>) -> F,
    ) -> Result<Action, Error>
    where
        F: Future<Output = Result<Action, Error>>,
    {
        let has_finalizer = object.finalizers().contains(&self.name);
        let is_deleted = object.meta().deletion_timestamp.is_some();
        match (is_deleted, has_finalizer) {
            (false, true) => return reconcile(object, context).await,
            // The update triggers the first reconcile.
            (false, false) => self.objects.add_finalizer(&*object, &self.name).await?,
            (true, true) => match (self.cleanup)(Arc::clone(&object), context).await? {
                Cleanup::Done => self.objects.remove_finalizer(&*object, &self.name).await?,
                Cleanup::Pending(delay) => return Ok(Action::requeue(delay)),
            },
            // Waiting for the finalizers of others.
            (true, false) => {}
        }
        Ok(Action::await_change())
    }
}
