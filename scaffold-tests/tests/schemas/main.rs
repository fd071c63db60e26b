//! What the API server makes of the schemas: every CRD is accepted without a warning, every marker is tried with values that pass and values
//! that do not, and lists are merged as those of Kubernetes' own kinds.
//!
//! All tests share one control plane. Without the binaries (`make control-plane` builds them) they say that they are skipped, and pass; with
//! `CI=true` they fail.
#![allow(
    clippy::disallowed_methods,
    clippy::needless_pass_by_value,
    clippy::unwrap_used,
    reason = "tests read, write, start processes, and fail; what they send is written where it is passed"
)]

mod accepted;
mod bounded;
mod bounds;
mod defaults;
mod formats;
mod known;
mod merged;
mod place;
mod row;
mod rules;
mod template;
