//! Retry delays in the [`Status`] of a failed request.
//!
//! Most statuses are sent by the API server. Some are created by this library for requests that it defers instead of sending: as errors of
//! kube they pass through user code, and a controller still distinguishes them from failures (see [`deferral`]).

use std::time::Duration;

use kube::core::{
    Status,
    response::{StatusCause, StatusDetails},
};

/// Reason of the cause that marks deferred requests.
const DEFERRED: &str = "kb.Deferred";

/// Sets the retry delay of a status, unless it has a longer one.
pub(crate) fn with_retry_after(mut status: Status, seconds: u32) -> Status {
    let details = details(&mut status);
    details.retry_after_seconds = details.retry_after_seconds.max(seconds);
    status
}

/// Returns whether the API server may accept the same request later.
pub(crate) fn is_overloaded(status: &Status) -> bool {
    matches!(status.code, 429 | 503 | 504)
}

/// Returns the retry delay requested by an overloaded API server (429, 503).
pub(crate) fn retry_after(status: &Status) -> Option<Duration> {
    if !matches!(status.code, 429 | 503) {
        return None;
    }
    let seconds = status.details.as_ref()?.retry_after_seconds;
    (seconds > 0).then(|| Duration::from_secs(seconds.into()))
}

/// Creates the error of a request that was not sent and may be retried after some seconds.
pub(crate) fn deferred(status: Status, seconds: u32) -> kube::Error {
    let mut status = with_retry_after(status, seconds);
    details(&mut status).causes.push(StatusCause {
        reason: DEFERRED.to_owned(),
        message: String::new(),
        field: String::new(),
    });
    kube::Error::Api(status.boxed())
}

/// Returns the retry delay of a deferred request, or `None` for failures.
pub(crate) fn deferral(status: &Status) -> Option<Duration> {
    let details = status.details.as_ref()?;
    let mut causes = details.causes.iter();
    causes
        .any(|cause| cause.reason == DEFERRED)
        .then(|| Duration::from_secs(details.retry_after_seconds.into()))
}

fn details(status: &mut Status) -> &mut StatusDetails {
    status.details.get_or_insert_with(|| StatusDetails {
        name: String::new(),
        group: String::new(),
        kind: String::new(),
        uid: String::new(),
        causes: Vec::new(),
        retry_after_seconds: 0,
    })
}
