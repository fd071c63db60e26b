//! Startup and graceful shutdown of the manager.
//!
//! Shutdown happens in this order: stop starting reconciles and wait for running ones within the grace period; stop the watches; release the
//! lease, so that nobody else starts before; stop the servers last, so that probes respond meanwhile. If reconciles were aborted, the lease is
//! not released, because work that cannot be aborted may still be running. If leadership is lost there is no grace period: another replica
//! may already be active, so everything is dropped immediately, and the watchdog exits the process if nothing else does.

use std::{panic::AssertUnwindSafe, time::Duration};

use futures::{
    FutureExt,
    future::{self, BoxFuture},
};
use tokio::{
    net::TcpListener,
    task::{JoinError, JoinSet},
    time::timeout,
};
use tokio_util::{sync::CancellationToken, task::AbortOnDropHandle};

use super::{Error, Manager, runnables::Runnable};
use crate::{
    blocking,
    controller::chain,
    flags::{BindAddress, Flags},
    leader::{Elector, LeadershipLost},
    panics,
    server::{Certificates, MetricsServing, serve_metrics, serve_probes},
};

impl Manager {
    /// Runs until a signal requests shutdown, then shuts down gracefully.
    ///
    /// # Errors
    ///
    /// Returns an error if startup fails, leadership is lost, a task exits unexpectedly, or a second signal arrives. Exit the process then;
    /// Kubernetes restarts it. If leadership was lost or work was aborted, the process exits by itself with code 75 shortly before the
    /// lease expires.
    pub async fn run(self) -> Result<(), Error> {
        let result = self.run_until_shutdown().await;
        if let Err(error) = &result {
            tracing::error!(error = chain(error), "manager failed");
        }
        result
    }

    async fn run_until_shutdown(mut self) -> Result<(), Error> {
        let stop_servers = CancellationToken::new();
        let mut servers = self.start_servers(&stop_servers).await?;
        let (mut watches, mut controllers) = self.spawn_runnables();
        let stop_election = CancellationToken::new();
        let mut election = self.elector.take().map(|elector| {
            let run = elector.run(stop_election.clone());
            AbortOnDropHandle::new(tokio::spawn(run))
        });
        if election.is_some() {
            let task = "leader election metric".to_owned();
            watches.spawn(run_task((task, self.report_leadership())));
        }
        tracing::info!(operator = self.name, "starting manager");

        let result = tokio::select! {
            biased;
            () = self.shutdown.drain.cancelled() => Ok(()),
            // No grace period: the new leader may already be active.
            lost = election_end(&mut election) => return Err(lost),
            error = first_exit(&mut servers) => Err(error),
            error = first_exit(&mut controllers) => Err(error),
            error = first_exit(&mut watches) => Err(error),
        };
        self.stop_controllers.cancel();
        let shutdown = async {
            let drained = drain(&mut controllers, self.flags.grace_period).await;
            watches.shutdown().await;
            if let Some(election) = election.filter(|_| drained) {
                stop_election.cancel();
                // Released, or lost at the last moment: nothing runs anymore either way.
                let _ = election.await;
            }
            stop_servers.cancel();
            while servers.join_next().await.is_some() {}
        };
        tokio::select! {
            () = shutdown => {}
            () = self.shutdown.abort.cancelled() => return Err(Error::Interrupted),
        }
        tracing::info!(operator = self.name, "manager stopped");
        result
    }

    /// Binds all addresses before serving, so that an address in use fails the start.
    async fn start_servers(&self, stop: &CancellationToken) -> Result<Tasks, Error> {
        let Flags {
            health_probe_bind_address: probes,
            metrics_bind_address: metrics,
            ..
        } = &self.flags;
        let probes = bind(probes, "--health-probe-bind-address").await?;
        let metrics = bind(metrics, "--metrics-bind-address").await?;
        let mut servers = Tasks::new();
        if let Some(listener) = probes {
            let server = serve_probes(listener, self.probes.clone(), stop.clone());
            servers.spawn(async { ("health probe server".to_owned(), server.await.err()) });
        }
        if let Some(listener) = metrics {
            let serving = self.metrics_serving()?;
            let server = serve_metrics(listener, self.metrics.clone(), serving, stop.clone());
            servers.spawn(async { ("metrics server".to_owned(), server.await.err()) });
        }
        Ok(servers)
    }

    fn metrics_serving(&self) -> Result<MetricsServing, Error> {
        let flags = &self.flags;
        if !flags.metrics_secure {
            return Ok(MetricsServing::Http);
        }
        let certificates = match &flags.metrics_cert_path {
            Some(dir) => {
                Certificates::from_files(dir, &flags.metrics_cert_name, &flags.metrics_cert_key)?
            }
            None => Certificates::self_signed()?,
        };
        Ok(MetricsServing::Https {
            certificates,
            client: self.client(),
        })
    }

    fn spawn_runnables(&self) -> (Tasks, Tasks) {
        let mut runnables = self.runnables();
        let mut watches: Tasks = runnables.watches.drain(..).map(run_task).collect();
        let (synced, reconnected) = (runnables.synced(), runnables.reconnected());
        let (caches_synced, elected) = (self.caches_synced.clone(), self.elected.clone());
        let leadership = self.elector.as_ref().map(Elector::leadership);
        let task = "cache sync".to_owned();
        watches.spawn(run_task((
            task,
            Box::pin(async move {
                if let Some(mut leadership) = leadership {
                    leadership.acquired().await;
                    // Connections of a standby may be dead without being noticed.
                    elected.cancel();
                    synced.await;
                    reconnected.await;
                } else {
                    synced.await;
                }
                caches_synced.send_replace(true);
                future::pending::<()>().await;
            }),
        )));
        let controllers = runnables.controllers.drain(..).map(run_task).collect();
        (watches, controllers)
    }

    /// Reports in the metrics whether this process is the leader.
    fn report_leadership(&self) -> BoxFuture<'static, ()> {
        let lease = self.flags.leader_election_id.as_ref();
        let metric = self.metrics.leader(lease.unwrap_or(&self.name));
        let mut leadership = self.leadership.clone();
        Box::pin(async move {
            metric.set(false);
            loop {
                leadership.acquired().await;
                metric.set(true);
                leadership.lost().await;
                metric.set(false);
            }
        })
    }
}

/// Tasks that run until shutdown. Each returns its name and why it exited.
type Tasks = JoinSet<(String, Option<std::io::Error>)>;

/// Runs a task. A panic ends it and is reported with its name.
pub(super) async fn run_task((task, run): Runnable) -> (String, Option<std::io::Error>) {
    let panic = AssertUnwindSafe(run).catch_unwind().await.err();
    let panic = panic.map(|panic| format!("panicked: {}", panics::message(&*panic)));
    (task, panic.map(std::io::Error::other))
}

async fn bind(address: &BindAddress, flag: &'static str) -> Result<Option<TcpListener>, Error> {
    let addresses = address.addresses();
    if addresses.is_empty() {
        return Ok(None);
    }
    match TcpListener::bind(addresses.as_slice()).await {
        Ok(listener) => Ok(Some(listener)),
        Err(source) => Err(Error::Listen {
            flag,
            address: address.to_string(),
            source,
        }),
    }
}

/// Waits for the first task that exits; forever if there is none.
async fn first_exit(tasks: &mut Tasks) -> Error {
    match tasks.join_next().await {
        None => future::pending().await,
        Some(Ok((task, source))) => Error::TaskExited {
            task,
            source: source.map(Into::into),
        },
        Some(Err(panic)) => panicked(panic),
    }
}

/// Waits for the loss of leadership; forever without leader election.
async fn election_end(
    election: &mut Option<AbortOnDropHandle<Result<(), LeadershipLost>>>,
) -> Error {
    let Some(running) = election else {
        return future::pending().await;
    };
    let result = running.await;
    *election = None;
    match result {
        Ok(Err(lost)) => lost.into(),
        Ok(Ok(())) => Error::TaskExited {
            task: "leader election".to_owned(),
            source: None,
        },
        Err(panic) => panicked(panic),
    }
}

fn panicked(panic: JoinError) -> Error {
    Error::TaskExited {
        task: "task".to_owned(),
        source: Some(panic.into()),
    }
}

/// Waits for controllers and blocking work. Returns false if they exceed the grace period; the controllers are then aborted.
async fn drain(controllers: &mut Tasks, grace_period: Duration) -> bool {
    let finished = async {
        while controllers.join_next().await.is_some() {}
        blocking::finished().await;
    };
    let drained = timeout(grace_period, finished).await.is_ok();
    if !drained {
        tracing::warn!(
            grace_period = ?grace_period,
            "grace period exceeded, aborting running reconciles without releasing the lease"
        );
        controllers.shutdown().await;
    }
    drained
}
