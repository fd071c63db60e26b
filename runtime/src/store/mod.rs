//! Caches of objects, with indexes.
//!
//! A [`Store`] holds all objects of one kind. One watch per namespace fills it, any number of controllers read it, and say what else they
//! look objects up by: an [`Index`]. Over kube's own reflector it has several namespaces in one cache, look-ups that do not walk through
//! everything, deletions that are noticed though the watch was down, objects that do not fit their type, and a third of the memory: what is
//! not in use is kept as text, and read when it is asked for.
//!
//! ```no_run
//! use kb::k8s_openapi::api::core::v1::Pod;
//! use kb::store::{Config, Store};
//! use kube::{Api, Client};
//!
//! # async fn wrapper(client: Client) {
//! let (pods, watch) = Store::<Pod>::new(vec![Api::all(client)], Config::default());
//! let by_node = pods.index("node", |pod: &Pod| {
//!     let node = pod.spec.as_ref().and_then(|spec| spec.node_name.clone());
//!     node.into_iter().collect()
//! });
//! tokio::spawn(watch.run());
//! pods.wait_until_synced().await;
//! println!("{} pods are on the first node", by_node.get("node-1").len());
//! # }
//! ```

mod cache;
mod cached_resource;
mod change;
mod feed;
mod guard;
mod handle;
mod index;
mod object_key;
mod outage;
pub(crate) mod packed;
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
pub(crate) use object_key::ObjectKey;
pub(crate) use reconnect::Reconnected;
pub use reflector::Reflector;
pub(crate) use sync_state::{
    SyncState, SyncStates, wait_until_synced, wait_until_synced_or_unavailable,
};
