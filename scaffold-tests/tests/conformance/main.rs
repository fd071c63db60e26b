//! What kb-rs makes is what controller-gen makes: the CRDs and roles of its own tests, from the same types and rules in Rust.
//!
//! The documents are not part of this repository: `../shared/goldens` beside the checkout, or the folder that `KB_GOLDENS`
//! names, has them.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read, write, say what they skip, and fail"
)]

mod crds;
mod roles;

use std::{
    env,
    path::{Path, PathBuf},
};

use scaffold_tests::report_skipped;
use serde_json::Value;

/// Where the documents are, if they are there.
fn goldens() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/goldens");
    let folder = env::var_os("KB_GOLDENS").map_or(beside, PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    report_skipped(format_args!(
        "conformance with controller-gen was not checked, {} is not there",
        folder.display()
    ));
    None
}

fn documents(text: &str) -> Vec<Value> {
    serde_saphyr::from_multiple(text).unwrap()
}
