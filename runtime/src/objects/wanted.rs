//! An object as it is sent: what the operator wants of it, and nothing that the API server fills in.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::{
    Resource,
    api::{Patch, PatchParams, PostParams},
    core::Request,
};
use serde::{Serialize, Serializer, ser::SerializeMap};
use serde_json::Value;

use super::{
    ApplyError, Owner,
    digest::{Counts, digest_of},
    fields::copy,
    owner::{check_ours, is_namespaced, title, titled},
};

/// The status is a resource of its own, which an apply of the object does not write.
const OWN: Counts = Counts::AllBut(&[
    ("apiVersion", Counts::Nothing),
    ("kind", Counts::Nothing),
    ("status", Counts::Nothing),
]);

fn is_own(field: &str) -> bool {
    !matches!(OWN.of(field), Counts::Nothing)
}

/// No object ever has it: etcd starts to count above it.
const VERSION_OF_NOTHING: &str = "1";

/// What must be so on the API server for an apply to be carried out.
#[derive(Clone, Copy, Debug)]
pub(super) enum Precondition<'a> {
    /// There is no such object. Server-side apply has no word for it, but a version is checked only if the object exists.
    Absent,
    /// The same by a `POST`, for a server that checks a version of what does not exist, too.
    Posted,
    /// It is still this object, and not another of the same name.
    Uid(&'a str),
}

/// See the module.
#[derive(Debug)]
pub(super) struct Wanted<C> {
    pub(super) name: String,
    pub(super) namespace: Option<String>,
    /// Without name and namespace, and what is not ours.
    object: C,
    /// Of its own fields.
    pub(super) digest: u64,
}

/// What is sent.
struct Body<'a, C> {
    wanted: &'a Wanted<C>,
    precondition: Precondition<'a>,
}

impl<C> Serialize for Body<'_, C>
where
    C: Resource<DynamicType = ()> + Serialize,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("apiVersion", &C::api_version(&()))?;
        map.serialize_entry("kind", &C::kind(&()))?;
        map.serialize_entry("metadata", &Metadata(self))?;
        let is_other = |name: &str| name != "metadata" && is_own(name);
        copy(&self.wanted.object, is_other, &mut map)?;
        map.end()
    }
}

struct Metadata<'a, C>(&'a Body<'a, C>);

impl<C: Resource> Serialize for Metadata<'_, C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Body {
            wanted,
            precondition,
        } = self.0;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", &wanted.name)?;
        if let Some(namespace) = &wanted.namespace {
            map.serialize_entry("namespace", namespace)?;
        }
        match *precondition {
            Precondition::Absent => map.serialize_entry("resourceVersion", VERSION_OF_NOTHING)?,
            Precondition::Posted => {}
            Precondition::Uid(uid) => map.serialize_entry("uid", uid)?,
        }
        // What is there already, the object no longer has.
        copy(wanted.object.meta(), |_| true, &mut map)?;
        map.end()
    }
}

impl<C> Wanted<C>
where
    C: Resource<DynamicType = ()> + Serialize,
{
    pub(super) fn new(
        owner: Option<&Owner>,
        manager: &str,
        mut object: C,
    ) -> Result<Self, ApplyError>
    where
        C: 'static,
    {
        if object.meta().name.is_none() {
            let kind = C::kind(&()).into_owned();
            return Err(ApplyError::MissingName { kind });
        }
        if let Some(owner) = owner {
            owner.put_into(&mut object)?;
            // The operator itself may have put another controller in.
            check_ours(Some(owner), manager, &object)?;
        }
        if is_namespaced::<C>() && object.meta().namespace.is_none() {
            let object = title(&object);
            return Err(ApplyError::MissingNamespace { object });
        }
        let mut wanted = Self {
            name: object.meta_mut().name.take().unwrap_or_default(),
            namespace: object.meta_mut().namespace.take(),
            object,
            digest: 0,
        };
        forget_what_is_not_ours(wanted.object.meta_mut());
        let digest = digest_of(&wanted.object, OWN);
        wanted.digest = digest.map_err(|source| wanted.not_json(source))?;
        Ok(wanted)
    }

    /// For messages.
    pub(super) fn title(&self) -> String {
        titled::<C>(&self.name, self.namespace.as_deref())
    }

    pub(super) fn not_json(&self, source: serde_json::Error) -> ApplyError {
        ApplyError::Serialize {
            object: self.title(),
            source,
        }
    }

    /// Its own fields but name and namespace, as JSON.
    pub(super) fn fields(&self) -> serde_json::Result<Value> {
        let mut map = serde_json::value::Serializer.serialize_map(None)?;
        let has_metadata = *self.object.meta() != ObjectMeta::default();
        let is_there = |name: &str| is_own(name) && (name != "metadata" || has_metadata);
        copy(&self.object, is_there, &mut map)?;
        map.end()
    }

    /// The request that applies it. Our fields are ours: `force` takes them back from whoever changed them, as Kubernetes advises
    /// for controllers.
    pub(super) fn request(
        &self,
        manager: &str,
        precondition: Precondition<'_>,
    ) -> Result<http::Request<Vec<u8>>, kube::Error> {
        let body = Body {
            wanted: self,
            precondition,
        };
        let request = Request::new(C::url_path(&(), self.namespace.as_deref()));
        if let Precondition::Posted = precondition {
            let params = PostParams {
                field_manager: Some(manager.to_owned()),
                ..PostParams::default()
            };
            let body = serde_json::to_vec(&body).map_err(kube::Error::SerdeError)?;
            let request = request.create(&params, body);
            return request.map_err(kube::Error::BuildRequest);
        }
        // Apply refuses fields that are in no schema in any case. Validation would read the body once more, to warn of fields that are
        // there twice: what is serialised here has none.
        let params = PatchParams::apply(manager).force().validation_ignore();
        request
            .patch(&self.name, &params, &Patch::Apply(&body))
            .map_err(kube::Error::BuildRequest)
    }
}

/// What only the API server sets, or never records as a manager's own.
fn forget_what_is_not_ours(metadata: &mut ObjectMeta) {
    metadata.creation_timestamp = None;
    metadata.deletion_grace_period_seconds = None;
    metadata.deletion_timestamp = None;
    metadata.generation = None;
    metadata.managed_fields = None;
    metadata.resource_version = None;
    metadata.self_link = None;
    metadata.uid = None;
}

#[cfg(test)]
mod tests {
    use k8s_openapi::api::core::v1::{ConfigMap, Namespace};

    use serde_json::json;

    use super::*;

    #[test]
    fn a_body_is_what_is_wanted_and_the_object_that_is_meant() {
        let object: Namespace = serde_json::from_value(json!({
            "metadata": {"name": "n", "labels": {"a": "b"}, "finalizers": ["f"]},
            "spec": {"finalizers": ["kubernetes"]},
            "status": {"phase": "Active"},
        }))
        .unwrap();
        let wanted = Wanted::new(None, "op", object).unwrap();
        let body = |precondition| {
            let request = wanted.request("op", precondition).unwrap();
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
            wanted.fields().unwrap(),
            json!({"metadata": {"labels": {"a": "b"}}, "data": {"k": "v"}})
        );

        let bare = Wanted::new(None, "op", Namespace::default());
        assert!(matches!(bare, Err(ApplyError::MissingName { kind }) if kind == "Namespace"));
    }

    #[test]
    fn a_namespaced_object_needs_a_namespace() {
        let object: ConfigMap = serde_json::from_value(json!({"metadata": {"name": "c"}})).unwrap();
        let error = Wanted::new(None, "op", object).unwrap_err();
        assert!(
            matches!(error, ApplyError::MissingNamespace { .. }),
            "{error}"
        );
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
        assert!(matches!(error, ApplyError::AlreadyOwned { .. }), "{error}");
    }
}
