//! Fault injection: the example operator `appservice` as a process under its generated role.
//!
//! Restarts of the API server, a slow etcd, dropped connections, a killed leader, other writers, failing and invalid objects, thousands of
//! objects, missing permissions. Every test has its own control plane, because most tests disturb it. They run sequentially: on two cores,
//! load would be a fault of its own. Without the binaries of a control plane the tests are skipped; with `CI=true` they fail.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "tests start processes, print measurements and fail"
)]

mod api_server_restarts;
mod app_services;
mod blocking_leaders;
mod control_plane;
mod dropped_connections;
mod failing_object;
mod invalid_objects;
mod leader_election;
mod many_objects;
mod missing_permissions;
mod other_writers;
mod process;
mod proxy;
mod slow_etcd;
mod warnings;
