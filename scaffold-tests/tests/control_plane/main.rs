//! The runtime against a real API server: what it writes, what it is refused, and how it recovers.
//!
//! All tests share one control plane, and each has a namespace of its own. Without the binaries (`make control-plane` builds them) the tests
//! say that they are skipped, and pass; with `CI=true` they fail.
#![allow(
    clippy::large_futures,
    clippy::needless_pass_by_value,
    clippy::unwrap_used,
    reason = "tests fail; what they apply is large, and written where it is passed"
)]

mod apply;
mod events;
mod kinds;
mod leader;
mod logs;
mod malformed;
mod manager;
mod metrics;
mod namespaces;
mod operator;
mod outage;
mod place;
mod recorder;
mod shop;
mod status;
