//! Errors of the reconcile function.

use std::{borrow::Cow, error::Error as StdError, fmt, time::Duration};

use kube::core::Status;

use crate::retry_after::{deferral, is_overloaded, retry_after};

type Boxed = Box<dyn StdError + Send + Sync>;

/// Error of a reconcile. Any [`std::error::Error`] converts into it with `?`; the object is retried with backoff unless the error is terminal.
///
/// Displays the whole chain of causes in one line. Like `anyhow::Error`, it does not implement [`std::error::Error`].
///
/// ```
/// use kb::controller::Error;
///
/// fn replicas(text: &str) -> Result<i32, Error> {
///     let replicas = text.parse()?;
///     if replicas < 0 {
///         return Err(Error::terminal("replicas must not be negative"));
///     }
///     Ok(replicas)
/// }
///
/// assert!(!replicas("three").unwrap_err().is_terminal());
/// assert!(replicas("-1").unwrap_err().is_terminal());
/// ```
pub struct Error {
    cause: Boxed,
    reason: Option<Cow<'static, str>>,
}

impl Error {
    /// Creates a retryable error from something that is no [`std::error::Error`]: a message, or a boxed error such as anyhow's.
    pub fn new(cause: impl Into<Boxed>) -> Self {
        Self {
            cause: cause.into(),
            reason: None,
        }
    }

    /// Creates a terminal error: the object is not retried until it changes.
    pub fn terminal(cause: impl Into<Boxed>) -> Self {
        Self::new(TerminalError::new(cause))
    }

    /// Creates the terminal error of a scaffolded function that does not return the desired object yet, with the reason `NotImplemented`.
    pub fn not_implemented(kind: &str) -> Self {
        Self::terminal(format!("the desired {kind} is not implemented"))
            .with_reason("NotImplemented")
    }

    /// Sets the reason of the condition and the event that [`report_errors`](super::Controller::report_errors) writes: machine-readable,
    /// in `CamelCase`.
    #[must_use]
    pub fn with_reason(self, reason: impl Into<Cow<'static, str>>) -> Self {
        Self {
            reason: Some(reason.into()),
            ..self
        }
    }

    pub(super) fn reason(&self) -> Option<&str> {
        self.reason.as_deref()
    }

    /// Returns whether the API server rejected a write because the object changed, which a new reconcile solves.
    pub(super) fn is_conflict(&self) -> bool {
        find_status(&*self.cause).is_some_and(Status::is_conflict)
    }

    /// Returns whether the API server rejected a request because it is overloaded.
    pub(super) fn is_overload(&self) -> bool {
        find_status(&*self.cause).is_some_and(is_overloaded)
    }

    /// Returns whether a [`TerminalError`] is among the causes.
    pub fn is_terminal(&self) -> bool {
        causes(&*self.cause).any(<dyn StdError>::is::<TerminalError>)
    }

    /// Returns the `Retry-After` of a 429 or 503 response among the causes.
    pub(super) fn retry_after(&self) -> Option<Duration> {
        retry_after(find_status(&*self.cause)?)
    }

    /// Returns when to reconcile again if a write was deferred, which is no failure.
    pub(crate) fn deferral(&self) -> Option<Duration> {
        deferral(find_status(&*self.cause)?)
    }
}

impl<E: StdError + Send + Sync + 'static> From<E> for Error {
    fn from(error: E) -> Self {
        Self::new(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&chain(&*self.cause))
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.cause, f)
    }
}

/// Terminal cause for custom error types: an error with this as a `source()` is not retried.
#[derive(Debug)]
pub struct TerminalError(Boxed);

impl TerminalError {
    /// Creates a terminal error with this cause.
    pub fn new(cause: impl Into<Boxed>) -> Self {
        Self(cause.into())
    }
}

impl fmt::Display for TerminalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl StdError for TerminalError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0.source()
    }
}

fn causes<'a>(
    error: &'a (dyn StdError + 'static),
) -> impl Iterator<Item = &'a (dyn StdError + 'static)> {
    std::iter::successors(Some(error), |&error| error.source())
}

/// Finds the API server's response among the causes. A transparent error hides `kube::Error` itself, but not its source.
fn find_status<'a>(error: &'a (dyn StdError + 'static)) -> Option<&'a Status> {
    causes(error).find_map(as_status)
}

fn as_status<'a>(error: &'a (dyn StdError + 'static)) -> Option<&'a Status> {
    match error.downcast_ref() {
        Some(kube::Error::Api(status)) => Some(status),
        _ => error.downcast_ref::<Box<Status>>().map(|status| &**status),
    }
}

/// Formats an error and its causes in one line, without repeating causes that an error already includes. Of an API server response only the
/// message is kept, because kube's Display adds the whole `Status`.
pub(crate) fn chain(error: &(dyn StdError + 'static)) -> String {
    one_line(&display_chain(error))
}

fn display_chain(error: &(dyn StdError + 'static)) -> String {
    let whole = error.to_string();
    if let Some(status) = as_status(error) {
        return match (status.message.as_str(), status.reason.as_str()) {
            ("", "") => format!("API server responded with status {}", status.code),
            ("", reason) => reason.to_owned(),
            (message, _) => message.to_owned(),
        };
    }
    let Some(cause) = error.source() else {
        return whole;
    };
    // A transparent error displays `kube::Error`, but its source is the `Status`.
    let hidden =
        as_status(cause).map(|status| kube::Error::Api(Box::new(status.clone())).to_string());
    let included = [hidden, Some(cause.to_string())].into_iter().flatten();
    let included = included.filter(|text| !text.is_empty() && whole.contains(text));
    let cause = display_chain(cause);
    match included.max_by_key(String::len) {
        Some(included) => whole.replace(&included, &cause),
        None if whole.contains(&cause) => whole,
        None => format!("{whole}: {cause}"),
    }
}

/// Logs are read line by line.
fn one_line(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use kube::runtime::finalizer;
    use thiserror::Error as ThisError;

    use super::*;
    use crate::{objects::ApplyError, retry_after::with_retry_after};

    #[derive(Debug, ThisError)]
    enum TestError {
        #[error("failed to pull the image")]
        Pull(#[source] std::io::Error),
        #[error("invalid port: {0}")]
        Port(#[source] std::num::ParseIntError),
        #[error("invalid spec")]
        Invalid(#[source] TerminalError),
    }

    #[test]
    fn displays_all_causes() {
        let error = Error::from(TestError::Pull(std::io::Error::other("no route to host")));
        assert_eq!(
            error.to_string(),
            "failed to pull the image: no route to host"
        );
    }

    #[test]
    fn does_not_repeat_a_cause_that_the_error_includes() {
        let error = Error::from(TestError::Port("x".parse::<u16>().unwrap_err()));
        assert_eq!(
            error.to_string(),
            "invalid port: invalid digit found in string"
        );
    }

    #[test]
    fn displays_the_api_server_message_once_and_without_the_status() {
        #[derive(Debug, ThisError)]
        enum Wrapped {
            #[error("failed to update lease: {0}")]
            Named(#[source] kube::Error),
            #[error("failed to update lease")]
            Unnamed(#[source] kube::Error),
            #[error(transparent)]
            Transparent(#[from] kube::Error),
        }

        let message = "leases \"a\" is forbidden:\n  no rule\n";
        let forbidden = || {
            let status = Status::failure(message, "Forbidden").with_code(403);
            kube::Error::Api(status.boxed())
        };
        let displayed = "leases \"a\" is forbidden: no rule";
        let wrapped = format!("failed to update lease: {displayed}");
        assert_eq!(Error::from(forbidden()).to_string(), displayed);
        assert_eq!(
            Error::from(Wrapped::Named(forbidden())).to_string(),
            wrapped
        );
        let unnamed = Error::from(Wrapped::Unnamed(forbidden()));
        assert_eq!(unnamed.to_string(), wrapped);
        assert_eq!(
            Error::from(Wrapped::from(forbidden())).to_string(),
            displayed
        );
        let applied = ApplyError::Api {
            object: "Pod a".to_owned(),
            source: forbidden(),
        };
        let error = Error::from(finalizer::Error::ApplyFailed(applied)).to_string();
        assert!(error.ends_with(displayed), "{error}");
        assert_eq!(error.matches("is forbidden").count(), 1, "{error}");
        assert!(!error.contains("Status"), "{error}");

        let empty = Status::failure("", "").with_code(500).boxed();
        let error = Error::from(kube::Error::Api(empty)).to_string();
        assert_eq!(error, "API server responded with status 500");
    }

    #[test]
    fn a_terminal_cause_makes_the_error_terminal_through_other_types() {
        let invalid = TestError::Invalid(TerminalError::new("duplicate volume name"));
        let error = Error::from(finalizer::Error::ApplyFailed(invalid));
        assert!(error.is_terminal());
        let displayed = error.to_string();
        assert!(
            displayed.ends_with("invalid spec: duplicate volume name"),
            "{displayed}"
        );
    }

    #[test]
    fn finds_retry_after_through_other_types() {
        #[derive(Debug, ThisError)]
        #[error(transparent)]
        struct Transparent(#[from] kube::Error);

        let rejected = |code| {
            let status = Status::failure("later", "Busy").with_code(code);
            kube::Error::Api(with_retry_after(status, 7).boxed())
        };
        let seven = Some(Duration::from_secs(7));
        assert_eq!(Error::from(rejected(429)).retry_after(), seven);
        assert_eq!(Error::from(rejected(503)).retry_after(), seven);
        assert_eq!(Error::from(Transparent(rejected(429))).retry_after(), seven);
        let applied = ApplyError::Api {
            object: "Pod a".to_owned(),
            source: rejected(429),
        };
        assert_eq!(Error::from(applied).retry_after(), seven);
        assert_eq!(Error::from(rejected(409)).retry_after(), None);
        assert_eq!(Error::new("later").retry_after(), None);
    }

    #[test]
    fn errors_from_messages_are_retryable() {
        let error = Error::new("not ready");
        assert!(!error.is_terminal());
        assert_eq!(error.to_string(), "not ready");
    }
}
