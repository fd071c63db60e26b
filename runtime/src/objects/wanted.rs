//! An object as it is sent: what the operator wants of it, and nothing that the API server fills in.

use kube::{
    Resource, ResourceExt,
    api::{Patch, PatchParams},
    core::Request,
};
use serde::Serialize;
use serde_json::{Value, json};

use super::{
    ApplyError, Owner,
    memory::digest,
    owner::{check_ours, is_namespaced, title},
};

/// Fields of `metadata` that are never recorded as a manager's own, or that only the API server sets.
const NOT_OURS: [&str; 10] = [
    "creationTimestamp",
    "deletionGracePeriodSeconds",
    "deletionTimestamp",
    "generation",
    "managedFields",
    "name",
    "namespace",
    "resourceVersion",
    "selfLink",
    "uid",
];

/// No object ever has it: etcd starts to count above it.
const VERSION_OF_NOTHING: &str = "1";

/// What must be so on the API server for an apply to be carried out.
#[derive(Clone, Copy, Debug)]
pub(super) enum Precondition<'a> {
    /// There is no such object. Server-side apply has no word for it, but a version is checked only if the object exists.
    Absent,
    /// It is still this object, and not another of the same name.
    Uid(&'a str),
}

/// See the module.
#[derive(Debug)]
pub(super) struct Wanted {
    pub(super) title: String,
    pub(super) name: String,
    pub(super) namespace: Option<String>,
    /// All but kind, name and namespace.
    pub(super) fields: Value,
    /// Of the fields.
    pub(super) digest: u64,
}

impl Wanted {
    pub(super) fn new<C>(
        owner: Option<&Owner>,
        manager: &str,
        mut object: C,
    ) -> Result<Self, ApplyError>
    where
        C: Resource<DynamicType = ()> + Serialize + 'static,
    {
        let Some(name) = object.meta().name.clone() else {
            let kind = C::kind(&()).into_owned();
            return Err(ApplyError::NoName { kind });
        };
        if let Some(owner) = owner {
            owner.put_into(&mut object)?;
            // The operator itself may have put another controller in.
            check_ours(Some(owner), manager, &object)?;
        }
        let title = title(&object);
        if is_namespaced::<C>() && object.namespace().is_none() {
            return Err(ApplyError::NoNamespace { object: title });
        }
        let namespace = object.namespace();
        let fields = match serde_json::to_value(object) {
            Ok(value) => own_fields(value),
            Err(source) => {
                return Err(ApplyError::Json {
                    object: title,
                    source,
                });
            }
        };
        Ok(Self {
            title,
            name,
            namespace,
            digest: digest(&fields),
            fields,
        })
    }

    /// The request that applies it. Our fields are ours: `force` takes them back from whoever changed them, as Kubernetes advises
    /// for controllers.
    pub(super) fn request<C>(
        &self,
        manager: &str,
        precondition: Precondition<'_>,
    ) -> Result<http::Request<Vec<u8>>, kube::Error>
    where
        C: Resource<DynamicType = ()>,
    {
        let mut body = self.fields.clone();
        body["apiVersion"] = json!(C::api_version(&()));
        body["kind"] = json!(C::kind(&()));
        body["metadata"]["name"] = json!(self.name);
        if let Some(namespace) = &self.namespace {
            body["metadata"]["namespace"] = json!(namespace);
        }
        match precondition {
            Precondition::Absent => body["metadata"]["resourceVersion"] = json!(VERSION_OF_NOTHING),
            Precondition::Uid(uid) => body["metadata"]["uid"] = json!(uid),
        }
        let params = PatchParams::apply(manager).force();
        Request::new(C::url_path(&(), self.namespace.as_deref()))
            .patch(&self.name, &params, &Patch::Apply(&body))
            .map_err(kube::Error::BuildRequest)
    }
}

/// Without the status: it is a resource of its own, which an apply of the object does not write.
fn own_fields(mut object: Value) -> Value {
    let Some(fields) = object.as_object_mut() else {
        return object;
    };
    for name in ["apiVersion", "kind", "status"] {
        fields.remove(name);
    }
    if let Some(metadata) = fields.get_mut("metadata").and_then(Value::as_object_mut) {
        metadata.retain(|name, _| !NOT_OURS.contains(&name.as_str()));
        if metadata.is_empty() {
            fields.remove("metadata");
        }
    }
    object
}

#[cfg(test)]
mod tests {
    use k8s_openapi::api::core::v1::{ConfigMap, Namespace};

    use super::*;

    #[test]
    fn what_the_server_fills_in_is_not_sent() {
        let object: ConfigMap = serde_json::from_value(json!({
            "metadata": {
                "name": "c", "namespace": "n", "uid": "u", "resourceVersion": "5", "generation": 2,
                "creationTimestamp": "2026-01-01T00:00:00Z", "managedFields": [{"manager": "m"}], "labels": {"a": "b"},
            },
            "data": {"k": "v"},
        }))
        .unwrap();
        let wanted = Wanted::new(None, "op", object).unwrap();
        assert_eq!(
            wanted.fields,
            json!({"metadata": {"labels": {"a": "b"}}, "data": {"k": "v"}})
        );

        let bare = Wanted::new(None, "op", Namespace::default());
        assert!(matches!(bare, Err(ApplyError::NoName { kind }) if kind == "Namespace"));
    }

    #[test]
    fn a_namespaced_object_needs_a_namespace() {
        let object: ConfigMap = serde_json::from_value(json!({"metadata": {"name": "c"}})).unwrap();
        let error = Wanted::new(None, "op", object).unwrap_err();
        assert!(matches!(error, ApplyError::NoNamespace { .. }), "{error}");
        let object: Namespace = serde_json::from_value(json!({"metadata": {"name": "c"}})).unwrap();
        assert!(Wanted::new(None, "op", object).is_ok());
    }

    #[test]
    fn another_controller_in_what_is_wanted_is_refused() {
        let owner: ConfigMap = serde_json::from_value(
            json!({"metadata": {"name": "o", "namespace": "n", "uid": "u"}}),
        )
        .unwrap();
        let object: ConfigMap =
            serde_json::from_value(json!({"metadata": {"name": "c", "ownerReferences": [
                {"apiVersion": "v1", "kind": "Shop", "name": "x", "uid": "u9", "controller": true},
            ]}}))
            .unwrap();
        let error = Wanted::new(Some(&Owner::of(&owner).unwrap()), "op", object).unwrap_err();
        assert!(
            matches!(error, ApplyError::OwnedByAnother { .. }),
            "{error}"
        );
    }
}
