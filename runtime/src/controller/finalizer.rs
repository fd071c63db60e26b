//! Finalizers.

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

/// Runs kube's [`finalizer`](kube_finalizer) with a `reconcile` that returns kb's [`Action`].
///
/// It adds the finalizer `name` before the first [`Event::Apply`], and removes it once `reconcile` succeeds for [`Event::Cleanup`].
///
/// # Errors
///
/// Returns the errors of kube's `finalizer`, which wrap those of `reconcile`.
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
    let returned = &mut action;
    kube_finalizer(api, name, object, |event| async move {
        *returned = reconcile(event).await?;
        Ok(KubeAction::await_change())
    })
    .await?;
    Ok(action)
}
