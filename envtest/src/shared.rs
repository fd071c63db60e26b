//! One control plane for all tests of a program.

use tokio::sync::OnceCell;

use crate::{Builder, Environment, Error, skip};

/// An environment in a `static`, which the first test that asks for it starts. It ends with the process.
///
/// ```no_run
/// use kb_envtest::{Environment, Error, Shared};
///
/// async fn control_plane() -> Result<Option<&'static Environment>, Error> {
///     static SHARED: Shared = Shared::new();
///     SHARED.start(Environment::builder()).await
/// }
/// ```
#[derive(Debug, Default)]
pub struct Shared(OnceCell<Result<Environment, String>>);

impl Shared {
    /// Nothing is started yet.
    pub const fn new() -> Self {
        Self(OnceCell::const_new())
    }

    /// Starts it, or returns the one that was started before.
    ///
    /// Returns `None` where there are no binaries to start, after [reporting](crate::report_skipped) that the test is skipped. With `CI=true`
    /// that is an error.
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
