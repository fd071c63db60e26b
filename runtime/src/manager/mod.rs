//! Joins everything that stands around the controllers of an operator.
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
//!     manager.start(controller, reconcile, ());
//!     manager.run().await
//! }
//!
//! async fn reconcile(_object: Arc<ConfigMap>, _context: Arc<()>) -> Result<Action, Error> {
//!     Ok(Action::await_change())
//! }
//! ```
//!
//! Each part can be used without it: see [`leader`](crate::leader), [`server`](crate::server), [`metrics`](crate::metrics),
//! [`store`](crate::store), [`controller`](crate::controller), [`shutdown`](crate::shutdown).

mod client;
mod connection;
mod error;
mod lifecycle;
mod overload;
mod registered;
mod setup;
mod silence;
mod tested;
mod warnings;

pub use error::Error;
pub use setup::Manager;
pub use tested::Running;

#[cfg(test)]
mod tests;
