//! A control plane shared by all tests of a program.

use tokio::sync::OnceCell;

use crate::{Builder, Environment, Error, skip};

/// An environment in a `static`, started by the first test that uses it. Stops when the process exits.
///
/// ```no_run
/// use kb_envtest::{Environment, Error, SharedEnvironment};
///
/// async fn control_plane() -> Result<Option<&'static Environment>, Error> {
///     static SHARED: SharedEnvironment = SharedEnvironment::new();
///     SHARED.start(Environment::builder()).await
/// }
/// ```
#[derive(Debug, Default)]
pub struct SharedEnvironment(OnceCell<Result<Environment, String>>);

impl SharedEnvironment {
    /// Creates it without starting anything.
    pub const fn new() -> Self {
        Self(OnceCell::const_new())
    }

    /// Starts the environment, or returns the running one.
    ///
    /// If the binaries are missing, [reports](crate::report_skipped) that the test is skipped and returns `None`. With `CI=true`, fails instead.
    pub async fn start(&self, builder: Builder) -> Result<Option<&Environment>, Error> {
        let start = || async {
            match builder.start().await {
                Err(error @ Error::NotFound { .. }) if !skip::in_ci() => Ok(Err(error.to_string())),
                started => started.map(Ok),
            }
        };
        match self.0.get_or_try_init(start).await? {
            Ok(environment) => Ok(Some(environment)),
            Err(reason) => {
                skip::report_skipped(reason);
                Ok(None)
            }
        }
    }
}
