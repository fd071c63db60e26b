//! The loops of an election: until the lease is ours, while it is, and the end.
//!
//! What to do about the lease is decided in `decision`; what work a leader does is not known here.

use std::{io, time::Duration};

use tokio::time::{Instant, sleep, sleep_until, timeout, timeout_at};
use tokio_util::sync::CancellationToken;
use tracing::{debug, info, warn};

use super::claim::{Claim, Standing};
use super::jitter::Jitter;
use super::moment::Moment;
use super::watchdog::{Watchdog, exit_process};
use super::{Config, ConfigError, Grant, Leadership, RequestError};
use crate::controller::chain;

/// Leadership is lost: the work must stop at once, and the process should end. A new one may try again.
#[derive(Debug, thiserror::Error)]
pub enum Lost {
    /// Nobody could be told that this process is still there; a candidate may take over soon.
    #[error(
        "the lease {lease} could not be renewed within {deadline:?}, so this process leads no longer"
    )]
    NotRenewed {
        /// Namespace and name of the Lease.
        lease: String,
        /// The renew deadline.
        deadline: Duration,
        /// The last failure, if any was met.
        #[source]
        cause: Option<RequestError>,
    },
    /// Another process holds the lease.
    #[error("the lease {lease} was taken by {holder}, so this process leads no longer")]
    Taken {
        /// Namespace and name of the Lease.
        lease: String,
        /// Who leads now.
        holder: String,
    },
}

/// A candidate of an election.
///
/// ```no_run
/// # async fn example(client: kube::Client) -> Result<(), Box<dyn std::error::Error>> {
/// use kb::leader::{Config, Elector};
/// use tokio_util::sync::CancellationToken;
///
/// let elector = Elector::new(client, Config::new("shop-operator", None)?)?;
/// let mut leadership = elector.leadership();
/// let stop = CancellationToken::new();
/// let election = tokio::spawn(elector.run(stop.clone()));
///
/// leadership.gained().await;
/// // Work, until `election` ends with an error.
///
/// // The work has ended: the next candidate may begin.
/// stop.cancel();
/// election.await??;
/// # Ok(())
/// # }
/// ```
pub struct Elector {
    config: Config,
    claim: Claim,
    jitter: Jitter,
    /// It does not outlive this, however the election ends.
    grant: Grant,
    watchdog: Option<Watchdog>,
    /// Who was last said to lead.
    announced: String,
}

impl Elector {
    /// A candidate that does not ask yet.
    pub fn new(client: kube::Client, config: Config) -> Result<Self, ConfigError> {
        config.check()?;
        Ok(Self {
            claim: Claim::new(client, &config),
            jitter: Jitter::seeded(&config.identity),
            grant: Grant::default(),
            watchdog: None,
            announced: String::new(),
            config,
        })
    }

    /// Whether this process leads.
    pub fn leadership(&self) -> Leadership {
        self.grant.leadership()
    }

    /// Exits the process with code 75 if work may still be running shortly before the lease expires.
    ///
    /// A thread of its own watches the deadline, so this also holds for work that blocks the runtime or runs in `spawn_blocking`. Work counts as running
    /// from when this process leads until `stop` of [`run`](Self::run) is cancelled. When leadership is lost, or [`run`](Self::run) is dropped, end the
    /// process before that deadline.
    ///
    /// A [`Manager`](crate::Manager) does this by itself. Without it, work that does not yield may run beside the next leader.
    pub fn exit_on_expiry(self) -> io::Result<Self> {
        let watchdog = Watchdog::start(exit_process)?;
        Ok(self.watched(watchdog))
    }

    pub(crate) fn watched(self, watchdog: Watchdog) -> Self {
        let watchdog = Some(watchdog);
        Self { watchdog, ..self }
    }

    /// Waits for the lease, and keeps it until `stop`; then gives it back.
    ///
    /// Cancel `stop` after the work that needs leadership has ended: the next leader may begin at once. If the work was cut off and may still be
    /// running, drop the future instead: the lease is not released, and the next leader waits until it has expired.
    pub async fn run(mut self, stop: CancellationToken) -> Result<(), Lost> {
        let (lease, identity) = (self.claim.lease(), &self.config.identity);
        info!(lease, identity, "Waiting for the lease");
        if stop.run_until_cancelled(self.acquire()).await.is_none() {
            if self.claim.is_unsure() {
                self.release().await;
            }
            return Ok(());
        }
        let lost = stop.run_until_cancelled(self.keep()).await;
        self.grant.withdraw();
        if let Some(lost) = lost {
            // What is lost is not given back: the work may still be running.
            return Err(lost);
        }
        if let Some(watchdog) = &self.watchdog {
            watchdog.stand_down();
        }
        self.release().await;
        Ok(())
    }

    /// Tries until the lease is ours.
    async fn acquire(&mut self) {
        loop {
            let attempt = self.claim.attempt().await;
            self.announce();
            match attempt {
                Ok(Standing::Leader) => return,
                Ok(Standing::Candidate { .. }) => {}
                Err(error @ RequestError::Conflict { .. }) => {
                    debug!(%error, "The lease is not ours yet");
                }
                Err(error) => {
                    let error = chain(&error);
                    warn!(error, "The lease could not be asked for. It is tried again");
                }
            }
            self.pause().await;
        }
    }

    /// Waits between two tries; no longer than until the lease runs out, because nobody works then.
    async fn pause(&mut self) {
        let now = Instant::now();
        let again = now + self.jitter.stretch(self.config.retry_period);
        let free = self.claim.runs_out().filter(|free| *free > now);
        sleep_until(free.map_or(again, |free| free.min(again))).await;
    }

    /// Renews until it cannot.
    async fn keep(&mut self) -> Lost {
        loop {
            let deadline = self.claim.renewed() + self.config.renew_deadline;
            self.watch_until(deadline + self.config.exit_margin());
            self.grant.until(deadline);
            let attempt = timeout_at(deadline.instant(), async {
                sleep(self.config.retry_period).await;
                self.claim.attempt().await
            });
            match attempt.await {
                Ok(Ok(Standing::Leader)) => {}
                Ok(Ok(Standing::Candidate { holder })) => {
                    // client-go would go on until the deadline, beside the other.
                    self.watch_until(Moment::now() + self.config.exit_margin());
                    let lease = self.claim.lease();
                    return Lost::Taken { lease, holder };
                }
                Ok(Err(error)) => {
                    let told = chain(&error);
                    warn!(
                        error = told,
                        "The lease could not be renewed. It is tried again"
                    );
                    self.claim.failed(error);
                }
                Err(_) => {
                    return Lost::NotRenewed {
                        lease: self.claim.lease(),
                        deadline: self.config.renew_deadline,
                        cause: self.claim.take_failure(),
                    };
                }
            }
        }
    }

    /// Sets when the process must be gone, if there is a watchdog.
    fn watch_until(&self, deadline: Moment) {
        if let Some(watchdog) = &self.watchdog {
            watchdog.arm(deadline);
        }
    }

    /// Gives the lease back, if it is ours.
    async fn release(&self) {
        let lease = self.claim.lease();
        let consequence = "The next leader waits until it has run out";
        match timeout(self.config.request_timeout(), self.claim.give_back()).await {
            Ok(Ok(true)) => info!(lease, "The lease is given back"),
            Ok(Ok(false)) => debug!(lease, "The lease is not ours, and so not given back"),
            Ok(Err(error)) => {
                let error = chain(&error);
                warn!(error, "The lease could not be given back. {consequence}");
            }
            Err(_) => warn!(
                lease,
                "The lease could not be given back in time. {consequence}"
            ),
        }
    }

    /// Says who leads, when that has changed.
    fn announce(&mut self) {
        let holder = self.claim.holder();
        if holder == self.announced {
            return;
        }
        holder.clone_into(&mut self.announced);
        let lease = self.claim.lease();
        if holder == self.config.identity {
            info!(lease, "This process leads");
        } else if !holder.is_empty() {
            info!(lease, leader = holder, "Another process leads");
        }
    }
}
