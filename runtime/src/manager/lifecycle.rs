//! From the start of an operator to its end.
//!
//! The order of the end is what matters. No reconcile begins; those that run are finished, within the grace period; then the watches
//! end, then the lease is given back, so that nobody else works before; the servers go last, so that probes answer meanwhile. The lease is not
//! given back after work was cut off: what cannot be aborted may still be running. If leadership is lost there is no such time: another may work
//! already, and everything is dropped at once. The watchdog then ends the process, if nothing else does.

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

use super::{Error, Manager, registered::Named};
use crate::{
    blocking,
    controller::chain,
    flags::{BindAddress, Flags},
    leader::{Elector, Lost},
    panics,
    server::{Certificates, Exposure, serve_metrics, serve_probes},
};

impl Manager {
    /// Runs until a signal asks to stop, and then until everything is finished.
    ///
    /// # Errors
    ///
    /// If it cannot start, if leadership is lost, if a part ends by itself, or at a second signal. End the process then: Kubernetes
    /// starts it again. If leadership was lost or work was cut off, the process exits by itself, with code 75, shortly before the lease expires.
    pub async fn run(self) -> Result<(), Error> {
        let outcome = self.live().await;
        if let Err(error) = &outcome {
            tracing::error!(error = chain(error), "ended");
        }
        outcome
    }

    async fn live(mut self) -> Result<(), Error> {
        let servers = CancellationToken::new();
        let mut served = self.serve(&servers).await?;
        let (mut watches, mut controllers) = self.spawn_registered();
        let stop_election = CancellationToken::new();
        let mut election = self.elector.take().map(|elector| {
            let run = elector.run(stop_election.clone());
            AbortOnDropHandle::new(tokio::spawn(run))
        });
        if election.is_some() {
            let part = "the metric of the leader".to_owned();
            watches.spawn(running((part, self.shown_leadership())));
        }
        tracing::info!(operator = self.name, "started");

        let outcome = tokio::select! {
            biased;
            () = self.shutdown.drain.cancelled() => Ok(()),
            // No time to finish: whoever leads now may be at it already.
            lost = ended(&mut election) => return Err(lost),
            error = first(&mut served) => Err(error),
            error = first(&mut controllers) => Err(error),
            error = first(&mut watches) => Err(error),
        };
        self.work.cancel();
        let end = async {
            let drained = drain(&mut controllers, self.flags.grace_period).await;
            watches.shutdown().await;
            if let Some(election) = election.filter(|_| drained) {
                stop_election.cancel();
                // Released, or lost at the last moment: nothing runs any more either way.
                let _ = election.await;
            }
            servers.cancel();
            while served.join_next().await.is_some() {}
        };
        tokio::select! {
            () = end => {}
            () = self.shutdown.now.cancelled() => return Err(Error::Interrupted),
        }
        tracing::info!(operator = self.name, "stopped");
        outcome
    }

    /// Binds first, and serves then: an address that is taken is an error at the start.
    async fn serve(&self, stop: &CancellationToken) -> Result<Parts, Error> {
        let Flags {
            health_probe_bind_address: probes,
            metrics_bind_address: metrics,
            ..
        } = &self.flags;
        let probes = bind(probes, "--health-probe-bind-address").await?;
        let metrics = bind(metrics, "--metrics-bind-address").await?;
        let mut served = Parts::new();
        if let Some(listener) = probes {
            let serving = serve_probes(listener, self.probes.clone(), stop.clone());
            served.spawn(async { ("the server of the probes".to_owned(), serving.await.err()) });
        }
        if let Some(listener) = metrics {
            let exposure = self.exposure()?;
            let serving = serve_metrics(listener, self.metrics.clone(), exposure, stop.clone());
            served.spawn(async { ("the server of the metrics".to_owned(), serving.await.err()) });
        }
        Ok(served)
    }

    fn exposure(&self) -> Result<Exposure, Error> {
        let flags = &self.flags;
        if !flags.metrics_secure {
            return Ok(Exposure::Clear);
        }
        let certificates = match &flags.metrics_cert_path {
            Some(folder) => {
                Certificates::from_files(folder, &flags.metrics_cert_name, &flags.metrics_cert_key)?
            }
            None => Certificates::self_signed()?,
        };
        Ok(Exposure::Secure {
            certificates,
            client: self.client(),
        })
    }

    fn spawn_registered(&self) -> (Parts, Parts) {
        let mut registered = self.registered();
        let mut watches: Parts = registered.watches.drain(..).map(running).collect();
        let (synced, reconnected) = (registered.awaited(), registered.reconnected());
        let (filled, leads) = (self.filled.clone(), self.leads.clone());
        let elected = self.elector.as_ref().map(Elector::leadership);
        let part = "the wait for the caches".to_owned();
        watches.spawn(running((
            part,
            Box::pin(async move {
                if let Some(mut leadership) = elected {
                    leadership.gained().await;
                    // Connections of a standby may be dead without its knowing it.
                    leads.cancel();
                    synced.await;
                    reconnected.await;
                } else {
                    synced.await;
                }
                filled.send_replace(true);
                future::pending::<()>().await;
            }),
        )));
        let controllers = registered.controllers.drain(..).map(running).collect();
        (watches, controllers)
    }

    /// Shows who leads in the metrics.
    fn shown_leadership(&self) -> BoxFuture<'static, ()> {
        let lease = self.flags.leader_election_id.as_ref();
        let metric = self.metrics.leader(lease.unwrap_or(&self.name));
        let mut leadership = self.leadership.clone();
        Box::pin(async move {
            metric.set(false);
            loop {
                leadership.gained().await;
                metric.set(true);
                leadership.lost().await;
                metric.set(false);
            }
        })
    }
}

/// Parts that run until they are told to stop: each gives its name, and why it ended.
type Parts = JoinSet<(String, Option<std::io::Error>)>;

/// Runs a part. A panic ends it, too, and is told with its name.
pub(super) async fn running((part, run): Named) -> (String, Option<std::io::Error>) {
    let panic = AssertUnwindSafe(run).catch_unwind().await.err();
    let panic = panic.map(|panic| format!("it panicked: {}", panics::message(&*panic)));
    (part, panic.map(std::io::Error::other))
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

/// The first part that ends; never, if there is none.
async fn first(parts: &mut Parts) -> Error {
    match parts.join_next().await {
        None => future::pending().await,
        Some(Ok((part, source))) => Error::Ended {
            part,
            source: source.map(Into::into),
        },
        Some(Err(panic)) => panicked(panic),
    }
}

/// The end of leader election, which is the loss of leadership; never, if there is no election.
async fn ended(election: &mut Option<AbortOnDropHandle<Result<(), Lost>>>) -> Error {
    let Some(running) = election else {
        return future::pending().await;
    };
    let outcome = running.await;
    *election = None;
    match outcome {
        Ok(Err(lost)) => lost.into(),
        Ok(Ok(())) => Error::Ended {
            part: "leader election".to_owned(),
            source: None,
        },
        Err(panic) => panicked(panic),
    }
}

fn panicked(panic: JoinError) -> Error {
    Error::Ended {
        part: "a task".to_owned(),
        source: Some(panic.into()),
    }
}

/// Lets controllers and blocking work finish. Returns false if that took longer than the grace period: what could be aborted is then aborted.
async fn drain(controllers: &mut Parts, grace: Duration) -> bool {
    let finished = async {
        while controllers.join_next().await.is_some() {}
        blocking::finished().await;
    };
    let drained = timeout(grace, finished).await.is_ok();
    if !drained {
        tracing::warn!(
            seconds = grace.as_secs(),
            "work is cut off: it took longer than --grace-period; a lease is not released, it expires"
        );
        controllers.shutdown().await;
    }
    drained
}
