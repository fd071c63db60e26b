//! Deletes what an owner has and no longer wants.

use std::sync::Arc;

use kube::{
    Resource, ResourceExt,
    api::{DeleteParams, Preconditions},
    core::Request,
};

use crate::store::{CachedResource, Store};

use super::{
    Objects, Owner,
    owner::{controls, title},
};

impl Objects {
    /// Deletes what the owner has in the cache and `keep` does not name, and says how many objects that were.
    ///
    /// Only an object that the owner controls is deleted, and only as it was cached: if it changed since, that is a conflict, and tried
    /// again with the new one. What it owns in turn is deleted in the background. Needs the verb `delete`.
    ///
    /// # Errors
    ///
    /// The first error, after all others have been tried. That an object is gone already is none.
    pub async fn prune<C: CachedResource>(
        &self,
        owner: &Owner,
        cache: &Store<C>,
        keep: impl Fn(&C) -> bool,
    ) -> Result<usize, kube::Error> {
        self.prune_from(owner, cache.owned_by(owner.uid()), keep)
            .await
    }

    /// [`prune`](Self::prune) with a cache of another kind: `children` is what the owner may have in it.
    ///
    /// # Errors
    ///
    /// As [`prune`](Self::prune).
    pub async fn prune_from<C>(
        &self,
        owner: &Owner,
        children: impl IntoIterator<Item = Arc<C>>,
        keep: impl Fn(&C) -> bool,
    ) -> Result<usize, kube::Error>
    where
        C: Resource<DynamicType = ()>,
    {
        let mut deleted = 0;
        let mut first_error = Ok(());
        for object in children {
            let is_ours = controls(owner, &*object);
            if !is_ours || object.meta().deletion_timestamp.is_some() || keep(&object) {
                continue;
            }
            match self.delete(&*object).await {
                Ok(()) => {
                    tracing::info!(object = title(&*object), %owner, "deleted, as it is no longer wanted");
                    deleted += 1;
                }
                Err(kube::Error::Api(status)) if status.is_not_found() => {}
                Err(error) => first_error = first_error.and(Err(error)),
            }
        }
        first_error.map(|()| deleted)
    }

    async fn delete<C: Resource<DynamicType = ()>>(&self, object: &C) -> Result<(), kube::Error> {
        let params = DeleteParams::background().preconditions(Preconditions {
            uid: object.uid(),
            resource_version: object.resource_version(),
        });
        let request = Request::new(C::url_path(&(), object.meta().namespace.as_deref()))
            .delete(&object.name_any(), &params)
            .map_err(kube::Error::BuildRequest)?;
        // The answer is the object or a status, and neither is needed.
        self.client.request_text(request).await?;
        if let Some(uid) = &object.meta().uid {
            self.applied.forget(uid);
        }
        Ok(())
    }
}
