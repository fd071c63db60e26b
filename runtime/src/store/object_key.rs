//! How an object is called among those of its kind.

use std::{borrow::Borrow, fmt, sync::Arc};

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::runtime::reflector::ObjectRef;

use super::CachedResource;

/// `namespace/name`, or the name alone of what is in no namespace: no name has a slash in it. Clones share their text, which a cache has
/// once for each of its objects.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ObjectKey(Arc<str>);

impl ObjectKey {
    pub(crate) fn new(namespace: Option<&str>, name: &str) -> Self {
        match namespace {
            Some(namespace) => Self([namespace, "/", name].concat().into()),
            None => Self(name.into()),
        }
    }

    pub(crate) fn of(meta: &ObjectMeta) -> Self {
        let name = meta.name.as_deref().unwrap_or_default();
        Self::new(meta.namespace.as_deref(), name)
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// None, if the object is in no namespace.
    pub(crate) fn namespace(&self) -> Option<&str> {
        self.0.split_once('/').map(|(namespace, _)| namespace)
    }

    /// The same as kube has it.
    pub(crate) fn reference<K: CachedResource>(&self) -> ObjectRef<K> {
        match self.0.split_once('/') {
            Some((namespace, name)) => ObjectRef::new(name).within(namespace),
            None => ObjectRef::new(&self.0),
        }
    }
}

impl<K: CachedResource> From<&ObjectRef<K>> for ObjectKey {
    fn from(reference: &ObjectRef<K>) -> Self {
        Self::new(reference.namespace.as_deref(), &reference.name)
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
