//! Logging with `tracing`, as text or JSON on standard error.
//!
//! Every line includes the fields of its spans, so lines of a reconcile name its `controller`, `kind` and `object`. Filters apply to spans as well:
//! a span whose fields must appear in every line needs the level ERROR.

mod fields;
mod setup;

pub(crate) use setup::filter;
pub use setup::{AlreadyInitialized, Format, init, init_for_tests};
