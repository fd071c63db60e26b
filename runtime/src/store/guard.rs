//! Objects as a watch gets them: not yet read.
//!
//! One object that does not fit its type would otherwise fail a whole list, and so the whole operator: an old version, a field that another
//! controller wrote, a CRD that allows more than the type. kube's `DeserializeGuard` does the same, at the price of a tree of JSON values
//! and two copies for every object.

use std::{borrow::Cow, marker::PhantomData};

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::{Resource, core::DynamicResourceScope};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::{CachedResource, packed::Bare};

/// An object that may not fit its type.
#[derive(Debug, Clone)]
pub(crate) struct Guard<K> {
    bare: Bare,
    /// ObjectKey, namespace, uid and version.
    metadata: Box<ObjectMeta>,
    kind: PhantomData<fn() -> K>,
}

impl<K: CachedResource> Guard<K> {
    /// An object that was not received.
    pub(super) fn of(object: &(impl Serialize + ?Sized)) -> serde_json::Result<Self> {
        serde_json::from_str(&serde_json::to_string(object)?)
    }

    /// The text that stands for the object in a cache.
    ///
    /// # Errors
    ///
    /// What is wrong with its managed fields.
    pub(super) fn pack(self, keep_managed_fields_of: Option<&str>) -> Result<String, String> {
        let text = self.bare.pack(keep_managed_fields_of);
        text.map_err(|error| error.to_string())
    }
}

/// The object that a text stands for.
///
/// # Errors
///
/// What does not fit.
pub(super) fn read<K: CachedResource>(text: &str) -> Result<K, String> {
    serde_json::from_str(text).map_err(|error| {
        // Once more, for a place in the text says nothing to whoever reads the log.
        let again = serde_json::from_str::<Value>(text).and_then(K::deserialize);
        again.err().unwrap_or(error).to_string()
    })
}

impl<'de, K: CachedResource> Deserialize<'de> for Guard<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut bare = Bare::deserialize(deserializer)?;
        let identity = std::mem::take(&mut bare.identity);
        let metadata = ObjectMeta {
            name: identity.name,
            namespace: identity.namespace,
            uid: identity.uid,
            resource_version: identity.resource_version,
            ..ObjectMeta::default()
        };
        Ok(Self {
            bare,
            metadata: Box::new(metadata),
            kind: PhantomData,
        })
    }
}

/// All is the kind's own but the scope: with that of `K`, an `Api` for a namespace could only be made where `K` is known to be namespaced.
impl<K: CachedResource> Resource for Guard<K> {
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
    fn one_object_that_does_not_fit_leaves_the_others_of_a_list_readable() {
        let list = json!({
            "apiVersion": "v1",
            "kind": "ConfigMapList",
            "metadata": {},
            "items": [
                { "metadata": { "name": "good" }, "data": { "colour": "red" } },
                { "metadata": { "name": "bad", "resourceVersion": "7" }, "data": { "colour": 7 } },
            ],
        });
        let list: ObjectList<Guard<ConfigMap>> = serde_json::from_str(&list.to_string()).unwrap();

        let Ok([good, bad]) = <[_; 2]>::try_from(list.items) else {
            panic!("there are two");
        };
        let text = good.pack(None).unwrap();
        assert_eq!(
            text,
            r#"{"data":{"colour":"red"},"metadata":{"name":"good"}}"#
        );
        let object: ConfigMap = read(&text).unwrap();
        assert_eq!(object.data.unwrap()["colour"], "red");
        assert_eq!(bad.meta().name.as_deref(), Some("bad"));
        assert_eq!(bad.meta().resource_version.as_deref(), Some("7"));
        assert_eq!(
            read::<ConfigMap>(&bad.pack(None).unwrap()).unwrap_err(),
            "invalid type: integer `7`, expected a string"
        );
    }

    #[test]
    fn an_event_of_a_watch_is_read() {
        let text = r#"{"type":"ADDED","object":{"metadata":{"name":"a"}}}"#;
        let WatchEvent::Added(object) =
            serde_json::from_str::<WatchEvent<Guard<ConfigMap>>>(text).unwrap()
        else {
            panic!("{text}");
        };
        assert_eq!(object.meta().name.as_deref(), Some("a"));
    }

    #[test]
    fn a_guarded_kind_has_the_address_of_its_kind() {
        assert_eq!(Guard::<Node>::url_path(&(), None), "/api/v1/nodes");
        assert_eq!(
            Guard::<ConfigMap>::url_path(&(), Some("shop")),
            "/api/v1/namespaces/shop/configmaps"
        );
    }
}
