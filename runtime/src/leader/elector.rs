//! The election loop: acquire, renew, release.

use std::{io, time::Duration};

use tokio::time::{Instant, sleep, sleep_until, timeout, timeout_at};
use tokio_util::sync::CancellationToken;
use tracing::{debug, info, warn};

use super::boot_time::BootInstant;
use super::candidate::{Candidate, Role};
use super::jitter::Jitter;
use super::watchdog::{Watchdog, exit_process};
use super::{Config, ConfigError, Leadership, LeadershipSender, LeaseError};
use crate::controller::chain;

/// This process is no longer the leader. Stop the work immediately and exit; a new process can be elected again.
#[derive(Debug, thiserror::Error)]
pub enum LeadershipLost {
    /// The lease could not be renewed in time, so another candidate may acquire it soon.
    #[error("leader election lost: failed to renew lease {lease} within {deadline:?}")]
    NotRenewed {
        /// Namespace and name of the Lease.
        lease: String,
        /// The renew deadline.
        deadline: Duration,
        /// The last error, if any.
        #[source]
        cause: Option<LeaseError>,
    },
    /// Another process acquired the lease.
    #[error("leader election lost: lease {lease} acquired by {holder}")]
    Taken {
        /// Namespace and name of the Lease.
        lease: String,
        /// Identity of the new leader.
        holder: String,
    },
}

/// Takes part in an election.
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
/// leadership.acquired().await;
/// // Work until `election` returns an error.
///
/// // Once the work has ended, release the lease.
/// stop.cancel();
/// election.await??;
/// # Ok(())
/// # }
/// ```
pub struct Elector {
    config: Config,
    candidate: Candidate,
    jitter: Jitter,
    /// Dropped with the elector, so that leadership always ends with it.
    sender: LeadershipSender,
    watchdog: Option<Watchdog>,
    /// Last leader that was logged.
    logged_leader: String,
}

impl Elector {
    /// Creates a candidate. It sends no request before [`run`](Self::run).
    ///
    /// # Errors
    ///
    /// Returns [`ConfigError::Invalid`] if `config` allows two leaders or has an empty name.
    pub fn new(client: kube::Client, config: Config) -> Result<Self, ConfigError> {
        config.check()?;
        Ok(Self {
            candidate: Candidate::new(client, &config),
            jitter: Jitter::seeded(&config.identity),
            sender: LeadershipSender::default(),
            watchdog: None,
            logged_leader: String::new(),
            config,
        })
    }

    /// Returns a handle that observes whether this process is the leader.
    pub fn leadership(&self) -> Leadership {
        self.sender.leadership()
    }

    /// Exits the process with code 75 shortly before the lease expires if work may still be running.
    ///
    /// A dedicated thread watches the deadline, so this also covers work that blocks the runtime or runs in `spawn_blocking`. Work counts as
    /// running from when this process leads until the `stop` of [`run`](Self::run) is canceled. When leadership is lost or
    /// [`run`](Self::run) is dropped, exit the process before that deadline.
    ///
    /// A [`Manager`](crate::Manager) does this itself. Without it, work that does not yield may run concurrently with the next leader.
    ///
    /// # Errors
    ///
    /// Returns an error if the thread cannot be spawned.
    pub fn exit_on_expiry(self) -> io::Result<Self> {
        let watchdog = Watchdog::start(exit_process)?;
        Ok(self.with_watchdog(watchdog))
    }

    pub(crate) fn with_watchdog(self, watchdog: Watchdog) -> Self {
        let watchdog = Some(watchdog);
        Self { watchdog, ..self }
    }

    /// Waits for the lease, renews it until `stop` is canceled, then releases it.
    ///
    /// Cancel `stop` only after the work that needs leadership has ended: the next leader may start immediately. If work may still be running,
    /// drop the future instead: the lease is not released, and the next leader waits until it expires.
    ///
    /// # Errors
    ///
    /// Returns [`LeadershipLost`] if the lease could not be renewed in time or another process acquired it.
    pub async fn run(mut self, stop: CancellationToken) -> Result<(), LeadershipLost> {
        let (lease, identity) = (self.candidate.lease(), &self.config.identity);
        info!(lease, identity, "attempting to acquire leader lease");
        if stop.run_until_cancelled(self.acquire()).await.is_none() {
            if self.candidate.may_hold_lease() {
                self.release().await;
            }
            return Ok(());
        }
        let lost = stop.run_until_cancelled(self.renew()).await;
        self.sender.revoke();
        if let Some(lost) = lost {
            // The lease is not released: work may still be running.
            return Err(lost);
        }
        if let Some(watchdog) = &self.watchdog {
            watchdog.disarm();
        }
        self.release().await;
        Ok(())
    }

    /// Retries until the lease is acquired.
    async fn acquire(&mut self) {
        loop {
            let result = self.candidate.try_acquire_or_renew().await;
            self.log_new_leader();
            match result {
                Ok(Role::Leader) => return,
                Ok(Role::Standby { .. }) => {}
                Err(error @ LeaseError::Conflict { .. }) => {
                    debug!(%error, "failed to acquire lease");
                }
                Err(error) => {
                    let error = chain(&error);
                    warn!(error, "failed to acquire lease");
                }
            }
            self.wait_before_retry().await;
        }
    }

    /// Waits for the retry period with jitter, but no longer than until the lease expires.
    async fn wait_before_retry(&mut self) {
        let now = Instant::now();
        let retry_at = now + self.jitter.stretch(self.config.retry_period);
        let expires_at = self.candidate.expires_at().filter(|at| *at > now);
        sleep_until(expires_at.map_or(retry_at, |at| at.min(retry_at))).await;
    }

    /// Renews the lease until the leadership is lost.
    async fn renew(&mut self) -> LeadershipLost {
        loop {
            let deadline = self.candidate.renewed() + self.config.renew_deadline;
            self.arm_watchdog(deadline + self.config.exit_margin());
            self.sender.lead_until(deadline);
            let renewal = timeout_at(deadline.instant(), async {
                sleep(self.config.retry_period).await;
                self.candidate.try_acquire_or_renew().await
            });
            match renewal.await {
                Ok(Ok(Role::Leader)) => {}
                Ok(Ok(Role::Standby { holder })) => {
                    // client-go would continue until the deadline, concurrently with the new leader.
                    self.arm_watchdog(BootInstant::now() + self.config.exit_margin());
                    let lease = self.candidate.lease();
                    return LeadershipLost::Taken { lease, holder };
                }
                Ok(Err(error)) => {
                    warn!(error = chain(&error), "failed to renew lease");
                    self.candidate.renewal_failed(error);
                }
                Err(_) => {
                    return LeadershipLost::NotRenewed {
                        lease: self.candidate.lease(),
                        deadline: self.config.renew_deadline,
                        cause: self.candidate.take_failure(),
                    };
                }
            }
        }
    }

    /// Sets the deadline for exiting the process.
    fn arm_watchdog(&self, deadline: BootInstant) {
        if let Some(watchdog) = &self.watchdog {
            watchdog.arm(deadline);
        }
    }

    /// Releases the lease, if it is ours. Otherwise the next leader has to wait until it expires.
    async fn release(&self) {
        let lease = self.candidate.lease();
        match timeout(self.config.request_timeout(), self.candidate.release()).await {
            Ok(Ok(true)) => info!(lease, "released leader lease"),
            Ok(Ok(false)) => debug!(lease, "lease is held by another process, not releasing it"),
            Ok(Err(error)) => warn!(error = chain(&error), "failed to release lease"),
            Err(_) => warn!(lease, "timed out releasing lease"),
        }
    }

    /// Logs the leader when it changes.
    fn log_new_leader(&mut self) {
        let holder = self.candidate.holder();
        if holder == self.logged_leader {
            return;
        }
        holder.clone_into(&mut self.logged_leader);
        let lease = self.candidate.lease();
        if holder == self.config.identity {
            info!(lease, "successfully acquired lease");
        } else if !holder.is_empty() {
            info!(lease, leader = holder, "new leader elected");
        }
    }
}
