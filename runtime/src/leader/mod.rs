//! Leader election on Leases: one replica of an operator is active, the others stand by.
//!
//! The rules are client-go's. A candidate acquires the lease only after observing its record unchanged for the lease duration by its own
//! clock; timestamps of other machines are ignored. The leader renews every two seconds and stops after ten seconds without a renewal, before
//! any candidate can take over, so there are never two leaders.
//!
//! `observed_lease` decides what to do from what was observed and when, `lease_lock` talks to the API server, `candidate` combines them into
//! one attempt, and [`Elector`] runs the loop. Controllers check [`Elector::leadership`] during their work as well: past the deadline no
//! reconcile continues, even in a process that was suspended and has not noticed yet. Code that never yields cannot check, so `watchdog` exits
//! the process before the lease expires.

mod boot_time;
mod candidate;
mod config;
mod election_record;
mod elector;
mod jitter;
mod leadership;
mod lease_lock;
mod observed_lease;
mod pod;
#[cfg(test)]
mod tests;
mod watchdog;

#[cfg(test)]
pub(crate) use boot_time::BootInstant;
pub use config::{Config, ConfigError};
pub use elector::{Elector, LeadershipLost};
pub use leadership::Leadership;
pub(crate) use leadership::LeadershipSender;
pub use lease_lock::LeaseError;
#[cfg(test)]
pub(crate) use watchdog::Watchdog;
