//! Running a manager in a test.

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

/// Manager that runs in the background of a test; see [`Manager::spawn`]. Dropping it aborts the manager.
#[derive(Debug)]
#[must_use = "dropping it aborts the manager"]
pub struct RunningManager {
    shutdown: Shutdown,
    manager: JoinHandle<Result<(), Error>>,
}

impl Manager {
    /// Creates a manager for tests: logs to the output of the test, without servers or leader election.
    ///
    /// It watches only `namespaces`, so that concurrent tests in different namespaces do not interfere.
    ///
    /// ```no_run
    /// # async fn test(client: kube::Client, register: fn(&kb::Manager)) -> Result<(), kb::manager::Error> {
    /// use kb::{Manager, namespaces::Namespaces};
    ///
    /// let manager = Manager::for_tests("shop-operator", client, Namespaces::single("default"))?;
    /// register(&manager);
    /// let running = manager.spawn();
    /// // Create objects and wait until they are reconciled.
    /// running.stop().await
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Currently none; see [`Manager::with_client`].
    pub fn for_tests(name: &str, client: Client, namespaces: Namespaces) -> Result<Self, Error> {
        log::init_for_tests();
        let flags = Flags {
            health_probe_bind_address: BindAddress::Off,
            watch_namespace: namespaces,
            ..Flags::default()
        };
        Self::with_client(name, flags, client, Metrics::new(), Shutdown::default())
    }

    /// Runs the manager in a background task until [`RunningManager::stop`].
    pub fn spawn(self) -> RunningManager {
        RunningManager {
            shutdown: self.shutdown.clone(),
            manager: tokio::spawn(self.run()),
        }
    }
}

impl RunningManager {
    /// Shuts down gracefully, like a signal, and waits for running reconciles.
    ///
    /// # Errors
    ///
    /// Returns the error of [`Manager::run`], if it failed.
    ///
    /// # Panics
    ///
    /// Propagates a panic of the manager.
    pub async fn stop(mut self) -> Result<(), Error> {
        self.shutdown.drain.cancel();
        match (&mut self.manager).await {
            Ok(result) => result,
            Err(error) => match error.try_into_panic() {
                Ok(panic) => resume_unwind(panic),
                Err(_) => Err(Error::Stopped),
            },
        }
    }
}

impl Drop for RunningManager {
    fn drop(&mut self) {
        self.manager.abort();
    }
}
