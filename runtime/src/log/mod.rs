//! Logs, by `tracing`: as text for people, or as JSON for machines, on standard error.
//!
//! Every line has the fields of all spans around it, so a line from inside a reconcile says which `controller` and which `object`. A
//! filter hides spans as it hides events: a span whose fields are to be in every line must be of the level ERROR.

mod fields;
mod setup;

pub(crate) use setup::filter;
pub use setup::{AlreadyInitialized, Format, init, init_for_tests};
