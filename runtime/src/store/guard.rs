//! Objects that may not fit their type.
//!
//! One object that cannot be read would otherwise fail a whole list, and so the whole operator: an old version, a field that another
//! controller wrote, a CRD that allows more than the type. kube's `DeserializeGuard` does the same, at the price of a tree of JSON values
//! and two copies for every object.

use std::borrow::Cow;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::{Resource, core::DynamicResourceScope};
use serde::{Deserialize, Deserializer, de};
use serde_json::Value;

use super::Kind;

/// An object, or what can be said of it.
#[derive(Debug, Clone)]
pub(crate) enum Guard<K> {
    /// The object.
    Readable(K),
    /// It does not fit its type.
    Unreadable(Unreadable),
}

/// An object that does not fit its type.
#[derive(Debug, Clone)]
pub(crate) struct Unreadable {
    pub(super) metadata: Box<ObjectMeta>,
    pub(super) error: String,
}

/// What serde gives at the first try. It reads the text once, and both are made of the same.
#[derive(Deserialize)]
#[serde(untagged)]
enum Fitting<K> {
    Yes(K),
    No(Value),
}

impl<'de, K: Kind> Deserialize<'de> for Guard<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = match Fitting::deserialize(deserializer)? {
            Fitting::Yes(object) => return Ok(Self::Readable(object)),
            Fitting::No(value) => value,
        };
        // Once more, for serde does not say why.
        let error = match K::deserialize(&value) {
            Ok(object) => return Ok(Self::Readable(object)),
            Err(error) => error.to_string(),
        };
        let metadata =
            Box::<ObjectMeta>::deserialize(&value["metadata"]).map_err(|of_metadata| {
                de::Error::custom(format!("{error}, and in its metadata: {of_metadata}"))
            })?;
        Ok(Self::Unreadable(Unreadable { metadata, error }))
    }
}

/// All is the kind's own but the scope: with that of `K`, an `Api` for a namespace could only be made where `K` is known to be namespaced.
impl<K: Kind> Resource for Guard<K> {
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
        match self {
            Self::Readable(object) => object.meta(),
            Self::Unreadable(unreadable) => &unreadable.metadata,
        }
    }

    fn meta_mut(&mut self) -> &mut ObjectMeta {
        match self {
            Self::Readable(object) => object.meta_mut(),
            Self::Unreadable(unreadable) => &mut unreadable.metadata,
        }
    }
}

#[cfg(test)]
mod tests {
    use k8s_openapi::api::core::v1::{ConfigMap, Node};
    use kube::core::ObjectList;
    use serde_json::json;

    use super::*;

    #[test]
    fn one_object_that_does_not_fit_leaves_the_others_of_a_list_readable() {
        let list: ObjectList<Guard<ConfigMap>> = serde_json::from_value(json!({
            "apiVersion": "v1",
            "kind": "ConfigMapList",
            "metadata": {},
            "items": [
                { "metadata": { "name": "good" }, "data": { "colour": "red" } },
                { "metadata": { "name": "bad", "resourceVersion": "7" }, "data": { "colour": 7 } },
            ],
        }))
        .unwrap();

        let [Guard::Readable(good), Guard::Unreadable(bad)] = &list.items[..] else {
            panic!("{list:?}");
        };
        assert_eq!(good.data.as_ref().unwrap()["colour"], "red");
        assert_eq!(bad.metadata.name.as_deref(), Some("bad"));
        assert_eq!(bad.metadata.resource_version.as_deref(), Some("7"));
        assert_eq!(bad.error, "invalid type: integer `7`, expected a string");
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
