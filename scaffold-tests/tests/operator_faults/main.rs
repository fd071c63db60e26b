//! What befalls an operator in production: the example operator `appservice`, as a process of its own, under its own generated role.
//!
//! Servers that go away and come back, a slow etcd, cut connections, a leader that dies, other writers, objects that fail or do not fit, very
//! many objects, permissions that are missing. Every test has a control plane of its own, because most harm it, and they run one after
//! the other, because a machine with two cores would else be the fault that is tested. Without the binaries of a control plane they say
//! that they are skipped; with `CI=true` they fail.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "tests start processes, say what they measured, and fail"
)]

mod app_services;
mod blocked;
mod failing;
mod leaders;
mod malformed;
mod many;
mod permissions;
mod place;
mod process;
mod proxy;
mod restarts;
mod slow_etcd;
mod warnings;
mod watch_cut;
mod writers;
