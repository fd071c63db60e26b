//! How a [`Status`] says when the request that it refuses may be sent again.
//!
//! Most are the API server's. Some are made here, in its place, for a request that is better not sent yet: so they pass through all code that
//! passes on errors of kube, and a controller still tells them from failures (see [`deferral`]).

use std::time::Duration;

use kube::core::{
    Status,
    response::{StatusCause, StatusDetails},
};

/// The reason, among the causes of a refusal, that only this library gives.
const DEFERRED: &str = "kb.Deferred";

/// The same refusal, not to be retried before so many seconds. A longer delay that it names already stays.
pub(crate) fn with_retry_after(mut status: Status, seconds: u32) -> Status {
    let details = details(&mut status);
    details.retry_after_seconds = details.retry_after_seconds.max(seconds);
    status
}

/// Whether the server may accept the same request later.
pub(crate) fn is_overloaded(status: &Status) -> bool {
    matches!(status.code, 429 | 503 | 504)
}

/// How long to wait before the next attempt, if the server is overloaded (429, 503) and says so.
pub(crate) fn retry_after(status: &Status) -> Option<Duration> {
    if !matches!(status.code, 429 | 503) {
        return None;
    }
    let seconds = status.details.as_ref()?.retry_after_seconds;
    (seconds > 0).then(|| Duration::from_secs(seconds.into()))
}

/// An error for a request that was not sent, and is to be considered again after so many seconds.
pub(crate) fn deferred(status: Status, seconds: u32) -> kube::Error {
    let mut status = with_retry_after(status, seconds);
    details(&mut status).causes.push(StatusCause {
        reason: DEFERRED.to_owned(),
        message: String::new(),
        field: String::new(),
    });
    kube::Error::Api(status.boxed())
}

/// When to try again, if it is no failure but a request that was not sent yet.
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
