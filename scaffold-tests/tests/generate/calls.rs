//! Calls that are wrong in themselves.

use crate::project::Project;

#[test]
fn flags_that_contradict_each_other_are_refused() {
    let project = Project::new(&["Job"]);
    for flags in [
        "--stdout --check",
        "--stdout --dry-run",
        "--stdout --diff",
        "--stdout --output-dir x",
        "--stdout --watch",
        "--watch --check",
        "--watch --dry-run",
        "--watch --verify",
        "--verify --build",
        "--verify --describe-core-types",
    ] {
        project.refused(&format!("generate {flags}"), 2, &["cannot be used with"]);
    }
    for flag in ["--stdout", "--watch"] {
        let run = project.refused(&format!("generate {flag} --output json"), 2, &[]);
        assert!(
            run.stdout.contains("cannot be used with --output json"),
            "{}",
            run.stdout
        );
    }
}

#[test]
fn what_is_unknown_is_refused() {
    let project = Project::new(&["Job"]);
    project.refused("generate crds", 2, &["invalid value 'crds'", "crd"]);
    project.refused("generate --max-desc-len -1", 2, &[]);
    project.refused(
        "generate --output-dir ../out",
        2,
        &["is not a folder inside the project", "--stdout"],
    );
    project.refused(
        "generate --header-file nowhere.txt",
        2,
        &["cannot read nowhere.txt", "text file"],
    );
}

#[test]
fn outside_of_a_project_nothing_is_generated() {
    let folder = tempfile::tempdir().unwrap();
    for command in [
        "generate",
        "generate --check",
        "generate --stdout",
        "generate --watch",
    ] {
        crate::project::kb_rs().refused(folder.path(), command, 1, &["is not in a kb-rs project"]);
    }
}
