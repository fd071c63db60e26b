//! Panics of user-provided functions.
//!
//! Such a function is called for one object. Its panic must not affect other objects.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// Calls a pure function. The error is the message of its panic.
pub(crate) fn catch<T>(function: impl FnOnce() -> T) -> Result<T, String> {
    // A pure function modifies no state, so none can be left inconsistent.
    catch_unwind(AssertUnwindSafe(function)).map_err(|panic| message(&*panic).to_owned())
}

/// Returns the message of a panic.
pub(crate) fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
}
