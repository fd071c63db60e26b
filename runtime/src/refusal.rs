//! How a [`Status`] says when the request that it refuses may be sent again.

use std::time::Duration;

use kube::core::{Status, response::StatusDetails};

/// The same refusal, not to be retried before so many seconds. A longer delay that it names already stays.
pub(crate) fn with_retry_after(mut status: Status, seconds: u32) -> Status {
    let details = status.details.get_or_insert(StatusDetails {
        name: String::new(),
        group: String::new(),
        kind: String::new(),
        uid: String::new(),
        causes: Vec::new(),
        retry_after_seconds: 0,
    });
    details.retry_after_seconds = details.retry_after_seconds.max(seconds);
    status
}

/// How long to wait before the next attempt, if the server is overloaded (429, 503) and says so.
pub(crate) fn retry_after(status: &Status) -> Option<Duration> {
    if !matches!(status.code, 429 | 503) {
        return None;
    }
    let seconds = status.details.as_ref()?.retry_after_seconds;
    (seconds > 0).then(|| Duration::from_secs(seconds.into()))
}
