//! Writes a status, and only when something changed.
//!
//! It is sent as a JSON merge patch of the difference: fields that are new or changed, and null for those that are gone. So
//! fields of the status that the type does not know stay. A merge patch replaces lists as a whole, conditions too: so the patch
//! names the version of the object that it was computed from, and if somebody changed the object since, the server answers with a
//! conflict (409) and nothing is lost. Return that error from reconcile: it is tried again with the new object. If the object is known to be
//! older than the operator's own last write, the conflict is certain, and the error is given without a request. Server-side apply
//! would let a reconcile that saw an old object overwrite what a later one found, and is only as good as the list types in the
//! schema.

use kube::{
    Resource, ResourceExt,
    api::{Patch, PatchParams},
    core::{Request, Status, response::reason},
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value, json};

use super::{
    Objects,
    digest::{Counts, digest_of},
    fields,
    memory::{LAG, Verdict},
    owner::title,
    write::Write,
};
use crate::retry_after::deferred;

/// What a status says. When a condition took its state is no part of that: who has not seen yet what was written would say the same with
/// a later time.
const INTENT: Counts = Counts::AllBut(&[(
    "conditions",
    Counts::AllBut(&[("lastTransitionTime", Counts::Nothing)]),
)]);
/// Of a whole object.
const STATUS: Counts = Counts::Only("status");

/// What is sent.
#[derive(Serialize)]
struct Body<'a> {
    metadata: Version<'a>,
    status: &'a Value,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Version<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    resource_version: Option<&'a str>,
}

impl Objects {
    /// Writes the status of an object if it is not what the object has, and gives the object as it is then; None if nothing was
    /// to be written.
    ///
    /// `object` is the one that reconcile was called with, or what a write in this reconcile gave back. Needs the verb `patch` on
    /// `<plural>/status`.
    ///
    /// # Errors
    ///
    /// If the API server refuses it: with a conflict if the object changed since it was read.
    ///
    /// With a conflict and without a request, if `object` is older than this operator's own last write to it, because the cache has not
    /// caught up yet. Pass the error on: a [`Controller`](crate::controller::Controller) does not count it as a failure, and reconciles again
    /// as soon as the cache has caught up. It waits in the same way if the status was written too often: see [`apply`](Self::apply).
    pub async fn patch_status<K, S>(&self, object: &K, status: &S) -> Result<Option<K>, kube::Error>
    where
        K: Resource<DynamicType = ()> + Serialize + DeserializeOwned,
        S: Serialize,
    {
        let meta = object.meta();
        let uid = meta.uid.as_deref().unwrap_or_default();
        let version = meta.resource_version.as_deref().unwrap_or_default();
        let hash = digest_of(status, INTENT).map_err(kube::Error::SerdeError)?;
        let verdict = self.statuses.verdict(uid, hash, version);
        if verdict == Verdict::Written {
            return Ok(None);
        }
        let wanted = serde_json::to_value(status).map_err(kube::Error::SerdeError)?;
        let had = fields::field(object, "status").map_err(kube::Error::SerdeError)?;
        let led_here = || {
            let content = digest_of(object, STATUS);
            content.is_ok_and(|content| self.statuses.led_to(uid, hash, content))
        };
        let patch = match difference(&had, wanted) {
            Some(_) if verdict == Verdict::Unknown && led_here() => return Ok(None),
            Some(difference) => difference,
            None if verdict == Verdict::Unknown => return Ok(None),
            // The cache still has what was there before our last write, and it is wanted again. That there is no difference says
            // nothing.
            None => serde_json::to_value(status).map_err(kube::Error::SerdeError)?,
        };
        if verdict == Verdict::Lagging || self.applied.is_ahead_of(uid, version) {
            return Err(behind(object));
        }
        self.write_status(object, &patch, hash).await.map(Some)
    }

    async fn write_status<K>(
        &self,
        object: &K,
        patch: &Value,
        wanted: u64,
    ) -> Result<K, kube::Error>
    where
        K: Resource<DynamicType = ()> + Serialize + DeserializeOwned,
    {
        let write = Write {
            name: &object.name_any(),
            namespace: object.meta().namespace.as_deref(),
            is_status: true,
        };
        let desired = || Ok(json!({"status": patch}));
        let allowed = self.allow::<K>(write, desired).await?;
        let body = Body {
            metadata: Version {
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
        let written: K = self.request(request).await?;
        self.wrote(&allowed);
        let content = digest_of(&written, STATUS).map_err(kube::Error::SerdeError)?;
        if let (Some(uid), Some(version)) = (&written.meta().uid, &written.meta().resource_version)
        {
            self.statuses.remember(uid, wanted, version, content);
        }
        Ok(written)
    }
}

/// A conflict that is certain: the cache is behind the operator's own last write.
fn behind<K: Resource<DynamicType = ()>>(object: &K) -> kube::Error {
    let message = format!(
        "the cached {} is older than the last write of this operator",
        title(object)
    );
    let conflict = Status::failure(&message, reason::CONFLICT).with_code(409);
    // It is reconciled earlier, as soon as the cache changes.
    deferred(conflict, LAG)
}

/// The merge patch that makes one status of another; None if they are the same.
fn difference(had: &Value, wanted: Value) -> Option<Value> {
    match (had, wanted) {
        (Value::Object(had), Value::Object(wanted)) => {
            let patch = changed_fields(had, wanted);
            (!patch.is_empty()).then_some(Value::Object(patch))
        }
        // A status that was never written: an empty one says no more.
        (Value::Null, Value::Object(wanted)) if wanted.is_empty() => None,
        (had, wanted) => (*had != wanted).then_some(wanted),
    }
}

fn changed_fields(had: &Map<String, Value>, wanted: Map<String, Value>) -> Map<String, Value> {
    let gone = had.keys().filter(|name| !wanted.contains_key(*name));
    let mut patch: Map<String, Value> = gone.map(|name| (name.clone(), Value::Null)).collect();
    for (name, value) in wanted {
        let change = match had.get(&name) {
            Some(had) => difference(had, value),
            None => (!value.is_null()).then_some(value),
        };
        patch.extend(change.map(|change| (name, change)));
    }
    patch
}
