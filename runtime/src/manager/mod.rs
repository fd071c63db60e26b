//! The manager runs the controllers of an operator with a shared client, caches, leader election, probes, metrics and graceful shutdown.
//!
//! ```no_run
//! use std::sync::Arc;
//!
//! use clap::Parser;
//! use k8s_openapi::api::core::v1::ConfigMap;
//! use kb::{
//!     Flags, Manager,
//!     controller::{Action, Controller, Error},
//! };
//!
//! #[derive(Parser)]
//! struct Args {
//!     #[command(flatten)]
//!     manager: Flags,
//! }
//!
//! #[tokio::main]
//! async fn main() -> Result<(), kb::manager::Error> {
//!     let manager = Manager::new("shop-operator", Args::parse().manager).await?;
//!     let controller = Controller::new("configmap", &manager.store::<ConfigMap>());
//!     manager.add_controller(controller, reconcile, ());
//!     manager.run().await
//! }
//!
//! async fn reconcile(_object: Arc<ConfigMap>, _context: Arc<()>) -> Result<Action, Error> {
//!     Ok(Action::await_change())
//! }
//! ```
//!
//! The parts also work without a manager: see [`leader`](crate::leader), [`server`](crate::server), [`metrics`](crate::metrics),
//! [`store`](crate::store), [`controller`](crate::controller) and [`shutdown`](crate::shutdown). For tests see [`Manager::for_tests`].

mod client;
mod connection;
mod error;
mod idle_timeout;
mod lifecycle;
mod retry_after;
mod runnables;
mod setup;
mod testing;
mod warnings;

pub use error::Error;
pub use setup::Manager;
pub use testing::RunningManager;

#[cfg(test)]
mod tests;
