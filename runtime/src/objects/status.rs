//! Patches the status subresource, if the status changed.
//!
//! Sends a JSON merge patch with the changed fields, and null for removed ones, so that fields unknown to the type are kept. A merge patch
//! replaces whole lists, including conditions. So the patch contains the resource version it was computed from: if the object changed
//! since, the API server returns a conflict (409), and the object is reconciled again. If the cached object is known to be older than the
//! last write of this operator, the conflict is returned without a request. Server-side apply would let a reconcile of an old object
//! overwrite the result of a later one, and depends on the list types in the schema.

use kube::{
    Resource, ResourceExt,
    api::{Patch, PatchParams},
    core::{Request, Status, response::reason},
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value, json};

use super::{
    Objects,
    digest::digest,
    last_writes::{CacheState, MAX_LAG},
    owner::title,
    write::WriteTarget,
};
use crate::retry_after::deferred;

#[derive(Serialize)]
struct PatchBody<'a> {
    metadata: PatchMetadata<'a>,
    status: &'a Value,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PatchMetadata<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    resource_version: Option<&'a str>,
}

impl Objects {
    /// Patches the status of an object. Returns the updated object, or `None` without a request if the status is unchanged.
    ///
    /// `object` is the object passed to `reconcile`, or the result of an earlier write in the same reconcile.
    ///
    /// Requires the verb `patch` on `<plural>/status`.
    ///
    /// # Errors
    ///
    /// Returns the error of the request, which is a conflict if the object changed since it was read.
    ///
    /// Returns a conflict without a request if `object` is older than the last write of this operator to it, because the cache lags.
    /// Return the error from `reconcile`: a [`Controller`](crate::controller::Controller) does not count it as a failure and reconciles
    /// again when the cache has caught up. The same holds for throttled writes, see [`apply`](Self::apply).
    pub async fn patch_status<K, S>(&self, object: &K, status: &S) -> Result<Option<K>, kube::Error>
    where
        K: Resource<DynamicType = ()> + Serialize + DeserializeOwned,
        S: Serialize,
    {
        let meta = object.meta();
        let uid = meta.uid.as_deref().unwrap_or_default();
        let version = meta.resource_version.as_deref().unwrap_or_default();
        let desired = serde_json::to_value(status).map_err(kube::Error::SerdeError)?;
        let desired_digest = digest(&without_transition_times(desired.clone()));
        let state = self.statuses.cache_state(uid, desired_digest, version);
        if state == CacheState::UpToDate {
            return Ok(None);
        }
        let live = status_of(object)?;
        let patch = match (difference(&live, &desired), &state) {
            (None, CacheState::Unknown) => return Ok(None),
            // The API server normalized the status or dropped fields of it.
            (Some(_), CacheState::Unknown)
                if self
                    .statuses
                    .resulted_in(uid, desired_digest, digest(&live)) =>
            {
                return Ok(None);
            }
            (Some(patch), _) => patch,
            // The cached status is older than the last write, so comparing with it is meaningless.
            (None, _) => desired,
        };
        if state == CacheState::Lagging || self.applied.is_newer_than(uid, version) {
            return Err(stale_object(object));
        }
        let updated = self.send_status(object, &patch, desired_digest).await?;
        Ok(Some(updated))
    }

    async fn send_status<K>(
        &self,
        object: &K,
        patch: &Value,
        desired_digest: u64,
    ) -> Result<K, kube::Error>
    where
        K: Resource<DynamicType = ()> + Serialize + DeserializeOwned,
    {
        let target = WriteTarget {
            name: &object.name_any(),
            namespace: object.meta().namespace.as_deref(),
            is_status: true,
        };
        let permit = self
            .acquire_permit::<K>(target, || json!({"status": patch}))
            .await?;
        let body = PatchBody {
            metadata: PatchMetadata {
                resource_version: object.meta().resource_version.as_deref(),
            },
            status: patch,
        };
        let params = PatchParams {
            field_manager: Some(self.manager.to_string()),
            ..PatchParams::default()
        };
        let request = Request::new(K::url_path(&(), object.meta().namespace.as_deref()))
            .patch_subresource("status", &object.name_any(), &params, &Patch::Merge(&body))
            .map_err(kube::Error::BuildRequest)?;
        let updated: K = self.request(request).await?;
        self.record_write(&permit);
        let content = digest(&status_of(&updated)?);
        if let (Some(uid), Some(version)) = (&updated.meta().uid, &updated.meta().resource_version)
        {
            self.statuses.record(uid, desired_digest, version, content);
        }
        Ok(updated)
    }
}

/// Removes the transition times of conditions: a reconcile with a lagging cache computes the same condition with a later time.
fn without_transition_times(mut status: Value) -> Value {
    let conditions = status.get_mut("conditions").and_then(Value::as_array_mut);
    for condition in conditions.into_iter().flatten() {
        if let Some(condition) = condition.as_object_mut() {
            condition.remove("lastTransitionTime");
        }
    }
    status
}

/// Returns the status of an object, or null.
pub(super) fn status_of(object: &impl Serialize) -> Result<Value, kube::Error> {
    let mut object = serde_json::to_value(object).map_err(kube::Error::SerdeError)?;
    Ok(object.get_mut("status").map_or(Value::Null, Value::take))
}

/// Creates the conflict that the API server would return.
pub(super) fn stale_object<K: Resource<DynamicType = ()>>(object: &K) -> kube::Error {
    let message = format!(
        "cached {} is older than the last write of this operator",
        title(object)
    );
    let conflict = Status::failure(&message, reason::CONFLICT).with_code(409);
    // The object is reconciled earlier if the cache changes.
    deferred(conflict, MAX_LAG)
}

/// Returns the merge patch from `live` to `desired`, or `None` if they are equal.
fn difference(live: &Value, desired: &Value) -> Option<Value> {
    match (live, desired) {
        (Value::Object(live), Value::Object(desired)) => {
            let patch = changed_fields(live, desired);
            (!patch.is_empty()).then_some(Value::Object(patch))
        }
        // An empty status equals one that was never written.
        (Value::Null, Value::Object(desired)) if desired.is_empty() => None,
        (live, desired) => (live != desired).then(|| desired.clone()),
    }
}

fn changed_fields(live: &Map<String, Value>, desired: &Map<String, Value>) -> Map<String, Value> {
    let removed = live.keys().filter(|name| !desired.contains_key(*name));
    let mut patch: Map<String, Value> = removed.map(|name| (name.clone(), Value::Null)).collect();
    for (name, value) in desired {
        let change = match live.get(name) {
            Some(live) => difference(live, value),
            None => (!value.is_null()).then(|| value.clone()),
        };
        patch.extend(change.map(|change| (name.clone(), change)));
    }
    patch
}
