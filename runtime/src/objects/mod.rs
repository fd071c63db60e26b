//! Helpers for reconcilers: apply, prune, status, conditions and events.
//!
//! [`Objects`] writes objects: [`apply`](Objects::apply) creates or updates an owned object by server-side apply,
//! [`prune`](Objects::prune) deletes owned objects that are no longer desired, and [`patch_status`](Objects::patch_status) patches the
//! status. None of them sends a request if nothing would change, so reconciling an up-to-date object is cheap. [`Readiness`] summarizes
//! owned objects in the condition `Ready`, [`conditions`] maintains other conditions, and [`EventRecorder`] publishes events. All of them
//! work with kube's `Api` side by side.
//!
//! ```no_run
//! use std::sync::Arc;
//!
//! use k8s_openapi::{api::apps::v1::Deployment, apimachinery::pkg::apis::meta::v1::Condition};
//! use kb::objects::{Applied, EventRecorder, EventType, Objects, Owner, Readiness};
//! use kb::{controller::{Action, Error}, store::Store};
//! use kube::ResourceExt;
//!
//! /// Runs an image.
//! #[kb::resource(group = "example.com", version = "v1", kind = "Shop", status = ShopStatus)]
//! pub struct ShopSpec {
//!     pub image: String,
//! }
//!
//! /// Observed state of a Shop.
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
//!
//!     let applied = context.objects.apply(&owner, deployment(&shop)?, &context.deployments).await?;
//!     if let Applied::Created(deployment) = &applied {
//!         let note = format!("Created Deployment {}", deployment.name_any());
//!         context.events.publish(&*shop, EventType::Normal, "Created", "Create", note);
//!     }
//!
//!     let is_desired = |deployment: &Deployment| deployment.name_any() == shop.name_any();
//!     context.objects.prune(&owner, &context.deployments, is_desired).await?;
//!
//!     let mut readiness = Readiness::default();
//!     readiness.observe(applied.object());
//!     let mut status = shop.status.clone().unwrap_or_default();
//!     readiness.set_on(&mut status.conditions, shop.metadata.generation);
//!     context.objects.patch_status(&*shop, &status).await?;
//!     Ok(Action::await_change())
//! }
//!
//! /// Returns the desired Deployment.
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
//! Anything that Kubernetes does not garbage-collect, such as an account in an external system or an object of
//! [`apply_unowned`](Objects::apply_unowned), needs a [finalizer](crate::controller::Controller::finalizer).

mod apply;
mod client;
pub mod conditions;
mod desired;
mod digest;
mod error;
mod error_status;
mod event;
mod event_limiter;
mod event_recorder;
mod field_conflict;
mod finalizers;
mod last_writes;
mod matches_live;
mod owner;
mod prune;
mod readiness;
mod status;
mod throttle;
mod write;

pub use apply::Applied;
pub use client::Objects;
pub use error::ApplyError;
pub use event_recorder::EventRecorder;
pub use kube::runtime::events::EventType;
pub use owner::Owner;
pub use readiness::{Readiness, job_is_finished};

pub(crate) use error_status::ReportedError;

#[cfg(test)]
mod tests;
