//! What was made can be taken back: `delete api` and `edit` leave no trace of what they undo, and nothing of the user's is lost.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read, write and fail"
)]

mod deleted;
mod edited;

use std::{fs, path::Path};

use scaffold_tests::{KbRs, Tree};

const API: &str = "--group batch --version v1 --kind AppService";

fn kb_rs() -> KbRs {
    KbRs::at(env!("CARGO_BIN_EXE_kb-rs-under-test"))
}

fn tree(folder: &Path) -> Tree {
    Tree::read(folder).unwrap()
}

#[track_caller]
fn assert_same(before: &Tree, folder: &Path, what: &str) {
    if let Some(difference) = before.difference(&tree(folder)) {
        panic!("{what}\n{difference}");
    }
}

/// A project with one API that owns Deployments.
fn project() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let init = "init --domain example.com --project-name demo --owner ACME";
    kb_rs().succeed(folder.path(), init);
    let create = format!("create api {API} --owns apps/v1/Deployment");
    kb_rs().succeed(folder.path(), &create);
    kb_rs().succeed(folder.path(), "generate");
    folder
}

/// Adds text to the end of a file.
fn append(folder: &Path, path: &str, text: &str) {
    let path = folder.join(path);
    let old = fs::read_to_string(&path).unwrap();
    fs::write(path, old + text).unwrap();
}

fn replace(folder: &Path, path: &str, from: &str, to: &str) {
    let path = folder.join(path);
    let old = fs::read_to_string(&path).unwrap();
    assert!(old.contains(from), "{old}");
    fs::write(path, old.replacen(from, to, 1)).unwrap();
}
