//! Keys of cached objects.

use std::{any::TypeId, borrow::Borrow, fmt, sync::Arc};

use k8s_openapi::{ClusterResourceScope, apimachinery::pkg::apis::meta::v1::ObjectMeta};
use kube::{Resource, runtime::reflector::ObjectRef};

use super::CachedResource;

/// `namespace/name`, or `name` for cluster-scoped objects. Clones share the string, which a cache stores once per object.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ObjectKey(Arc<str>);

impl ObjectKey {
    pub(crate) fn new(namespace: Option<&str>, name: &str) -> Self {
        match namespace {
            Some(namespace) => Self([namespace, "/", name].concat().into()),
            None => Self(name.into()),
        }
    }

    /// Creates the key of an object of type `K`. The namespace is ignored if `K` is cluster-scoped: owner references and mappers
    /// use the namespace of the dependent object.
    pub(crate) fn scoped<K: CachedResource>(namespace: Option<&str>, name: &str) -> Self {
        Self::new(namespace.filter(|_| is_namespaced::<K>()), name)
    }

    pub(crate) fn of(meta: &ObjectMeta) -> Self {
        let name = meta.name.as_deref().unwrap_or_default();
        Self::new(meta.namespace.as_deref(), name)
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the namespace, or `None` for cluster-scoped objects.
    pub(crate) fn namespace(&self) -> Option<&str> {
        self.0.split_once('/').map(|(namespace, _)| namespace)
    }

    pub(crate) fn reference<K: CachedResource>(&self) -> ObjectRef<K> {
        match self.0.split_once('/') {
            Some((namespace, name)) => ObjectRef::new(name).within(namespace),
            None => ObjectRef::new(&self.0),
        }
    }
}

impl<K: CachedResource> From<&ObjectRef<K>> for ObjectKey {
    fn from(reference: &ObjectRef<K>) -> Self {
        Self::scoped::<K>(reference.namespace.as_deref(), &reference.name)
    }
}

impl Borrow<str> for ObjectKey {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ObjectKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Returns whether a resource is namespaced, according to its type.
pub(crate) fn is_namespaced<K: Resource + 'static>() -> bool {
    TypeId::of::<K::Scope>() != TypeId::of::<ClusterResourceScope>()
}
