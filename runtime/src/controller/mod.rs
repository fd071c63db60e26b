//! The loop around reconcile.
//!
//! A [`Controller`] calls a function for every object of a [`Store`](crate::store::Store) that has changed, or whose children have. It is what
//! client-go's users know: objects wait in a queue, each of them once, and workers take them in turn, never one object twice at once. Caches
//! are shared by controllers, each object that fails has a growing delay ([`Retry`]), some errors are not retried ([`Terminal`]), a panic ends
//! one attempt and not the controller, and the end is an orderly one.
//!
//! ```no_run
//! use std::sync::Arc;
//! use std::time::Duration;
//!
//! use kb::controller::{Action, Around, Controller, Error};
//! use kb::k8s_openapi::api::{apps::v1::Deployment, core::v1::ConfigMap};
//! use kb::store::{Config, Store};
//! use kube::{Api, Client};
//!
//! struct Context {
//!     client: Client,
//! }
//!
//! async fn reconcile(deployment: Arc<Deployment>, context: Arc<Context>) -> Result<Action, Error> {
//!     // Make what the object asks for.
//!     Ok(Action::requeue(Duration::from_secs(600)))
//! }
//!
//! # async fn wrapper(client: Client) {
//! let (deployments, watch_deployments) = Store::new(vec![Api::all(client.clone())], Config::default());
//! let (config_maps, watch_config_maps) = Store::<ConfigMap>::new(vec![Api::all(client.clone())], Config::default());
//! tokio::spawn(watch_deployments.run());
//! tokio::spawn(watch_config_maps.run());
//!
//! let controller = Controller::new("deployment", &deployments).owns(&config_maps).workers(4);
//! controller.run(reconcile, Arc::new(Context { client }), Around::default()).await;
//! # }
//! ```

mod action;
mod around;
mod attempt;
mod builder;
mod error;
mod finalizer;
mod lanes;
mod pace;
mod queue;
mod related;
mod retry;
mod run;

#[cfg(test)]
mod tests;

pub use action::Action;
pub use around::Around;
pub use builder::Controller;
pub use error::{Error, Terminal};
pub use finalizer::finalizer;
pub use kube::runtime::reflector::ObjectRef;
pub use retry::Retry;

pub(crate) use error::chain;
