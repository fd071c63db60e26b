//! Integration tests of the runtime, the manifests and the samples against a real API server.
//!
//! All tests share one control plane, and each uses its own namespace. Without the binaries (`make control-plane` builds them) the tests are
//! skipped; with `CI=true` they fail.
#![allow(
    clippy::disallowed_methods,
    clippy::large_futures,
    clippy::needless_pass_by_value,
    clippy::unwrap_used,
    reason = "tests start processes, write manifests and fail; they apply large literals"
)]

mod apply;
mod error_status;
mod events;
// The generator of random APIs of another test program.
#[path = "../random_apis/fields.rs"]
mod fields;
mod finalizer;
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
mod request_recorder;
mod restart;
mod roles;
mod samples;
mod shop;
mod status;
mod test_namespace;
#[path = "../random_apis/types.rs"]
mod types;
mod watched_namespaces;
