//! Panics of functions that the user of this library wrote.
//!
//! Such a function is called for one object at a time. Its panic must not end what works for all of them.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// Calls a function that only looks at its arguments. An error is the message of its panic.
pub(crate) fn catch<T>(function: impl FnOnce() -> T) -> Result<T, String> {
    // Nothing that the function can reach is changed here, so nothing is left half changed.
    catch_unwind(AssertUnwindSafe(function)).map_err(|panic| message(&*panic).to_owned())
}

/// What a panic says.
pub(crate) fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("without a message")
}
