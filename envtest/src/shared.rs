//! One control plane for all tests of a program.

use std::{
    env,
    io::{self, Write},
};

use tokio::sync::OnceCell;

use crate::{Builder, Environment, Error};

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
pub struct Shared(OnceCell<Option<Environment>>);

impl Shared {
    /// Nothing is started yet.
    pub const fn new() -> Self {
        Self(OnceCell::const_new())
    }

    /// Starts it, or gives the one that was started before.
    ///
    /// Where there are no binaries to start, it says so on standard error and gives none, so that the test can be skipped. With `CI=true` that
    /// is an error: what is skipped there is never noticed.
    pub async fn start(&self, builder: Builder) -> Result<Option<&Environment>, Error> {
        let start = || async {
            match builder.start().await {
                Err(error @ Error::NotFound { .. }) if !in_ci() => {
                    skipped(&error);
                    Ok(None)
                }
                started => started.map(Some),
            }
        };
        self.0.get_or_try_init(start).await.map(Option::as_ref)
    }
}

fn in_ci() -> bool {
    env::var_os("CI").is_some_and(|value| value == "true")
}

/// Not by a macro: the test harness would hide it.
fn skipped(error: &Error) {
    let text = format!("SKIPPED, NOTHING WAS TESTED: {error}\n");
    // Where standard error is closed there is nobody to tell.
    let _ = io::stderr().write_all(text.as_bytes());
}
