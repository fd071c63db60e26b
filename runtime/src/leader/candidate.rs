//! A candidate for the lease: acquires, renews or releases it once. The elector repeats that.

use std::time::Duration;

use k8s_openapi::api::coordination::v1::Lease;
use k8s_openapi::jiff::Timestamp;
use tokio::time::Instant;
use tracing::{debug, info};

use super::Config;
use super::boot_time::BootInstant;
use super::election_record::ElectionRecord;
use super::lease_lock::{LeaseError, LeaseLock};
use super::observed_lease::{Decision, ObservedLease};

/// The lease as observed by this process.
pub(super) struct Candidate {
    identity: String,
    lock: LeaseLock,
    observed: ObservedLease,
    /// Lease as of our last write; a renewal replaces it without reading first.
    written: Option<Lease>,
    /// When the last successful write was sent.
    renewed: BootInstant,
    /// A write timed out, so the lease may be ours.
    unsure: bool,
    /// We sent a request to create the lease in place of a deleted one.
    replaces_deleted: bool,
    /// When this process may lead if it holds the lease: see [`Self::role`].
    may_lead_at: Option<Instant>,
    lease_duration: Duration,
    /// Why the last renewal failed.
    failure: Option<LeaseError>,
}

/// Result of a successful attempt.
pub(super) enum Role {
    /// This process holds the lease.
    Leader,
    /// Another process holds it.
    Standby {
        /// Its identity.
        holder: String,
    },
}

impl Candidate {
    pub(super) fn new(client: kube::Client, config: &Config) -> Self {
        Self {
            identity: config.identity.clone(),
            lock: LeaseLock::new(client, config),
            observed: ObservedLease::new(config.identity.clone(), config.lease_duration),
            written: None,
            renewed: BootInstant::now(),
            unsure: false,
            replaces_deleted: false,
            may_lead_at: None,
            lease_duration: config.lease_duration,
            failure: None,
        }
    }

    /// Returns namespace and name of the lease, for messages.
    pub(super) fn lease(&self) -> String {
        self.lock.path()
    }

    /// Returns the last observed holder, empty if there is none.
    pub(super) fn holder(&self) -> &str {
        self.observed.holder()
    }

    /// Returns when the last successful write was sent.
    pub(super) fn renewed(&self) -> BootInstant {
        self.renewed
    }

    /// Returns when the observed lease expires unless it is renewed.
    pub(super) fn expires_at(&self) -> Option<Instant> {
        self.observed.expires_at()
    }

    /// Returns whether the lease may be ours although this process does not lead: a write timed out, or we wait to lead.
    pub(super) fn may_hold_lease(&self) -> bool {
        self.unsure || self.may_lead_at.is_some()
    }

    /// Takes the error of the last failed renewal.
    pub(super) fn take_failure(&mut self) -> Option<LeaseError> {
        self.failure.take()
    }

    /// Records why a renewal failed.
    pub(super) fn renewal_failed(&mut self, error: LeaseError) {
        self.failure = Some(error);
    }

    /// Tries once to acquire the lease, or to renew it.
    pub(super) async fn try_acquire_or_renew(&mut self) -> Result<Role, LeaseError> {
        let renewal = self.observed.renewal(Instant::now(), Timestamp::now());
        if let Some((record, lease)) = renewal.zip(self.written.clone()) {
            match self.write(Some(lease), record).await {
                Ok(()) => return Ok(self.role()),
                Err(error) => {
                    debug!(%error, "failed to renew lease without reading it, reading it again");
                    self.renewal_failed(error);
                }
            }
        }
        let lease = self.lock.get().await?;
        let record = lease.as_ref().map(ElectionRecord::from_lease);
        match self
            .observed
            .decide(record, Instant::now(), Timestamp::now())
        {
            Decision::Write(record) => {
                self.write(lease, record).await?;
                Ok(self.role())
            }
            Decision::Wait { holder } => {
                self.may_lead_at = None;
                Ok(Role::Standby { holder })
            }
        }
    }

    /// Returns the role of this process while it holds the lease.
    ///
    /// After it has created the lease in place of a deleted one, it waits for a lease duration before it leads. While the lease was deleted,
    /// another process may have created and renewed it between two of our reads; that process stops leading within the lease duration,
    /// because it cannot renew our lease.
    fn role(&mut self) -> Role {
        let now = Instant::now();
        if std::mem::take(&mut self.replaces_deleted) {
            self.may_lead_at = Some(now + self.lease_duration);
            info!(lease = self.lease(), wait = ?self.lease_duration, "recreated deleted lease, waiting for its last holder to stop");
        }
        match self.may_lead_at {
            Some(at) if now < at => Role::Standby {
                holder: self.identity.clone(),
            },
            _ => Role::Leader,
        }
    }

    /// Returns whether another process may lead although the lease does not exist: it was deleted, and this process does not lead.
    fn may_have_leader(&self) -> bool {
        let has_renewed =
            self.written.is_some() && !(self.renewed + self.lease_duration).has_passed();
        let leads = has_renewed
            && self.observed.holder() == self.identity
            && self.may_lead_at.is_none_or(|at| at <= Instant::now());
        self.observed.is_known() && !leads
    }

    /// Writes our record into `lease`, or into a new one.
    async fn write(
        &mut self,
        lease: Option<Lease>,
        record: ElectionRecord,
    ) -> Result<(), LeaseError> {
        let sent = BootInstant::now();
        self.unsure = true;
        let is_takeover = lease.is_some() && self.observed.holder() != self.identity;
        // Even if there is no response: the request may arrive.
        self.replaces_deleted |= lease.is_none() && self.may_have_leader();
        let written = match lease {
            Some(lease) => self.lock.update(lease, record).await,
            None => self.lock.create(record).await,
        };
        if is_takeover && written.is_ok() {
            // The lease had expired, as observed: nobody else leads.
            self.replaces_deleted = false;
            self.may_lead_at = None;
        }
        self.unsure = matches!(written, Err(LeaseError::Timeout { .. }));
        let lease = written?;
        self.observed
            .record_write(ElectionRecord::from_lease(&lease), sent.instant());
        self.renewed = sent;
        self.written = Some(lease);
        self.failure = None;
        Ok(())
    }

    /// Releases the lease. Returns false if it is not ours.
    pub(super) async fn release(&self) -> Result<bool, LeaseError> {
        loop {
            let Some(lease) = self.lock.get().await? else {
                return Ok(false);
            };
            let record = ElectionRecord::from_lease(&lease);
            if record.holder() != self.identity {
                return Ok(false);
            }
            let released = record.released(Timestamp::now());
            match self.lock.update(lease, released).await {
                // An earlier renewal that timed out here has arrived.
                Err(LeaseError::Conflict { .. }) => {}
                result => return result.map(|_| true),
            }
        }
    }
}
