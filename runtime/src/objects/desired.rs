//! The desired state of an object, as sent by server-side apply.

use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::{
    Resource,
    api::{Patch, PatchParams, PostParams},
    core::Request,
};
use serde::Serialize;
use serde_json::{
    Value,
    value::{RawValue, to_raw_value},
};

use super::{
    ApplyError, Owner,
    digest::digest,
    owner::{check_ownership, title},
};
use crate::store::is_namespaced;

/// A resource version that no object has: etcd starts above it.
const NO_VERSION: &str = "1";

/// Condition that the API server checks before it applies.
#[derive(Clone, Copy, Debug)]
pub(super) enum Precondition<'a> {
    /// The object does not exist. Server-side apply has no such precondition, but a resource version is only checked if the object
    /// exists.
    Absent,
    /// The object does not exist, checked by a `POST`: for API servers that check the resource version in any case.
    Post,
    /// The object still has this UID.
    Uid(&'a str),
}

/// Desired state of an object.
#[derive(Debug)]
pub(super) struct Desired<C> {
    /// Without the fields that the API server sets.
    object: C,
    /// Fields to be owned by the field manager: all but the identity and the status.
    pub(super) fields: Value,
    /// Digest of `fields`.
    pub(super) digest: u64,
}

impl<C> Desired<C>
where
    C: Resource<DynamicType = ()> + Serialize + 'static,
{
    pub(super) fn new(
        owner: Option<&Owner>,
        manager: &str,
        mut object: C,
    ) -> Result<Self, ApplyError> {
        if object.meta().name.is_none() {
            let kind = C::kind(&()).into_owned();
            return Err(ApplyError::MissingName { kind });
        }
        if let Some(owner) = owner {
            owner.set_on(&mut object)?;
            // The desired state itself may contain another controller.
            check_ownership(Some(owner), manager, &object)?;
        }
        if is_namespaced::<C>() && object.meta().namespace.is_none() {
            let object = title(&object);
            return Err(ApplyError::MissingNamespace { object });
        }
        clear_server_fields(object.meta_mut());
        let fields = managed_fields(&object).map_err(|source| serialize_error(&object, source))?;
        Ok(Self {
            digest: digest(&fields),
            fields,
            object,
        })
    }

    pub(super) fn name(&self) -> &str {
        self.object.meta().name.as_deref().unwrap_or_default()
    }

    pub(super) fn namespace(&self) -> Option<&str> {
        self.object.meta().namespace.as_deref()
    }

    /// Returns kind, name and namespace for messages.
    pub(super) fn title(&self) -> String {
        title(&self.object)
    }

    /// Creates the request that applies the object. Forces conflicts, as Kubernetes recommends for controllers.
    pub(super) fn request(
        &self,
        manager: &str,
        precondition: Precondition<'_>,
    ) -> Result<http::Request<Vec<u8>>, kube::Error> {
        let body = self.body(precondition).map_err(kube::Error::SerdeError)?;
        let request = Request::new(C::url_path(&(), self.namespace()));
        if let Precondition::Post = precondition {
            let params = PostParams {
                field_manager: Some(manager.to_owned()),
                ..PostParams::default()
            };
            let body = serde_json::to_vec(&body).map_err(kube::Error::SerdeError)?;
            let request = request.create(&params, body);
            return request.map_err(kube::Error::BuildRequest);
        }
        // Apply rejects unknown fields in any case. Validation would only parse the body again to find duplicate fields.
        let params = PatchParams::apply(manager).force().validation_ignore();
        request
            .patch(self.name(), &params, &Patch::Apply(&body))
            .map_err(kube::Error::BuildRequest)
    }

    /// Returns the object without its status. Values are serialized by `C` and not taken from `fields`, because a [`Value`] turns the
    /// `f32` 0.1 into 0.10000000149011612.
    fn body(
        &self,
        precondition: Precondition<'_>,
    ) -> serde_json::Result<BTreeMap<String, Box<RawValue>>> {
        let json = serde_json::to_string(&self.object)?;
        let mut body: BTreeMap<String, Box<RawValue>> = serde_json::from_str(&json)?;
        body.remove("status");
        body.insert("apiVersion".into(), to_raw_value(&C::api_version(&()))?);
        body.insert("kind".into(), to_raw_value(&C::kind(&()))?);
        let mut metadata = self.object.meta().clone();
        match precondition {
            Precondition::Absent => metadata.resource_version = Some(NO_VERSION.into()),
            Precondition::Post => {}
            Precondition::Uid(uid) => metadata.uid = Some(uid.into()),
        }
        body.insert("metadata".into(), to_raw_value(&metadata)?);
        Ok(body)
    }
}

pub(super) fn serialize_error<C>(object: &C, source: serde_json::Error) -> ApplyError
where
    C: Resource<DynamicType = ()>,
{
    ApplyError::Serialize {
        object: title(object),
        source,
    }
}

/// Clears what only the API server sets, or never records as owned by a field manager.
fn clear_server_fields(metadata: &mut ObjectMeta) {
    metadata.creation_timestamp = None;
    metadata.deletion_grace_period_seconds = None;
    metadata.deletion_timestamp = None;
    metadata.generation = None;
    metadata.managed_fields = None;
    metadata.resource_version = None;
    metadata.self_link = None;
    metadata.uid = None;
}

/// Returns the fields that the API server records for the field manager. The status is a subresource, which apply does not write.
fn managed_fields<C: Serialize>(object: &C) -> serde_json::Result<Value> {
    let mut fields = serde_json::to_value(object)?;
    if let Some(fields) = fields.as_object_mut() {
        for name in ["apiVersion", "kind", "status"] {
            fields.remove(name);
        }
        if let Some(metadata) = fields.get_mut("metadata").and_then(Value::as_object_mut) {
            metadata.remove("name");
            metadata.remove("namespace");
            if metadata.is_empty() {
                fields.remove("metadata");
            }
        }
    }
    Ok(fields)
}

#[cfg(test)]
mod tests {
    use k8s_openapi::api::core::v1::{ConfigMap, Namespace};

    use serde_json::json;

    use super::*;

    #[test]
    fn the_body_contains_desired_fields_and_the_precondition() {
        let object: Namespace = serde_json::from_value(json!({
            "metadata": {"name": "n", "labels": {"a": "b"}, "finalizers": ["f"]},
            "spec": {"finalizers": ["kubernetes"]},
            "status": {"phase": "Active"},
        }))
        .unwrap();
        let desired = Desired::new(None, "op", object).unwrap();
        let body = |precondition| {
            let request = desired.request("op", precondition).unwrap();
            serde_json::from_slice::<Value>(request.body()).unwrap()
        };
        let mut expected = json!({
            "apiVersion": "v1",
            "kind": "Namespace",
            "metadata": {"name": "n", "labels": {"a": "b"}, "finalizers": ["f"], "uid": "u"},
            "spec": {"finalizers": ["kubernetes"]},
        });
        assert_eq!(body(Precondition::Uid("u")), expected);
        let metadata = expected["metadata"].as_object_mut().unwrap();
        metadata.remove("uid");
        metadata.insert("resourceVersion".to_owned(), "1".into());
        assert_eq!(body(Precondition::Absent), expected);
    }

    #[test]
    fn fields_set_by_the_api_server_are_not_sent() {
        let object: ConfigMap = serde_json::from_value(json!({
            "metadata": {
                "name": "c", "namespace": "n", "uid": "u", "resourceVersion": "5", "generation": 2,
                "creationTimestamp": "2026-01-01T00:00:00Z", "managedFields": [{"manager": "m"}], "labels": {"a": "b"},
            },
            "data": {"k": "v"},
        }))
        .unwrap();
        let desired = Desired::new(None, "op", object).unwrap();
        assert_eq!(
            desired.fields,
            json!({"metadata": {"labels": {"a": "b"}}, "data": {"k": "v"}})
        );

        let unnamed = Desired::new(None, "op", Namespace::default());
        assert!(matches!(unnamed, Err(ApplyError::MissingName { kind }) if kind == "Namespace"));
    }

    #[test]
    fn a_namespaced_object_requires_a_namespace() {
        let object: ConfigMap = serde_json::from_value(json!({"metadata": {"name": "c"}})).unwrap();
        let error = Desired::new(None, "op", object).unwrap_err();
        assert!(
            matches!(error, ApplyError::MissingNamespace { .. }),
            "{error}"
        );
        let object: Namespace = serde_json::from_value(json!({"metadata": {"name": "c"}})).unwrap();
        assert!(Desired::new(None, "op", object).is_ok());
    }

    #[test]
    fn a_desired_state_with_another_controller_is_rejected() {
        let owner: ConfigMap = serde_json::from_value(
            json!({"metadata": {"name": "o", "namespace": "n", "uid": "u"}}),
        )
        .unwrap();
        let object: ConfigMap =
            serde_json::from_value(json!({"metadata": {"name": "c", "ownerReferences": [
                {"apiVersion": "v1", "kind": "Shop", "name": "x", "uid": "u9", "controller": true},
            ]}}))
            .unwrap();
        let error = Desired::new(Some(&Owner::of(&owner).unwrap()), "op", object).unwrap_err();
        assert!(matches!(error, ApplyError::AlreadyOwned { .. }), "{error}");
    }
}
