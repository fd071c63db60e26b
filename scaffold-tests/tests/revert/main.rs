//! `delete api` and `edit` revert earlier commands without a trace and keep all edits of the user.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read, write and fail"
)]

mod delete_api;
mod edit;

use scaffold_tests::{Project, Tree};

const INIT: &str = "init --domain example.com --project-name demo";
const API: &str = "--group batch --version v1 --kind AppService";

#[track_caller]
fn assert_tree(project: &Project, expected: &Tree, context: &str) {
    if let Some(difference) = expected.difference(&project.tree()) {
        panic!("{context}\n{difference}");
    }
}

/// Creates a project with one API that owns Deployments.
fn project() -> Project {
    Project::new(&format!(
        "{INIT} --owner ACME\ncreate api {API} --owns apps/v1/Deployment"
    ))
}
