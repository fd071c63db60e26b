//! Caches of Kubernetes objects with indexes.
//!
//! A [`Store`] caches all objects of one resource. A [`Reflector`] updates it with one watch per namespace, and any number of controllers
//! read it. [`Manager::store`](crate::Manager::store) creates a store and runs its reflector; without a manager, use [`Store::new`].
//!
//! Compared with `kube::runtime::reflector`, a store
//! - combines several namespaces in one cache,
//! - has indexes ([`Store::index`], [`Store::label_index`], [`Store::owned_by`]),
//! - publishes deletions that happened while the watch was disconnected,
//! - ignores single objects that fail to deserialize ([`Store::invalid_objects`]),
//! - takes a third of the memory, because objects are cached as JSON and deserialized on access.
//!
//! ```no_run
//! use kb::k8s_openapi::api::core::v1::Pod;
//! use kb::store::{Config, Store};
//! use kube::{Api, Client};
//!
//! # async fn wrapper(client: Client) {
//! let (pods, reflector) = Store::<Pod>::new(vec![Api::all(client)], Config::default());
//! let by_node = pods.index("spec.nodeName", |pod: &Pod| {
//!     let node = pod.spec.as_ref().and_then(|spec| spec.node_name.clone());
//!     node.into_iter().collect()
//! });
//! tokio::spawn(reflector.run());
//! pods.wait_until_synced().await;
//! println!("{} pods on node-1", by_node.get("node-1").len());
//! # }
//! ```

mod cache;
mod cached_resource;
mod change;
pub(crate) mod compact;
mod event_handler;
mod handle;
mod index;
mod object_key;
mod outage;
mod raw_object;
mod reconnect;
mod reflector;
mod sync_state;

#[cfg(test)]
pub(crate) mod samples;
#[cfg(test)]
mod tests;

pub use cached_resource::CachedResource;
pub use change::Change;
pub use handle::{Config, Store};
pub use index::Index;
pub(crate) use object_key::{ObjectKey, is_namespaced};
pub(crate) use reconnect::Reconnected;
pub use reflector::Reflector;
pub(crate) use sync_state::{
    SyncState, SyncStates, wait_until_synced, wait_until_synced_or_unavailable,
};
