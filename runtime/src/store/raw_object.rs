//! Objects as received by a watch, not deserialized yet.
//!
//! An object that does not match its type would otherwise fail the whole list, and with it the operator: an old version, a field written
//! by another controller, a CRD that allows more than the type. kube's `DeserializeGuard` solves the same problem, but builds a
//! [`serde_json::Value`] and two copies of every object.

use std::{borrow::Cow, marker::PhantomData};

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::{Resource, core::DynamicResourceScope};
use serde::{Deserialize, Deserializer, Serialize, de::Error};
use serde_json::{Value, value::RawValue};

use super::{CachedResource, compact::compact};

/// The JSON text of an object of type `K`. Can only be deserialized from text, neither from a reader nor from a [`Value`].
#[derive(Debug, Clone)]
pub(crate) struct RawObject<K> {
    json: Box<RawValue>,
    /// Name, namespace, UID and resource version only.
    metadata: Box<ObjectMeta>,
    kind: PhantomData<fn() -> K>,
}

impl<K: CachedResource> RawObject<K> {
    pub(super) fn from_object(object: &(impl Serialize + ?Sized)) -> serde_json::Result<Self> {
        serde_json::from_str(&serde_json::to_string(object)?)
    }

    /// Returns the compact form of the object, see [`compact`].
    pub(super) fn compact(
        &self,
        keep_managed_fields_of: Option<&str>,
    ) -> serde_json::Result<String> {
        compact(self.json.get(), keep_managed_fields_of)
    }
}

/// Deserializes an object from its compact form.
pub(super) fn deserialize<K: CachedResource>(json: &str) -> Result<K, String> {
    serde_json::from_str(json).map_err(|error| {
        // Errors from text end with a line and a column, which mean nothing to readers of the log. Errors from a `Value` do not.
        let error_from_value = serde_json::from_str::<Value>(json).and_then(K::deserialize);
        error_from_value.err().unwrap_or(error).to_string()
    })
}

#[derive(Deserialize)]
struct PartialObject {
    #[serde(default)]
    metadata: PartialMetadata,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase")]
struct PartialMetadata {
    name: Option<String>,
    namespace: Option<String>,
    uid: Option<String>,
    resource_version: Option<String>,
}

impl<'de, K: CachedResource> Deserialize<'de> for RawObject<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = Box::<RawValue>::deserialize(deserializer)?;
        let object: PartialObject = serde_json::from_str(json.get()).map_err(D::Error::custom)?;
        let metadata = ObjectMeta {
            name: object.metadata.name,
            namespace: object.metadata.namespace,
            uid: object.metadata.uid,
            resource_version: object.metadata.resource_version,
            ..ObjectMeta::default()
        };
        Ok(Self {
            json,
            metadata: Box::new(metadata),
            kind: PhantomData,
        })
    }
}

/// Delegates to `K`, except for the scope: with the scope of `K`, a namespaced `Api` could only be created where `K` is known to be
/// namespaced.
impl<K: CachedResource> Resource for RawObject<K> {
    type DynamicType = ();
    type Scope = DynamicResourceScope;

    fn kind((): &()) -> Cow<'_, str> {
        K::kind(&())
    }

    fn group((): &()) -> Cow<'_, str> {
        K::group(&())
    }

    fn version((): &()) -> Cow<'_, str> {
        K::version(&())
    }

    fn api_version((): &()) -> Cow<'_, str> {
        K::api_version(&())
    }

    fn plural((): &()) -> Cow<'_, str> {
        K::plural(&())
    }

    fn metadata_api() -> bool {
        K::metadata_api()
    }

    fn url_path((): &(), namespace: Option<&str>) -> String {
        K::url_path(&(), namespace)
    }

    fn meta(&self) -> &ObjectMeta {
        &self.metadata
    }

    fn meta_mut(&mut self) -> &mut ObjectMeta {
        &mut self.metadata
    }
}

#[cfg(test)]
mod tests {
    use k8s_openapi::api::core::v1::{ConfigMap, Node};
    use kube::core::{ObjectList, WatchEvent};
    use serde_json::json;

    use super::*;

    #[test]
    fn an_invalid_object_does_not_fail_its_list() {
        let list = json!({
            "apiVersion": "v1",
            "kind": "ConfigMapList",
            "metadata": {},
            "items": [
                { "metadata": { "name": "valid" }, "data": { "color": "red" } },
                { "metadata": { "name": "invalid", "resourceVersion": "7" }, "data": { "color": 7 } },
            ],
        });
        let list: ObjectList<RawObject<ConfigMap>> =
            serde_json::from_str(&list.to_string()).unwrap();

        let [valid, invalid] = &list.items[..] else {
            panic!("{list:?}");
        };
        let text = valid.compact(None).unwrap();
        assert_eq!(
            text,
            r#"{"data":{"color":"red"},"metadata":{"name":"valid"}}"#
        );
        let object: ConfigMap = deserialize(&text).unwrap();
        assert_eq!(object.data.unwrap()["color"], "red");
        assert_eq!(invalid.meta().name.as_deref(), Some("invalid"));
        assert_eq!(invalid.meta().resource_version.as_deref(), Some("7"));
        assert_eq!(
            deserialize::<ConfigMap>(&invalid.compact(None).unwrap()).unwrap_err(),
            "invalid type: integer `7`, expected a string"
        );
    }

    #[test]
    fn a_watch_event_is_deserialized() {
        let text = r#"{"type":"ADDED","object":{"metadata":{"name":"a"}}}"#;
        let event: WatchEvent<RawObject<ConfigMap>> = serde_json::from_str(text).unwrap();
        let WatchEvent::Added(object) = event else {
            panic!("{event:?}");
        };
        assert_eq!(object.meta().name.as_deref(), Some("a"));
    }

    #[test]
    fn the_url_is_that_of_the_resource() {
        assert_eq!(RawObject::<Node>::url_path(&(), None), "/api/v1/nodes");
        assert_eq!(
            RawObject::<ConfigMap>::url_path(&(), Some("shop")),
            "/api/v1/namespaces/shop/configmaps"
        );
    }
}
