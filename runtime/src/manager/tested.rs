//! An operator beside a test.
//!
//! ```no_run
//! # async fn test(client: kube::Client, start: fn(&kb::Manager)) -> Result<(), kb::manager::Error> {
//! use kb::{Manager, namespaces::Namespaces};
//!
//! let manager = Manager::in_tests("shop-operator", client, Namespaces::single("default"))?;
//! start(&manager);
//! let running = manager.spawn();
//! // Make objects, and wait for what becomes of them.
//! running.stop().await
//! # }
//! ```

use std::panic::resume_unwind;

use kube::Client;
use tokio::task::JoinHandle;

use super::{Error, Manager};
use crate::{
    flags::{BindAddress, Flags},
    log,
    metrics::Metrics,
    namespaces::Namespaces,
    shutdown::Shutdown,
};

/// A manager that runs beside a test: see [`Manager::spawn`]. Dropped, it ends at once.
#[derive(Debug)]
#[must_use = "the operator ends when this is dropped"]
pub struct Running {
    shutdown: Shutdown,
    manager: JoinHandle<Result<(), Error>>,
}

impl Manager {
    /// A manager for tests: its log is the test's, it listens nowhere, and it works without being elected.
    ///
    /// It looks at these namespaces alone: so tests that run at once, in namespaces of their own, do not meet.
    pub fn in_tests(name: &str, client: Client, namespaces: Namespaces) -> Result<Self, Error> {
        log::in_tests();
        let flags = Flags {
            health_probe_bind_address: BindAddress::Off,
            watch_namespace: namespaces,
            ..Flags::default()
        };
        Self::with_client(name, flags, client, Metrics::new(), Shutdown::default())
    }

    /// Runs it beside what comes next, until [`Running::stop`].
    pub fn spawn(self) -> Running {
        Running {
            shutdown: self.shutdown.clone(),
            manager: tokio::spawn(self.run()),
        }
    }
}

impl Running {
    /// Ends it as a signal does, and waits until all that was under way is done.
    ///
    /// # Errors
    ///
    /// If it has ended by itself.
    ///
    /// # Panics
    ///
    /// If it panicked.
    pub async fn stop(mut self) -> Result<(), Error> {
        self.shutdown.drain.cancel();
        match (&mut self.manager).await {
            Ok(ended) => ended,
            Err(error) => match error.try_into_panic() {
                Ok(panic) => resume_unwind(panic),
                Err(_) => Err(Error::Stopped),
            },
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.manager.abort();
    }
}
