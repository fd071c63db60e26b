//! The command after an interrupted run recovers the old tree or the new one, and nothing in between.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read, write and fail"
)]

use std::{collections::BTreeSet, fs};

use kb_rs::disk::JOURNAL;
use scaffold_tests::{Project, Run, Tree};

const INIT: &str = "init --domain example.com --project-name demo";
const CREATE_BACKUP: &str = "create api --group batch --version v1 --kind Backup";

/// Fails, but only after recovery.
const CREATE_INVALID: &str = "create api --group batch --version v1 --kind Other --owns no/v1/Such";

/// Runs a command that is killed at a step.
fn run_until(project: &Project, step: usize, command: &str) -> Run {
    let step = step.to_string();
    let arguments = ["--stop-at", &step].into_iter();
    project.run(arguments.chain(command.split_whitespace()))
}

/// Interrupts `command` at every step in turn and checks what `next`, which fails, recovers. Its distinct outputs are the snapshot `case`.
fn interrupt_at_every_step(
    case: &str,
    prepare: impl Fn() -> Project,
    command: &str,
    next: &str,
    is_old: impl Fn(&Tree, &Tree) -> bool,
) {
    let complete = prepare();
    let old = complete.tree();
    complete.succeed(command);
    let new = complete.tree();

    let (mut rolled_back, mut completed) = (0, 0);
    let mut outputs = BTreeSet::new();
    for step in 1.. {
        let project = prepare();
        let run = run_until(&project, step, command);
        if run.code == Some(0) {
            assert!(step > 10, "there are more steps than {step}");
            break;
        }
        assert_eq!(run.code, None, "step {step}: {run}");

        // A dry run does not recover; any other command does, even if it then fails.
        let interrupted = project.tree();
        let run = project.run(format!("{next} --dry-run").split_whitespace());
        assert_eq!(run.code, Some(1), "step {step}: {run}");
        assert_eq!(project.tree(), interrupted, "step {step}: a dry run wrote");
        let run = project.run(next.split_whitespace());
        let found = project.tree();
        if is_old(&old, &found) {
            rolled_back += 1;
        } else if let Some(difference) = new.difference(&found) {
            panic!("step {step}: neither the old tree nor the new one:\n{difference}");
        } else {
            completed += 1;
        }
        let root = project.root().to_str().unwrap();
        outputs.insert(run.to_string().replace(root, "[PROJECT]"));
    }
    assert!(
        rolled_back > 0 && completed > 0,
        "rolled back {rolled_back}, completed {completed}"
    );
    let outputs: String = outputs.into_iter().collect();
    complete.assert_snapshot(case, &format!("$ kb-rs {next}\n{outputs}"));
}

/// Returns the tree without empty directories: recovery does not remove those that `init` created above the project.
fn files(tree: &Tree) -> Vec<(&str, &str)> {
    tree.files()
        .filter(|(path, _)| !path.ends_with('/'))
        .collect()
}

#[test]
fn create_api_can_be_interrupted_at_every_step() {
    interrupt_at_every_step(
        "interrupted_create_api",
        Project::demo,
        &format!("{CREATE_BACKUP} --owns apps/v1/Deployment"),
        CREATE_INVALID,
        Tree::eq,
    );
}

#[test]
fn delete_api_can_be_interrupted_at_every_step() {
    interrupt_at_every_step(
        "interrupted_delete_api",
        Project::demo,
        "delete api --group batch --version v1 --kind AppService",
        "delete api --group batch --version v1 --kind NoSuch",
        Tree::eq,
    );
}

#[test]
fn edit_can_be_interrupted_at_every_step() {
    interrupt_at_every_step(
        "interrupted_edit",
        Project::demo,
        "edit --namespaced --license mit --enable prometheus",
        "edit --enable pdb --disable pdb",
        Tree::eq,
    );
}

#[test]
fn init_can_be_interrupted_at_every_step() {
    interrupt_at_every_step(
        "interrupted_init",
        Project::empty,
        INIT,
        CREATE_INVALID,
        Tree::eq,
    );
}

#[test]
fn init_in_a_new_directory_can_be_interrupted_at_every_step() {
    interrupt_at_every_step(
        "interrupted_init_in_a_new_directory",
        || {
            let project = Project::empty();
            fs::create_dir(project.path("demo")).unwrap();
            project
        },
        "init demo/nested/project --domain example.com",
        "init demo/nested/project --domain example.com --multigroup --api /v1/NoGroup",
        |old, found| files(old) == files(found),
    );
}

#[test]
fn init_beside_files_of_the_user_can_be_interrupted_at_every_step() {
    interrupt_at_every_step(
        "interrupted_init_beside_files",
        || {
            let project = Project::empty();
            project.write("README.md", "mine\n");
            project.write("src/other.rs", "// mine\n");
            project
        },
        INIT,
        CREATE_INVALID,
        Tree::eq,
    );
}

#[test]
fn an_invalid_journal_is_rejected() {
    let project = Project::new(INIT);
    for (case, journal) in [
        ("journal_that_is_not_json", "nonsense"),
        (
            "journal_with_a_string",
            r#"{"folders":[],"files":["../outside"]}"#,
        ),
        (
            "journal_with_a_directory_outside",
            r#"{"folders":["../outside"],"files":[]}"#,
        ),
        (
            "journal_with_spaces_in_a_path",
            r#"{"folders":["src/.. /.. /outside"],"files":[]}"#,
        ),
        (
            "journal_with_an_absolute_path",
            r#"{"folders":[],"files":[{"path":"/etc/passwd","before":null}]}"#,
        ),
        (
            "journal_with_a_path_below_a_file",
            r#"{"folders":[],"files":[{"path":"Makefile/x","before":null}]}"#,
        ),
    ] {
        project.write(JOURNAL, journal);
        project.assert_rejected(case, 1, CREATE_BACKUP);
    }
}

#[test]
fn recovery_keeps_a_file_that_was_edited_after_the_crash() {
    let is_committed = |project: &Project| project.read(JOURNAL).ends_with("commit\n");
    // The first step after the commit: the new main.rs is staged, but not in place yet.
    let project = (1..)
        .find_map(|step| {
            let project = Project::new(INIT);
            let run = run_until(&project, step, CREATE_BACKUP);
            assert_eq!(run.code, None, "step {step}: {run}");
            is_committed(&project).then_some(project)
        })
        .unwrap();
    project.append("src/main.rs", "// mine\n");
    let edited = project.read("src/main.rs");

    let run = project.run(CREATE_BACKUP.split_whitespace());
    assert_eq!(run.code, Some(1), "{run}");
    project.assert_snapshot("edited_after_the_crash", &run.to_string());
    assert_eq!(project.read("src/main.rs"), edited);

    project.remove("src/.main.rs.kb-rs-new");
    let run = project.run(CREATE_BACKUP.split_whitespace());
    project.assert_snapshot("completed_without_the_edited_file", &run.to_string());
    assert_eq!(project.read("src/main.rs"), edited);
    assert!(!project.exists(JOURNAL));
}
