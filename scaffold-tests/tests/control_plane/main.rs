//! The runtime, the manifests and the samples against a real API server: what is written, what is refused, and how the runtime recovers.
//!
//! All tests share one control plane, and each has a namespace of its own. Without the binaries (`make control-plane` builds them) the tests
//! say that they are skipped, and pass; with `CI=true` they fail.
#![allow(
    clippy::disallowed_methods,
    clippy::large_futures,
    clippy::needless_pass_by_value,
    clippy::unwrap_used,
    reason = "tests start processes, write manifests, and fail; what they apply is large, and written where it is passed"
)]

mod apply;
mod declared;
mod events;
// Random APIs, as another test makes them.
#[path = "../random_apis/fields.rs"]
mod fields;
mod kinds;
mod kubectl;
mod leader;
mod lease_role;
mod logs;
mod makefile;
mod malformed;
mod manager;
mod manifests;
mod metrics;
mod missing_crd;
#[path = "../random_apis/module.rs"]
mod module;
mod namespaces;
mod operator;
mod outage;
mod place;
mod recorder;
mod samples;
mod shop;
mod status;
#[path = "../random_apis/types.rs"]
mod types;
mod watched_namespaces;
