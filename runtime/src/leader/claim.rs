//! One claim to the lease: to ask for it, to renew it, to give it back, each once. The loops around it are those of the elector.

use k8s_openapi::api::coordination::v1::Lease;
use k8s_openapi::jiff::Timestamp;
use tokio::time::Instant;
use tracing::debug;

use super::Config;
use super::decision::{Decision, View};
use super::lock::{Lock, RequestError};
use super::moment::Moment;
use super::record::Record;

/// What a candidate knows of the lease, and how it reaches it.
pub(super) struct Claim {
    identity: String,
    lock: Lock,
    view: View,
    /// The lease as it was when we last wrote it: what a renewal without looking first replaces.
    written: Option<Lease>,
    /// When the request that last gave us the lease was sent.
    renewed: Moment,
    /// A write has no answer: nobody knows whether the lease is ours.
    unsure: bool,
    /// Why the lease could last not be renewed.
    failure: Option<RequestError>,
}

/// How a try ended that met no failure.
pub(super) enum Standing {
    /// The lease is ours.
    Leader,
    /// It is another's.
    Candidate {
        /// Who holds it.
        holder: String,
    },
}

impl Claim {
    pub(super) fn new(client: kube::Client, config: &Config) -> Self {
        Self {
            identity: config.identity.clone(),
            lock: Lock::new(client, config),
            view: View::new(config.identity.clone(), config.lease_duration),
            written: None,
            renewed: Moment::now(),
            unsure: false,
            failure: None,
        }
    }

    /// Namespace and name of the lease, for messages.
    pub(super) fn lease(&self) -> String {
        self.lock.path()
    }

    /// Who was last seen to hold the lease; empty if nobody does.
    pub(super) fn holder(&self) -> &str {
        self.view.holder()
    }

    /// When the request that last gave us the lease was sent.
    pub(super) fn renewed(&self) -> Moment {
        self.renewed
    }

    /// When the lease that was last seen runs out, if nobody renews it.
    pub(super) fn runs_out(&self) -> Option<Instant> {
        self.view.runs_out()
    }

    /// Whether the lease may be ours without our knowing it.
    pub(super) fn is_unsure(&self) -> bool {
        self.unsure
    }

    /// Why the lease could last not be renewed, if it could not.
    pub(super) fn take_failure(&mut self) -> Option<RequestError> {
        self.failure.take()
    }

    /// The lease could not be renewed, for this reason.
    pub(super) fn failed(&mut self, error: RequestError) {
        self.failure = Some(error);
    }

    /// Asks once for the lease, or renews it.
    pub(super) async fn attempt(&mut self) -> Result<Standing, RequestError> {
        let renewal = self.view.renewal(Instant::now(), Timestamp::now());
        if let Some((record, lease)) = renewal.zip(self.written.clone()) {
            match self.write(Some(lease), record).await {
                Ok(()) => return Ok(Standing::Leader),
                Err(error) => {
                    debug!(%error, "The lease is not as it was left. It is read again");
                    self.failed(error);
                }
            }
        }
        let lease = self.lock.get().await?;
        let found = lease.as_ref().map(Record::of);
        match self.view.decide(found, Instant::now(), Timestamp::now()) {
            Decision::Write(record) => {
                self.write(lease, record).await?;
                Ok(Standing::Leader)
            }
            Decision::Wait { holder } => Ok(Standing::Candidate { holder }),
        }
    }

    /// Writes a record that makes the lease ours, into a new lease or in place of this one.
    async fn write(&mut self, lease: Option<Lease>, record: Record) -> Result<(), RequestError> {
        let sent = Moment::now();
        self.unsure = true;
        let answer = match lease {
            Some(lease) => self.lock.update(lease, record).await,
            None => self.lock.create(record).await,
        };
        self.unsure = matches!(answer, Err(RequestError::NoAnswer { .. }));
        let lease = answer?;
        self.view.wrote(Record::of(&lease), sent.instant());
        self.renewed = sent;
        self.written = Some(lease);
        self.failure = None;
        Ok(())
    }

    /// Gives the lease back; false if it is not ours.
    pub(super) async fn give_back(&self) -> Result<bool, RequestError> {
        loop {
            let Some(lease) = self.lock.get().await? else {
                return Ok(false);
            };
            let record = Record::of(&lease);
            if record.holder() != self.identity {
                return Ok(false);
            }
            let released = record.released(Timestamp::now());
            match self.lock.update(lease, released).await {
                // A renewal that was given up has arrived after all.
                Err(RequestError::Conflict { .. }) => {}
                answer => return answer.map(|_| true),
            }
        }
    }
}
