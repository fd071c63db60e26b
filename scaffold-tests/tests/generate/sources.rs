//! Invalid sources are reported with their position, and nothing is written.

use crate::api_project::{ApiProject, source};

#[test]
fn an_invalid_marker_is_reported_with_its_position() {
    let project = ApiProject::new(&["Job"]);
    project.succeed("generate");
    project.misspell_marker();
    project.assert_rejected(
        "invalid_marker",
        1,
        "generate
        generate --check
        generate --stdout
        generate --diff
        generate --output json",
    );
}

#[test]
fn a_syntax_error_is_reported_with_its_position() {
    let project = ApiProject::new(&["Job"]);
    project.succeed("generate");
    project.replace(&source("Job"), "Option<i32>,", "Option<i32>;");
    project.assert_rejected("syntax_error", 1, "generate");
}

#[test]
fn two_kinds_with_the_same_plural_are_rejected() {
    let project = ApiProject::new(&["Job", "Task"]);
    project.succeed("generate");
    let kind = "kind = \"Task\"";
    project.replace(&source("Task"), kind, &format!("{kind}, plural = \"jobs\""));
    project.assert_rejected("same_plural", 1, "generate");
}
