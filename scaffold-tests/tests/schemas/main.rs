//! Schemas on a real API server: it accepts every CRD without a warning, validates values of every marker, and merges lists like those of built-in
//! kinds.
//!
//! All tests share one control plane. Without the binaries (`make control-plane` builds them) they are skipped; with `CI=true` they fail.
#![allow(
    clippy::disallowed_methods,
    clippy::needless_pass_by_value,
    clippy::unwrap_used,
    reason = "tests read, write, start processes and fail; they send literals"
)]

mod api_server;
mod cel;
mod coverage;
mod crds;
mod defaults;
mod formats;
mod kind;
mod merge;
mod pod_template;
mod row;
mod validation;
