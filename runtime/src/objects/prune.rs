//! Deletes owned objects that are no longer desired.

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
    /// Deletes all cached objects that the owner controls and for which `keep` returns `false`. Returns the number of deleted objects.
    ///
    /// Deletes with background propagation and with the UID and resource version of the cached object as preconditions: if the object
    /// changed since, the API server returns a conflict. Skips objects that are being deleted.
    ///
    /// Requires the verb `delete`.
    ///
    /// # Errors
    ///
    /// Returns the first error after attempting all deletions. Objects that are already deleted are not an error.
    pub async fn prune<C: CachedResource>(
        &self,
        owner: &Owner,
        cache: &Store<C>,
        keep: impl Fn(&C) -> bool,
    ) -> Result<usize, kube::Error> {
        self.prune_from(owner, cache.owned_by(owner.uid()), keep)
            .await
    }

    /// Deletes the oldest objects that the owner controls and for which `is_finished` returns `true`, so that at most `limit` of these are
    /// left. Returns the number of deleted objects. See [`prune`](Self::prune) for how it deletes.
    ///
    /// ```no_run
    /// use kb::k8s_openapi::api::batch::v1::Job;
    /// use kb::objects::{Objects, Owner, job_is_finished};
    /// use kb::store::Store;
    ///
    /// # async fn wrapper(objects: &Objects, owner: &Owner, jobs: &Store<Job>) -> Result<(), kube::Error> {
    /// objects.prune_oldest(owner, jobs, 3, job_is_finished).await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// Requires the verb `delete`.
    ///
    /// # Errors
    ///
    /// See [`prune`](Self::prune).
    pub async fn prune_oldest<C: CachedResource>(
        &self,
        owner: &Owner,
        cache: &Store<C>,
        limit: usize,
        is_finished: impl Fn(&C) -> bool,
    ) -> Result<usize, kube::Error> {
        let mut finished = cache.owned_by(owner.uid());
        finished.retain(|object| {
            let is_terminating = object.meta().deletion_timestamp.is_some();
            controls(owner, &**object) && !is_terminating && is_finished(object)
        });
        // Objects that were created in the same second are ordered by name.
        finished.sort_by_cached_key(|object| (object.creation_timestamp(), object.name_any()));
        let oldest = finished.len().saturating_sub(limit);
        finished.truncate(oldest);
        self.prune_from(owner, finished, |_| false).await
    }

    /// Like [`prune`](Self::prune), for caches other than a [`Store`] or with preselected objects. Objects that the owner does not
    /// control are skipped.
    ///
    /// # Errors
    ///
    /// See [`prune`](Self::prune).
    pub async fn prune_from<C>(
        &self,
        owner: &Owner,
        objects: impl IntoIterator<Item = Arc<C>>,
        keep: impl Fn(&C) -> bool,
    ) -> Result<usize, kube::Error>
    where
        C: Resource<DynamicType = ()>,
    {
        let mut deleted = 0;
        let mut first_error = Ok(());
        for object in objects {
            let is_controlled = controls(owner, &*object);
            if !is_controlled || object.meta().deletion_timestamp.is_some() || keep(&object) {
                continue;
            }
            match self.delete(&*object).await {
                Ok(()) => {
                    tracing::info!(object = title(&*object), %owner, "deleted object that is no longer desired");
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
        // The response is the object or a status. Neither is needed.
        self.client.request_text(request).await?;
        if let Some(uid) = &object.meta().uid {
            self.applied.remove(uid);
        }
        Ok(())
    }
}
