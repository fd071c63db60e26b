//! Controllers: a work queue, workers and retries around a reconcile function.
//!
//! A [`Controller`] calls the function for each object of a [`Store`](crate::store::Store) that changed, or whose owned objects did. It works
//! like controller-runtime's: the queue holds each object once, and workers reconcile different objects concurrently but never the same
//! object twice at a time. Controllers share caches, failed objects are retried with exponential backoff ([`RetryPolicy`]), a [`TerminalError`]
//! is not retried, a panic fails one reconcile instead of the controller, and shutdown is graceful. [`Controller::finalizer`] adds a cleanup
//! before deletion, and [`Controller::report_errors`] shows errors in conditions and events.
//!
//! Watching is kube's [`watcher`](mod@kube::runtime::watcher); the cache, the queue and the workers are kb's, so kube's own
//! [`Controller`](kube::runtime::Controller) is not involved.
//!
//! ```no_run
//! use std::sync::Arc;
//! use std::time::Duration;
//!
//! use kb::controller::{Action, Controller, Error, RunOptions};
//! use kb::k8s_openapi::api::{apps::v1::Deployment, core::v1::ConfigMap};
//! use kb::store::{Config, Store};
//! use kube::{Api, Client};
//!
//! struct Context {
//!     client: Client,
//! }
//!
//! async fn reconcile(deployment: Arc<Deployment>, context: Arc<Context>) -> Result<Action, Error> {
//!     // Create or update the owned objects.
//!     Ok(Action::requeue(Duration::from_secs(600)))
//! }
//!
//! # async fn wrapper(client: Client) {
//! let (deployments, watch_deployments) = Store::new(vec![Api::all(client.clone())], Config::default());
//! let (config_maps, watch_config_maps) = Store::<ConfigMap>::new(vec![Api::all(client.clone())], Config::default());
//! tokio::spawn(watch_deployments.run());
//! tokio::spawn(watch_config_maps.run());
//!
//! let controller = Controller::new("deployment", &deployments).owns(&config_maps).concurrency(4);
//! controller.run(reconcile, Arc::new(Context { client }), RunOptions::default()).await;
//! # }
//! ```

mod action;
mod builder;
mod error;
mod error_reporter;
mod fair_queue;
mod finalizer;
mod options;
mod reconciler;
mod retry_policy;
mod run;
mod source;
mod token_bucket;
mod work_queue;

#[cfg(test)]
mod tests;

pub use action::Action;
pub use builder::Controller;
pub use error::{Error, TerminalError};
pub use finalizer::Cleanup;
pub use kube::runtime::reflector::ObjectRef;
pub use options::RunOptions;
pub use retry_policy::RetryPolicy;

pub(crate) use error::chain;
