//! Sources that are wrong: the place is shown as a compiler shows it, and nothing is touched.

use crate::project::{Project, source};

#[test]
fn a_wrong_marker_is_shown_at_its_place() {
    let project = Project::new(&["Job"]);
    project.succeed("generate");
    let text = project.read(&source("Job")).replace(
        "    pub replicas",
        "    #[kb(minimun = 1)]\n    pub replicas",
    );
    project.write(&source("Job"), &text);
    for command in [
        "generate",
        "generate --check",
        "generate --stdout",
        "generate --diff",
    ] {
        project.refused(
            command,
            1,
            &[
                "minimun",
                "--> api/src/job.rs:7:10",
                "7 |     #[kb(minimun = 1)]",
                "^^^^^^^",
            ],
        );
    }
    let run = project.refused("generate --output json", 1, &[]);
    for expected in [
        "\"outcome\": \"failed\"",
        "\"file\": \"api/src/job.rs\"",
        "\"line\": 7",
        "\"column\": 10",
    ] {
        assert!(run.stdout.contains(expected), "{}", run.stdout);
    }
}

#[test]
fn a_file_that_does_not_parse_is_shown_at_its_place() {
    let project = Project::new(&["Job"]);
    project.succeed("generate");
    let text = project.read(&source("Job"));
    project.write(
        &source("Job"),
        &text.replace("Option<i32>,", "Option<i32>;"),
    );
    project.refused("generate", 1, &["--> api/src/job.rs:"]);
}

#[test]
fn two_kinds_with_one_name_are_refused() {
    let project = Project::new(&["Job", "Task"]);
    project.succeed("generate");
    let text = project
        .read(&source("Task"))
        .replace("kind = \"Task\"", "kind = \"Task\", plural = \"jobs\"");
    project.write(&source("Task"), &text);
    project.refused("generate", 1, &["have the same plural `jobs`"]);
}
