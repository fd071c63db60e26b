//! CRDs and roles equal those of controller-gen's own tests, for the same types and rules in Rust.
//!
//! The documents are not part of this repository. They are in `KB_GOLDENS`, by default `../shared/goldens` beside the checkout.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read, write and fail"
)]

mod crds;
mod roles;

use std::{
    env,
    path::{Path, PathBuf},
};

use scaffold_tests::report_skipped;
use serde_json::Value;

/// Returns the directory of the documents, if it exists.
fn goldens() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/goldens");
    let dir = env::var_os("KB_GOLDENS").map_or(beside, PathBuf::from);
    if dir.is_dir() {
        return Some(dir);
    }
    report_skipped(format_args!(
        "conformance with controller-gen was not checked: there is no {}",
        dir.display()
    ));
    None
}

fn documents(text: &str) -> Vec<Value> {
    serde_saphyr::from_multiple(text).unwrap()
}
