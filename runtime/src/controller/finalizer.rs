//! Finalizers: what must be done before an object may go.

use std::sync::Arc;

use kube::{
    Api,
    runtime::{
        controller::Action as KubeAction,
        finalizer::{Error, Event, finalizer as kube_finalizer},
    },
};
use serde::Serialize;

use super::Action;
use crate::store::CachedResource;

/// kube's [`finalizer`](kube_finalizer), for a reconcile that gives an [`Action`] of this module.
///
/// # Errors
///
/// Those of kube's, and of `reconcile`.
pub async fn finalizer<K, F, E>(
    api: &Api<K>,
    name: &str,
    object: Arc<K>,
    reconcile: impl FnOnce(Event<K>) -> F,
) -> Result<Action, Error<E>>
where
    K: CachedResource + Serialize,
    F: Future<Output = Result<Action, E>>,
    E: std::error::Error + 'static,
{
    let mut action = Action::await_change();
    let given = &mut action;
    kube_finalizer(api, name, object, |event| async move {
        *given = reconcile(event).await?;
        Ok(KubeAction::await_change())
    })
    .await?;
    Ok(action)
}
