//! The loop around reconcile.
//!
//! A [`Controller`] calls a function for every object of a [`Store`](crate::store::Store) that has changed, or whose children have. The work
//! is done by kube's `applier`: it schedules, merges requests, and never runs one object twice at once. Around it stand what kube leaves to
//! its users: caches that several controllers share, a growing delay for each object that fails ([`Retry`]), errors that are not retried
//! ([`Terminal`]), panics that end one attempt and not the controller, and an orderly end.
//!
//! ```no_run
//! use std::sync::Arc;
//! use std::time::Duration;
//!
//! use kb::controller::{Action, Around, Controller, Error};
//! use kb::k8s_openapi::api::{apps::v1::Deployment, core::v1::ConfigMap};
//! use kb::store::{Options, Store};
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
//! let (deployments, watch_deployments) = Store::new(vec![Api::all(client.clone())], Options::default());
//! let (config_maps, watch_config_maps) = Store::<ConfigMap>::new(vec![Api::all(client.clone())], Options::default());
//! tokio::spawn(watch_deployments.run());
//! tokio::spawn(watch_config_maps.run());
//!
//! let controller = Controller::new("deployment", &deployments).owns(&config_maps).workers(4);
//! controller.run(reconcile, Arc::new(Context { client }), Around::default()).await;
//! # }
//! ```

mod around;
mod attempt;
mod builder;
mod error;
mod pace;
mod related;
mod retry;
mod run;
mod waiting;

#[cfg(test)]
mod tests;

pub use around::Around;
pub use builder::Controller;
pub use error::{Error, Terminal};
pub use kube::runtime::{controller::Action, reflector::ObjectRef};
pub use retry::Retry;

pub(crate) use error::chain;
