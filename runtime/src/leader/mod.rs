//! Leader election on Leases: of several copies of an operator one works, and the others wait.
//!
//! The rules are those of client-go. A candidate takes over only after it has itself seen the record unchanged for as long as the
//! record says: no clock of another machine counts. The leader renews every two seconds, and stops when it could not for ten, which is
//! before any candidate may take over, so there are never two.
//!
//! `decision` is the pure part (from what was seen, and when, to what to do), `lock` speaks to the API server, `claim` joins them for one
//! try, and [`Elector`] is the loop. What a leader does is not known here: controllers look at
//! [`Elector::leadership`], also in the midst of their work: after the deadline no reconcile goes further, also of a process that was stopped and
//! has not noticed yet. Work that does not yield cannot look: `watchdog` ends its process before the lease expires.

mod claim;
mod config;
mod decision;
mod elector;
mod jitter;
mod leadership;
mod lock;
mod moment;
mod pod;
mod record;
#[cfg(test)]
mod tests;
mod watchdog;

pub use config::{Config, ConfigError};
pub use elector::{Elector, Lost};
pub(crate) use leadership::Grant;
pub use leadership::Leadership;
pub use lock::RequestError;
#[cfg(test)]
pub(crate) use moment::Moment;
#[cfg(test)]
pub(crate) use watchdog::Watchdog;
