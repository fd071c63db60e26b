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
        "generate crd --output-dir ../out",
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
fn flags_of_the_other_generator_are_refused() {
    let project = Project::new(&["Job"]);
    for (flags, said) in [
        (
            "rbac --build",
            "--build has no meaning for `kb-rs generate rbac`",
        ),
        ("rbac --verify", "--verify has no meaning"),
        ("rbac --max-desc-len 1", "--max-desc-len has no meaning"),
        (
            "rbac --describe-core-types",
            "--describe-core-types has no meaning",
        ),
        (
            "crd --role-name a",
            "--role-name has no meaning for `kb-rs generate crd`",
        ),
        ("crd --deny-wildcards", "--deny-wildcards has no meaning"),
        ("--output-dir out", "--output-dir is for one generator"),
        ("rbac --role-name A", "contains the upper-case letter 'A'"),
    ] {
        project.refused(&format!("generate {flags}"), 2, &[said]);
    }
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
