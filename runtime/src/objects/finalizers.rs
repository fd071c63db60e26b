//! Adds and removes finalizers.
//!
//! Sends a JSON merge patch, which replaces the whole list, with the resource version it was computed from: if the object changed since, the
//! API server returns a conflict, and the object is reconciled again.

use kube::{
    Resource, ResourceExt,
    api::{Patch, PatchParams},
    core::Request,
};
use serde::de::DeserializeOwned;
use serde_json::json;

use super::{Objects, digest::digest, owner::title, status::stale_object};
use crate::retry_after::deferred;

/// Seconds until the next attempt if the object changed and the cache does not follow.
const RETRY_SECONDS: u32 = 1;

impl Objects {
    /// Adds a finalizer.
    pub(crate) async fn add_finalizer<K>(&self, object: &K, name: &str) -> Result<(), kube::Error>
    where
        K: Resource<DynamicType = ()> + DeserializeOwned,
    {
        let mut finalizers = object.finalizers().to_vec();
        finalizers.push(name.to_owned());
        self.patch_finalizers(object, &finalizers).await
    }

    /// Removes a finalizer. An object that is already deleted is not an error.
    pub(crate) async fn remove_finalizer<K>(
        &self,
        object: &K,
        name: &str,
    ) -> Result<(), kube::Error>
    where
        K: Resource<DynamicType = ()> + DeserializeOwned,
    {
        let mut finalizers = object.finalizers().to_vec();
        finalizers.retain(|finalizer| finalizer != name);
        match self.patch_finalizers(object, &finalizers).await {
            Err(kube::Error::Api(status)) if status.is_not_found() => Ok(()),
            result => result,
        }
    }

    async fn patch_finalizers<K>(
        &self,
        object: &K,
        finalizers: &[String],
    ) -> Result<(), kube::Error>
    where
        K: Resource<DynamicType = ()> + DeserializeOwned,
    {
        let meta = object.meta();
        let uid = meta.uid.as_deref().unwrap_or_default();
        let version = meta.resource_version.as_deref().unwrap_or_default();
        if self.statuses.is_newer_than(uid, version) || self.applied.is_newer_than(uid, version) {
            return Err(stale_object(object));
        }
        let patch = json!({"metadata": {"resourceVersion": version, "finalizers": finalizers}});
        let params = PatchParams {
            field_manager: Some(self.manager.to_string()),
            ..PatchParams::default()
        };
        let request = Request::new(K::url_path(&(), meta.namespace.as_deref()))
            .patch(&object.name_any(), &params, &Patch::Merge(&patch))
            .map_err(kube::Error::BuildRequest)?;
        match self.request::<K>(request).await {
            Ok(updated) => {
                let version = updated.resource_version().unwrap_or_default();
                self.statuses
                    .record(uid, digest(&()), &version, digest(&()));
                tracing::debug!(object = title(object), ?finalizers, "updated finalizers");
                Ok(())
            }
            // Another finalizer or any other field changed, which is no failure.
            Err(kube::Error::Api(status)) if status.is_conflict() => {
                Err(deferred(*status, RETRY_SECONDS))
            }
            Err(error) => Err(error),
        }
    }
}
