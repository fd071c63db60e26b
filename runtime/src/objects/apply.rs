//! Server-side apply that sends no request if nothing would change.
//!
//! **No request** is sent if the same state was sent before and the cached object is its result, or still older (see `last_writes`), or if
//! the cached object matches the desired state (see `matches_live`). The cached object needs its `managedFields`: without them, every
//! version of the object costs a request.
//!
//! **Creating** takes one request: an apply that succeeds only if the object does not exist. If it does (the cache lags, or another client
//! created it), the API server returns a conflict; then the live object is read and handled like a cached one. A `POST` would also fail for
//! an existing object, but is recorded as a different manager (`Update`), which would keep every field that a later apply drops. It is only
//! used if the object does not exist and the API server still returns a conflict.
//!
//! **Updating** includes the UID of the object, so that a recreated object of the same name is not taken over. The API server itself
//! prevents a second controller.

use std::{borrow::Cow, sync::Arc};

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ManagedFieldsEntry;
use kube::{Resource, ResourceExt, api::GetParams, core::Request};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::store::{CachedResource, Store, compact};

use super::{
    ApplyError, Objects, Owner,
    desired::{Desired, Precondition, serialize_error},
    digest::digest,
    last_writes::CacheState,
    matches_live::matches_live,
    owner::check_ownership,
    write::WriteTarget,
};

/// Result of [`Objects::apply`], with the object. Its `metadata.managedFields` is limited to what a [`Store`] keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Applied<C> {
    /// The object was created.
    Created(C),
    /// A patch was sent. The API server may have found that it changes nothing.
    Patched(C),
    /// No request was sent. Contains the cached object, which may lag behind the API server.
    Unchanged(Arc<C>),
}

impl<C> Applied<C> {
    /// Returns whether the object was up to date, so that no request was sent.
    pub fn is_unchanged(&self) -> bool {
        matches!(self, Self::Unchanged(_))
    }

    /// Returns the object.
    pub fn object(&self) -> &C {
        match self {
            Self::Created(object) | Self::Patched(object) => object,
            Self::Unchanged(object) => object,
        }
    }

    /// Returns the object, cloned if it is the cached one.
    pub fn into_object(self) -> C
    where
        C: Clone,
    {
        match self {
            Self::Created(object) | Self::Patched(object) => object,
            Self::Unchanged(object) => Arc::unwrap_or_clone(object),
        }
    }
}

/// Returns the cached object. Defaults to the namespace of the owner.
fn cached<C: CachedResource>(
    desired: &C,
    owner_namespace: Option<&str>,
    cache: &Store<C>,
) -> Option<Arc<C>> {
    let namespace = desired.meta().namespace.as_deref().or(owner_namespace);
    cache.get(namespace, desired.meta().name.as_deref()?)
}

impl Objects {
    /// Creates or updates an owned object by server-side apply, and sends no request if the cached object is up to date.
    ///
    /// Sets the owner reference, and the namespace of the owner if `desired` has none. Fields that were applied before and are missing in
    /// `desired` are removed; fields of other managers are left unchanged, except that conflicts are forced. The status in `desired` is
    /// ignored: use [`patch_status`](Self::patch_status).
    ///
    /// Requires the verbs `get`, `create` and `patch`.
    ///
    /// # Errors
    ///
    /// - [`ApplyError::AlreadyOwned`] and [`ApplyError::AlreadyExists`] if the name is taken by an object of another owner, see
    ///   [`ApplyError::is_name_conflict`].
    /// - [`ApplyError::CrossNamespaceOwner`], [`ApplyError::MissingName`] and [`ApplyError::MissingNamespace`] if `desired` is invalid.
    /// - [`ApplyError::Api`] if the request fails.
    ///
    /// Writes are throttled: if an object is written ten times within a minute, because another controller reverts each write or because
    /// the desired state always differs, the next write fails without a request, for up to a minute. Return the error from `reconcile`: a
    /// [`Controller`](crate::controller::Controller) does not count it as a failure and requeues the object after the delay. The
    /// contested fields and their managers are logged.
    pub async fn apply<C>(
        &self,
        owner: &Owner,
        desired: C,
        cache: &Store<C>,
    ) -> Result<Applied<C>, ApplyError>
    where
        C: CachedResource + Serialize,
    {
        let cached = cached(&desired, owner.namespace(), cache);
        self.converge(Some(owner), desired, cached).await
    }

    /// Like [`apply`](Self::apply), but without an owner reference, for objects that the owner cannot own (see
    /// [`ApplyError::CrossNamespaceOwner`]). They are not garbage-collected: delete them in a finalizer.
    ///
    /// # Errors
    ///
    /// See [`apply`](Self::apply).
    pub async fn apply_unowned<C>(
        &self,
        desired: C,
        cache: &Store<C>,
    ) -> Result<Applied<C>, ApplyError>
    where
        C: CachedResource + Serialize,
    {
        let cached = cached(&desired, None, cache);
        self.converge(None, desired, cached).await
    }

    /// Like [`apply`](Self::apply), for caches other than a [`Store`]: `cached` is the cached object, or `None` if there is none.
    ///
    /// # Errors
    ///
    /// See [`apply`](Self::apply).
    pub async fn apply_with_cached<C>(
        &self,
        owner: &Owner,
        desired: C,
        cached: Option<&C>,
    ) -> Result<Applied<C>, ApplyError>
    where
        C: Resource<DynamicType = ()> + Serialize + DeserializeOwned + Clone + 'static,
    {
        let cached = cached.cloned().map(Arc::new);
        self.converge(Some(owner), desired, cached).await
    }

    /// Like [`apply_unowned`](Self::apply_unowned), for caches other than a [`Store`].
    ///
    /// # Errors
    ///
    /// See [`apply`](Self::apply).
    pub async fn apply_unowned_with_cached<C>(
        &self,
        desired: C,
        cached: Option<&C>,
    ) -> Result<Applied<C>, ApplyError>
    where
        C: Resource<DynamicType = ()> + Serialize + DeserializeOwned + Clone + 'static,
    {
        let cached = cached.cloned().map(Arc::new);
        self.converge(None, desired, cached).await
    }

    async fn converge<C>(
        &self,
        owner: Option<&Owner>,
        desired: C,
        cached: Option<Arc<C>>,
    ) -> Result<Applied<C>, ApplyError>
    where
        C: Resource<DynamicType = ()> + Serialize + DeserializeOwned + 'static,
    {
        let desired = Desired::new(owner, &self.manager, desired)?;
        let result = match cached {
            Some(cached) => self.update(owner, &desired, cached).await,
            None => self.create(&desired).await,
        };
        match result {
            // The cache may have dropped the managed fields: only the live object shows who created it.
            Err(error)
                if is_object_conflict(&error)
                    || matches!(error, ApplyError::AlreadyExists { .. }) =>
            {
                tracing::debug!(
                    object = desired.title(),
                    "cache is outdated, reading object"
                );
                // Boxed, because the future is large and rarely used.
                Box::pin(self.converge_live(owner, &desired)).await
            }
            result => result,
        }
    }

    /// Reads the live object and converges it.
    async fn converge_live<C>(
        &self,
        owner: Option<&Owner>,
        desired: &Desired<C>,
    ) -> Result<Applied<C>, ApplyError>
    where
        C: Resource<DynamicType = ()> + Serialize + DeserializeOwned + 'static,
    {
        let request = Request::new(C::url_path(&(), desired.namespace()))
            .get(desired.name(), &GetParams::default())
            .map_err(|error| api_error(desired, kube::Error::BuildRequest(error)))?;
        match self.request::<C>(request).await {
            Ok(live) => self.update(owner, desired, Arc::new(live)).await,
            Err(kube::Error::Api(status)) if status.is_not_found() => {
                match self.create(desired).await {
                    Err(error) if is_object_conflict(&error) => self.create_by_post(desired).await,
                    result => result,
                }
            }
            Err(error) => Err(api_error(desired, error)),
        }
    }

    async fn create<C>(&self, desired: &Desired<C>) -> Result<Applied<C>, ApplyError>
    where
        C: Resource<DynamicType = ()> + Serialize + DeserializeOwned + 'static,
    {
        let created = self.send(desired, Precondition::Absent).await?;
        Ok(Applied::Created(created))
    }

    /// Creates an object on an API server that checks the resource version of objects that do not exist. None is known, but this is not
    /// specified.
    async fn create_by_post<C>(&self, desired: &Desired<C>) -> Result<Applied<C>, ApplyError>
    where
        C: Resource<DynamicType = ()> + Serialize + DeserializeOwned + 'static,
    {
        let posted = self.send(desired, Precondition::Post).await?;
        // Record the fields as applied by our manager.
        let uid = posted.meta().uid.as_deref().unwrap_or_default();
        let created = self.send(desired, Precondition::Uid(uid)).await?;
        Ok(Applied::Created(created))
    }

    /// Updates an existing object.
    async fn update<C>(
        &self,
        owner: Option<&Owner>,
        desired: &Desired<C>,
        object: Arc<C>,
    ) -> Result<Applied<C>, ApplyError>
    where
        C: Resource<DynamicType = ()> + Serialize + DeserializeOwned + 'static,
    {
        check_ownership(owner, &self.manager, &*object)?;
        if self.is_up_to_date(desired, &*object)? {
            return Ok(Applied::Unchanged(object));
        }
        let uid = object.meta().uid.as_deref().unwrap_or_default();
        let patched = self.send(desired, Precondition::Uid(uid)).await?;
        Ok(Applied::Patched(patched))
    }

    async fn send<C>(
        &self,
        desired: &Desired<C>,
        precondition: Precondition<'_>,
    ) -> Result<C, ApplyError>
    where
        C: Resource<DynamicType = ()> + Serialize + DeserializeOwned + 'static,
    {
        let target = WriteTarget {
            name: desired.name(),
            namespace: desired.namespace(),
            is_status: false,
        };
        let permit = self.acquire_permit::<C>(target, || desired.fields.clone());
        let permit = permit.await.map_err(|error| api_error(desired, error))?;
        let request = desired.request(&self.manager, precondition);
        let request = request.map_err(|error| api_error(desired, error))?;
        let object = self.request(request).await;
        let object: C = object.map_err(|error| api_error(desired, error))?;
        self.record_write(&permit);
        tracing::debug!(object = desired.title(), "applied");
        if let (Some(uid), Some(version)) = (&object.meta().uid, &object.meta().resource_version) {
            let live = to_value(&object)?;
            let content = content_digest(
                live,
                self.applied_fields::<C>(object.managed_fields()).as_deref(),
            );
            self.applied.record(uid, desired.digest, version, content);
        }
        Ok(object)
    }

    /// Returns whether an apply would change nothing: according to the last write, or to the object itself.
    fn is_up_to_date<C>(&self, desired: &Desired<C>, object: &C) -> Result<bool, ApplyError>
    where
        C: Resource<DynamicType = ()> + Serialize,
    {
        let (Some(uid), Some(version)) = (&object.meta().uid, &object.meta().resource_version)
        else {
            return Ok(false);
        };
        match self.applied.cache_state(uid, desired.digest, version) {
            CacheState::UpToDate => return Ok(true),
            CacheState::Lagging | CacheState::Stale => return Ok(false),
            CacheState::Unknown => {}
        }
        let live = to_value(object)?;
        let owned = self.applied_fields::<C>(object.managed_fields());
        let owned = owned.as_deref();
        if owned.is_some_and(|owned| matches_live(&desired.fields, &live, owned)) {
            return Ok(true);
        }
        let content = content_digest(live, owned);
        Ok(self.applied.resulted_in(uid, desired.digest, content))
    }

    /// Returns the fields that the API server recorded for our applies, if recorded in the same API version.
    fn applied_fields<'a, C>(&self, entries: &'a [ManagedFieldsEntry]) -> Option<Cow<'a, Value>>
    where
        C: Resource<DynamicType = ()>,
    {
        let mut entries = entries.iter().filter(|entry| {
            entry.manager.as_deref() == Some(&*self.manager) && compact::is_apply(entry)
        });
        let (entry, None) = (entries.next()?, entries.next()) else {
            return None;
        };
        let is_same_version = entry.api_version.as_deref() == Some(&*C::api_version(&()));
        let fields = entry.fields_v1.as_ref().filter(|_| is_same_version);
        fields.and_then(compact::parse_fields)
    }
}

fn to_value<C: Resource<DynamicType = ()> + Serialize>(object: &C) -> Result<Value, ApplyError> {
    serde_json::to_value(object).map_err(|source| serialize_error(object, source))
}

/// Hashes everything that an apply can change: all fields but the status and fields that change with every write.
fn content_digest(mut live: Value, owned: Option<&Value>) -> u64 {
    if let Some(fields) = live.as_object_mut() {
        fields.remove("status");
    }
    if let Some(metadata) = live.get_mut("metadata").and_then(Value::as_object_mut) {
        for name in ["generation", "managedFields", "resourceVersion"] {
            metadata.remove(name);
        }
    }
    digest(&(live, owned))
}

/// Returns whether the object was created, deleted or recreated since it was cached: a conflict of version or UID, or an immutable UID.
/// Conflicts of fields do not occur, because they are forced.
fn is_object_conflict(error: &ApplyError) -> bool {
    let ApplyError::Api {
        source: kube::Error::Api(status),
        ..
    } = error
    else {
        return false;
    };
    let mut causes = status.details.iter().flat_map(|details| &details.causes);
    status.code == 409 || (status.code == 422 && causes.any(|cause| cause.field == "metadata.uid"))
}

fn api_error<C>(desired: &Desired<C>, source: kube::Error) -> ApplyError
where
    C: Resource<DynamicType = ()> + Serialize + 'static,
{
    ApplyError::Api {
        object: desired.title(),
        source,
    }
}
