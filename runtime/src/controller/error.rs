//! What a reconcile fails with.

use std::{error::Error as StdError, fmt, time::Duration};

use kube::core::Status;

use crate::retry_after::{deferral, retry_after};

type Boxed = Box<dyn StdError + Send + Sync>;

/// Why a reconcile failed. Every error becomes one by `?`, and is tried again later, unless a [`Terminal`] is among its causes.
///
/// It shows all causes in one line. Like anyhow's, it is no [`std::error::Error`] itself.
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
pub struct Error(Boxed);

impl Error {
    /// An error of what is no [`std::error::Error`]: a text, or one of anyhow. It is tried again.
    pub fn new(cause: impl Into<Boxed>) -> Self {
        Self(cause.into())
    }

    /// An error that trying again does not mend. The object is left alone until it changes.
    pub fn terminal(cause: impl Into<Boxed>) -> Self {
        Self(Box::new(Terminal::new(cause)))
    }

    /// Whether trying again does not mend it.
    pub fn is_terminal(&self) -> bool {
        causes(&*self.0).any(<dyn StdError>::is::<Terminal>)
    }

    /// How long the API server asks to wait before the next attempt, if it is among the causes that it refused a request with 429 or 503.
    pub(super) fn retry_after(&self) -> Option<Duration> {
        retry_after(status(&*self.0)?)
    }

    /// When to reconcile again, if nothing failed: a write was put off.
    pub(crate) fn deferral(&self) -> Option<Duration> {
        deferral(status(&*self.0)?)
    }
}

impl<E: StdError + Send + Sync + 'static> From<E> for Error {
    fn from(error: E) -> Self {
        Self(Box::new(error))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&chain(&*self.0))
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

/// A cause that trying again does not mend, for error types of your own: an error that has it as a `source()` is not retried.
///
/// It also passes through kube's `finalizer`, which wants a [`std::error::Error`].
#[derive(Debug)]
pub struct Terminal(Boxed);

impl Terminal {
    /// This cause, not to be retried.
    pub fn new(cause: impl Into<Boxed>) -> Self {
        Self(cause.into())
    }
}

impl fmt::Display for Terminal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl StdError for Terminal {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0.source()
    }
}

fn causes<'a>(
    error: &'a (dyn StdError + 'static),
) -> impl Iterator<Item = &'a (dyn StdError + 'static)> {
    std::iter::successors(Some(error), |&error| error.source())
}

/// What the API server answered, if that is among the causes. An error that is transparent hides kube's error, but not what is in it.
fn status<'a>(error: &'a (dyn StdError + 'static)) -> Option<&'a Status> {
    causes(error).find_map(answer)
}

/// What the API server answered, if this error is that.
fn answer<'a>(error: &'a (dyn StdError + 'static)) -> Option<&'a Status> {
    match error.downcast_ref() {
        Some(kube::Error::Api(status)) => Some(status),
        _ => error.downcast_ref::<Box<Status>>().map(|status| &**status),
    }
}

/// An error and its causes in one line, each of them once: many errors name their cause themselves. Of what the API server answered it has
/// the message alone: kube adds the whole `Status`.
pub(crate) fn chain(error: &(dyn StdError + 'static)) -> String {
    one_line(&told(error))
}

fn told(error: &(dyn StdError + 'static)) -> String {
    let whole = error.to_string();
    if let Some(status) = answer(error) {
        return match (status.message.as_str(), status.reason.as_str()) {
            ("", "") => format!("the API server answered {}", status.code),
            ("", reason) => reason.to_owned(),
            (message, _) => message.to_owned(),
        };
    }
    let Some(cause) = error.source() else {
        return whole;
    };
    // An error that is transparent tells what kube's tells, whose source is a `Status`.
    let hidden = answer(cause).map(|status| kube::Error::Api(Box::new(status.clone())).to_string());
    let named = [hidden, Some(cause.to_string())].into_iter().flatten();
    let named = named.filter(|named| !named.is_empty() && whole.contains(named));
    let cause = told(cause);
    match named.max_by_key(String::len) {
        Some(named) => whole.replace(&named, &cause),
        None if whole.contains(&cause) => whole,
        None => format!("{whole}: {cause}"),
    }
}

/// Lines of a log are read one by one, by people and by programs.
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
    enum Mistake {
        #[error("the image cannot be pulled")]
        Pull(#[source] std::io::Error),
        #[error("the port is wrong: {0}")]
        Port(#[source] std::num::ParseIntError),
        #[error("the spec is refused")]
        Refused(#[source] Terminal),
    }

    #[test]
    fn all_causes_are_shown() {
        let error = Error::from(Mistake::Pull(std::io::Error::other("no route to host")));
        assert_eq!(
            error.to_string(),
            "the image cannot be pulled: no route to host"
        );
    }

    #[test]
    fn a_cause_that_the_error_names_itself_is_not_repeated() {
        let error = Error::from(Mistake::Port("x".parse::<u16>().unwrap_err()));
        assert_eq!(
            error.to_string(),
            "the port is wrong: invalid digit found in string"
        );
    }

    #[test]
    fn the_message_of_the_api_server_is_said_once_and_without_the_rest_of_its_answer() {
        #[derive(Debug, ThisError)]
        enum Wrapped {
            #[error("the lease cannot be written: {0}")]
            Named(#[source] kube::Error),
            #[error("the lease cannot be written")]
            Unnamed(#[source] kube::Error),
            #[error(transparent)]
            Transparent(#[from] kube::Error),
        }

        let message = "leases \"a\" is forbidden:\n  no rule\n";
        let refused = || {
            let status = Status::failure(message, "Forbidden").with_code(403);
            kube::Error::Api(status.boxed())
        };
        let said = "leases \"a\" is forbidden: no rule";
        let wrapped = format!("the lease cannot be written: {said}");
        assert_eq!(Error::from(refused()).to_string(), said);
        assert_eq!(Error::from(Wrapped::Named(refused())).to_string(), wrapped);
        assert_eq!(
            Error::from(Wrapped::Unnamed(refused())).to_string(),
            wrapped
        );
        assert_eq!(Error::from(Wrapped::from(refused())).to_string(), said);
        let applied = ApplyError::Api {
            object: "Pod a".to_owned(),
            source: refused(),
        };
        let error = Error::from(finalizer::Error::ApplyFailed(applied)).to_string();
        assert!(
            error.ends_with(&format!("Pod a cannot be applied: {said}")),
            "{error}"
        );
        assert_eq!(error.matches("is forbidden").count(), 1, "{error}");
        assert!(!error.contains("Status"), "{error}");

        let empty = Status::failure("", "").with_code(500).boxed();
        let error = Error::from(kube::Error::Api(empty)).to_string();
        assert_eq!(error, "the API server answered 500");
    }

    #[test]
    fn a_terminal_cause_makes_the_error_terminal_through_other_types() {
        let refused = Mistake::Refused(Terminal::new("two volumes of one name"));
        let error = Error::from(finalizer::Error::ApplyFailed(refused));
        assert!(error.is_terminal());
        assert!(
            error
                .to_string()
                .ends_with("the spec is refused: two volumes of one name")
        );
    }

    #[test]
    fn the_delay_that_the_api_server_asks_for_is_found_through_other_types() {
        #[derive(Debug, ThisError)]
        #[error(transparent)]
        struct Transparent(#[from] kube::Error);

        let refused = |code| {
            let status = Status::failure("later", "Busy").with_code(code);
            kube::Error::Api(with_retry_after(status, 7).boxed())
        };
        let seven = Some(Duration::from_secs(7));
        assert_eq!(Error::from(refused(429)).retry_after(), seven);
        assert_eq!(Error::from(refused(503)).retry_after(), seven);
        assert_eq!(Error::from(Transparent(refused(429))).retry_after(), seven);
        let applied = ApplyError::Api {
            object: "Pod a".to_owned(),
            source: refused(429),
        };
        assert_eq!(Error::from(applied).retry_after(), seven);
        assert_eq!(Error::from(refused(409)).retry_after(), None);
        assert_eq!(Error::new("later").retry_after(), None);
    }

    #[test]
    fn a_text_is_retried() {
        let error = Error::new("not ready");
        assert!(!error.is_terminal());
        assert_eq!(error.to_string(), "not ready");
    }
}
