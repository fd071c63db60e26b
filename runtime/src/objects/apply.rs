//! Server-side apply that sends nothing when nothing would change.
//!
//! **Nothing to send** if the same was sent and the cache shows its result (or still lags behind it: see `memory`), or if the
//! cached object holds every field wanted and our manager owns just these (see `held`). The cached object needs its
//! `managedFields`: a cache that drops them costs a request for each version of the object.
//!
//! **Creating** takes one request, an apply that is carried out only if there is no such object. If there is one (the cache lags,
//! or somebody else made it) the server answers with a conflict; then the object is read and judged like a cached one. A `POST`
//! would also fail on an existing object, but is recorded as another manager (`Update`), which then keeps every field alive that
//! a later apply drops. It is what remains if the object does not exist and the server still answers with a conflict.
//!
//! **Changing** names the uid of the object that was judged, so that an object of the same name that was made meanwhile is not
//! taken over. What is left to the API server: an object never has two controllers, it refuses the second.

use std::sync::Arc;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{FieldsV1, ManagedFieldsEntry};
use kube::{Resource, ResourceExt, api::GetParams, core::Request};
use serde::{Serialize, de::DeserializeOwned};

use crate::store::{CachedResource, Store, packed};

use super::{
    ApplyError, Objects, Owner,
    digest::{Counts, digest, digest_of},
    field_set::digest_of_set,
    held::holds,
    memory::Verdict,
    owner::check_ours,
    wanted::{Precondition, Wanted},
    write::Write,
};

/// What an apply may change is all but the status and what changes with every write.
const CONTENT: Counts = Counts::AllBut(&[
    ("status", Counts::Nothing),
    (
        "metadata",
        Counts::AllBut(&[
            ("generation", Counts::Nothing),
            ("managedFields", Counts::Nothing),
            ("resourceVersion", Counts::Nothing),
        ]),
    ),
]);

/// What [`Objects::apply`] did, with the object. Of its `metadata.managedFields` it has what a [`Store`] keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Applied<C> {
    /// There was none.
    Created(C),
    /// Something was sent. (The server may have found that it changes nothing.)
    Patched(C),
    /// Nothing was sent: the cached object, which may lag behind.
    Unchanged(Arc<C>),
}

impl<C> Applied<C> {
    /// Whether all was as wanted, and nothing was sent.
    pub fn is_unchanged(&self) -> bool {
        matches!(self, Self::Unchanged(_))
    }

    /// The object.
    pub fn object(&self) -> &C {
        match self {
            Self::Created(object) | Self::Patched(object) => object,
            Self::Unchanged(object) => object,
        }
    }

    /// The object. If nothing was sent, it is a clone.
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

/// The object as the cache has it. Without a namespace it is in that of the owner.
fn cached<C: CachedResource>(wanted: &C, owners: Option<&str>, cache: &Store<C>) -> Option<Arc<C>> {
    let namespace = wanted.meta().namespace.as_deref().or(owners);
    cache.get(namespace, wanted.meta().name.as_deref()?)
}

impl Objects {
    /// Makes an object what is wanted of it, in the name of its owner; fields that are no longer wanted go, fields of others stay.
    ///
    /// A namespaced owner gives its namespace to an object without one. The status in `wanted` is ignored. Needs the verbs `get`,
    /// `patch` and `create`.
    ///
    /// # Errors
    ///
    /// If the object is somebody else's, if the owner cannot own it, or if the API server refuses it.
    ///
    /// If the object was written ten times within a minute, because another controller reverts each write or the desired state never is the same:
    /// then the next write has to wait, for up to a minute. Pass the error on: a [`Controller`](crate::controller::Controller) does not count
    /// it as a failure, and reconciles again after that time. The log names the contested fields and who else manages them.
    pub async fn apply<C>(
        &self,
        owner: &Owner,
        wanted: C,
        cache: &Store<C>,
    ) -> Result<Applied<C>, ApplyError>
    where
        C: CachedResource + Serialize,
    {
        let cached = cached(&wanted, owner.namespace(), cache);
        self.converge(Some(owner), wanted, cached).await
    }

    /// The same without an owner, for what an owner cannot own (see [`ApplyError::CrossNamespaceOwner`]): nobody deletes it, a
    /// finalizer must.
    ///
    /// # Errors
    ///
    /// As [`apply`](Self::apply).
    pub async fn apply_unowned<C>(
        &self,
        wanted: C,
        cache: &Store<C>,
    ) -> Result<Applied<C>, ApplyError>
    where
        C: CachedResource + Serialize,
    {
        let cached = cached(&wanted, None, cache);
        self.converge(None, wanted, cached).await
    }

    /// [`apply`](Self::apply) with a cache of another kind: `cached` is the object in it, if it is there.
    ///
    /// # Errors
    ///
    /// As [`apply`](Self::apply).
    pub async fn apply_with_cached<C>(
        &self,
        owner: &Owner,
        wanted: C,
        cached: Option<&C>,
    ) -> Result<Applied<C>, ApplyError>
    where
        C: Resource<DynamicType = ()> + Serialize + DeserializeOwned + Clone + 'static,
    {
        let cached = cached.cloned().map(Arc::new);
        self.converge(Some(owner), wanted, cached).await
    }

    /// [`apply_unowned`](Self::apply_unowned) with a cache of another kind.
    ///
    /// # Errors
    ///
    /// As [`apply`](Self::apply).
    pub async fn apply_unowned_with_cached<C>(
        &self,
        wanted: C,
        cached: Option<&C>,
    ) -> Result<Applied<C>, ApplyError>
    where
        C: Resource<DynamicType = ()> + Serialize + DeserializeOwned + Clone + 'static,
    {
        let cached = cached.cloned().map(Arc::new);
        self.converge(None, wanted, cached).await
    }

    async fn converge<C>(
        &self,
        owner: Option<&Owner>,
        wanted: C,
        cached: Option<Arc<C>>,
    ) -> Result<Applied<C>, ApplyError>
    where
        C: Resource<DynamicType = ()> + Serialize + DeserializeOwned + 'static,
    {
        let wanted = Wanted::new(owner, &self.manager, wanted)?;
        let by_cache = match cached {
            Some(cached) => self.settle(owner, &wanted, cached).await,
            None => self.create(&wanted).await,
        };
        match by_cache {
            // A cache may also have dropped what tells who made the object: only the live one can say that it is not ours.
            Err(error)
                if is_another(&error) || matches!(error, ApplyError::AlreadyExists { .. }) =>
            {
                tracing::debug!(
                    object = wanted.title(),
                    "not as the cache has it: reading it"
                );
                // A large future that is seldom needed.
                Box::pin(self.converge_live(owner, &wanted)).await
            }
            done => done,
        }
    }

    /// With the object as the API server has it.
    async fn converge_live<C>(
        &self,
        owner: Option<&Owner>,
        wanted: &Wanted<C>,
    ) -> Result<Applied<C>, ApplyError>
    where
        C: Resource<DynamicType = ()> + Serialize + DeserializeOwned,
    {
        let url = C::url_path(&(), wanted.namespace.as_deref());
        let request = Request::new(url).get(&wanted.name, &GetParams::default());
        let request = request.map_err(|error| failed(wanted, kube::Error::BuildRequest(error)))?;
        match self.request::<C>(request).await {
            Ok(live) => self.settle(owner, wanted, Arc::new(live)).await,
            Err(kube::Error::Api(status)) if status.is_not_found() => {
                match self.create(wanted).await {
                    Err(error) if is_another(&error) => self.post(wanted).await,
                    created => created,
                }
            }
            Err(error) => Err(failed(wanted, error)),
        }
    }

    async fn create<C>(&self, wanted: &Wanted<C>) -> Result<Applied<C>, ApplyError>
    where
        C: Resource<DynamicType = ()> + Serialize + DeserializeOwned,
    {
        let created = self.send(wanted, Precondition::Absent).await?;
        Ok(Applied::Created(created))
    }

    /// Creates an object on a server that answers an apply of what does not exist with a conflict. None is known that does: that it
    /// checks a version only of what exists is not documented.
    async fn post<C>(&self, wanted: &Wanted<C>) -> Result<Applied<C>, ApplyError>
    where
        C: Resource<DynamicType = ()> + Serialize + DeserializeOwned,
    {
        let posted = self.send(wanted, Precondition::Posted).await?;
        // A `POST` is no apply: without one, the object is not known as ours.
        let uid = posted.meta().uid.as_deref().unwrap_or_default();
        let created = self.send(wanted, Precondition::Uid(uid)).await?;
        Ok(Applied::Created(created))
    }

    /// Makes an object of ours what is wanted.
    async fn settle<C>(
        &self,
        owner: Option<&Owner>,
        wanted: &Wanted<C>,
        object: Arc<C>,
    ) -> Result<Applied<C>, ApplyError>
    where
        C: Resource<DynamicType = ()> + Serialize + DeserializeOwned,
    {
        check_ours(owner, &self.manager, &*object)?;
        if self.is_settled(wanted, &*object)? {
            return Ok(Applied::Unchanged(object));
        }
        let uid = object.meta().uid.as_deref().unwrap_or_default();
        let sent = self.send(wanted, Precondition::Uid(uid)).await?;
        Ok(Applied::Patched(sent))
    }

    async fn send<C>(
        &self,
        wanted: &Wanted<C>,
        precondition: Precondition<'_>,
    ) -> Result<C, ApplyError>
    where
        C: Resource<DynamicType = ()> + Serialize + DeserializeOwned,
    {
        let write = Write {
            name: &wanted.name,
            namespace: wanted.namespace.as_deref(),
            is_status: false,
        };
        let allowed = self.allow::<C>(write, || wanted.fields()).await;
        let allowed = allowed.map_err(|error| failed(wanted, error))?;
        let request = wanted.request(&self.manager, precondition);
        let request = request.map_err(|error| failed(wanted, error))?;
        let object = self.request(request).await;
        let object: C = object.map_err(|error| failed(wanted, error))?;
        self.wrote(&allowed);
        tracing::debug!(object = wanted.title(), "applied");
        if let (Some(uid), Some(version)) = (&object.meta().uid, &object.meta().resource_version) {
            let content = self.content(wanted, &object)?;
            self.applied.remember(uid, wanted.digest, version, content);
        }
        Ok(object)
    }

    fn is_settled<C>(&self, wanted: &Wanted<C>, object: &C) -> Result<bool, ApplyError>
    where
        C: Resource<DynamicType = ()> + Serialize,
    {
        let (Some(uid), Some(version)) = (&object.meta().uid, &object.meta().resource_version)
        else {
            return Ok(false);
        };
        match self.applied.verdict(uid, wanted.digest, version) {
            Verdict::Written => return Ok(true),
            Verdict::Lagging | Verdict::Outdated => return Ok(false),
            Verdict::Unknown => {}
        }
        if self.is_held(wanted, object)? {
            return Ok(true);
        }
        let content = self.content(wanted, object)?;
        Ok(self.applied.led_to(uid, wanted.digest, content))
    }

    /// Whether the object has what is wanted, and no more of ours.
    fn is_held<C>(&self, wanted: &Wanted<C>, object: &C) -> Result<bool, ApplyError>
    where
        C: Resource<DynamicType = ()> + Serialize,
    {
        let owned = self.owned_fields::<C>(object.managed_fields());
        let Some(owned) = owned.and_then(packed::fields) else {
            return Ok(false);
        };
        let live = serde_json::to_value(object).map_err(|source| wanted.not_json(source))?;
        let fields = wanted.fields().map_err(|source| wanted.not_json(source))?;
        Ok(holds(&fields, &live, &owned))
    }

    /// A hash of all that an apply may change.
    fn content<C>(&self, wanted: &Wanted<C>, object: &C) -> Result<u64, ApplyError>
    where
        C: Resource<DynamicType = ()> + Serialize,
    {
        let owned = self.owned_fields::<C>(object.managed_fields());
        let object = digest_of(object, CONTENT).map_err(|source| wanted.not_json(source))?;
        Ok(digest(&(object, owned.and_then(digest_of_set))))
    }

    /// What the API server recorded for our applies, if it did so in the version of the API that we use.
    fn owned_fields<'a, C>(&self, entries: &'a [ManagedFieldsEntry]) -> Option<&'a FieldsV1>
    where
        C: Resource<DynamicType = ()>,
    {
        let mut entries = entries.iter().filter(|entry| {
            entry.manager.as_deref() == Some(&*self.manager) && packed::is_of_the_whole(entry)
        });
        let (entry, None) = (entries.next()?, entries.next()) else {
            return None;
        };
        let same_version = entry.api_version.as_deref() == Some(&*C::api_version(&()));
        entry.fields_v1.as_ref().filter(|_| same_version)
    }
}

/// A conflict over version or uid, or a uid that cannot be changed. Conflicts over fields do not happen: they are forced.
fn is_another(error: &ApplyError) -> bool {
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

fn failed<C>(wanted: &Wanted<C>, source: kube::Error) -> ApplyError
where
    C: Resource<DynamicType = ()> + Serialize,
{
    ApplyError::Api {
        object: wanted.title(),
        source,
    }
}
