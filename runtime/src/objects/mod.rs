//! What a reconcile does with objects: apply, prune, status, conditions, events.
//!
//! Each stands alone, beside kube's own `Api`. [`Objects`] writes: [`apply`](Objects::apply) makes a child what is wanted of it,
//! [`prune`](Objects::prune) deletes children that are no longer wanted, [`patch_status`](Objects::patch_status) writes the
//! status. All three send nothing when nothing would change: so a reconcile may be called at any time, for any reason.
//!
//! ```no_run
//! use std::sync::Arc;
//!
//! use k8s_openapi::{api::apps::v1::Deployment, apimachinery::pkg::apis::meta::v1::Condition};
//! use kb::objects::{Applied, EventRecorder, EventType, Objects, Owner, conditions};
//! use kb::{controller::{Action, Error}, store::Store};
//! use kube::ResourceExt;
//!
//! /// Runs an image.
//! #[kb::resource(group = "example.com", version = "v1", kind = "Shop", status = ShopStatus)]
//! pub struct ShopSpec {
//!     pub image: String,
//! }
//!
//! /// What the controller last saw.
//! #[kb::object]
//! pub struct ShopStatus {
//!     #[kb(optional, list_map_key = "type")]
//!     pub conditions: Vec<Condition>,
//! }
//!
//! struct Context {
//!     objects: Objects,
//!     events: EventRecorder,
//!     deployments: Store<Deployment>,
//! }
//!
//! async fn reconcile(shop: Arc<Shop>, context: Arc<Context>) -> Result<Action, Error> {
//!     let owner = Owner::of(&*shop)?;
//!     let wanted = deployment(&shop)?;
//!
//!     let applied = context.objects.apply(&owner, wanted, &context.deployments).await?;
//!     if let Applied::Created(deployment) = &applied {
//!         let note = format!("made Deployment {}", deployment.name_any());
//!         context.events.publish(&*shop, EventType::Normal, "Created", "Apply", note);
//!     }
//!
//!     let wanted = |found: &Deployment| found.name_any() == shop.name_any();
//!     context.objects.prune(&owner, &context.deployments, wanted).await?;
//!
//!     let pods = applied.object().status.as_ref().and_then(|status| status.ready_replicas).unwrap_or(0);
//!     let mut status = shop.status.clone().unwrap_or_default();
//!     let ready = conditions::ready(pods > 0, "Reconciled", format!("{pods} pods are ready"), shop.metadata.generation);
//!     conditions::set(&mut status.conditions, ready);
//!     context.objects.patch_status(&*shop, &status).await?;
//!     Ok(Action::await_change())
//! }
//!
//! fn deployment(shop: &Shop) -> serde_json::Result<Deployment> {
//!     let labels = serde_json::json!({ "app": shop.name_any() });
//!     serde_json::from_value(serde_json::json!({
//!         "metadata": { "name": shop.name_any() },
//!         "spec": {
//!             "selector": { "matchLabels": labels },
//!             "template": {
//!                 "metadata": { "labels": labels },
//!                 "spec": { "containers": [{ "name": "app", "image": shop.spec.image }] },
//!             },
//!         },
//!     }))
//! }
//! ```
//!
//! # Finalizers
//!
//! What Kubernetes does not delete by itself (an account elsewhere, an object of [`apply_unowned`](Objects::apply_unowned)) needs
//! a finalizer. kube's own is right as it is, and [`finalizer`](crate::controller::finalizer()) is that:
//!
//! ```no_run
//! use std::sync::Arc;
//!
//! use k8s_openapi::api::core::v1::ConfigMap;
//! use kb::controller::{Action, finalizer};
//! use kube::{Api, Client, runtime::finalizer::{Error, Event}};
//!
//! async fn reconcile(object: Arc<ConfigMap>, client: Client) -> Result<Action, Error<std::io::Error>> {
//!     let namespace = object.metadata.namespace.clone().unwrap_or_default();
//!     let api: Api<ConfigMap> = Api::namespaced(client, &namespace);
//!     finalizer(&api, "example.com/cleanup", object, |event| async {
//!         match event {
//!             Event::Apply(_object) => Ok(Action::await_change()),
//!             // It is called again until it succeeds: what is gone already is no error.
//!             Event::Cleanup(_object) => Ok(Action::await_change()),
//!         }
//!     })
//!     .await
//! }
//! ```
//!
//! It needs the verb `patch` on the kind itself.

mod apply;
mod budget;
mod client;
pub mod conditions;
mod contest;
mod digest;
mod digester;
mod error;
mod event;
mod event_recorder;
mod field_set;
mod fields;
mod held;
mod memory;
mod owner;
mod prune;
mod status;
mod throttle;
mod wanted;
mod write;

pub use apply::Applied;
pub use client::Objects;
pub use error::ApplyError;
pub use event_recorder::EventRecorder;
pub use kube::runtime::events::EventType;
pub use owner::Owner;

#[cfg(test)]
mod tests;
