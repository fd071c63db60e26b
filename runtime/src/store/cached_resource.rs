//! What a store can hold.

use std::fmt::Debug;

use kube::Resource;
use serde::de::DeserializeOwned;

/// A kind of objects whose type is known when the operator is compiled: Kubernetes' own kinds, and those made by `#[kb::resource]`.
///
/// It is implemented for all of them.
pub trait CachedResource:
    Resource<DynamicType = ()> + Clone + Debug + DeserializeOwned + Send + Sync + 'static
{
}

impl<K> CachedResource for K where
    K: Resource<DynamicType = ()> + Clone + Debug + DeserializeOwned + Send + Sync + 'static
{
}
