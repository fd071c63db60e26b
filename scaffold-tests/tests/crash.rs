//! A run that ends at any step leaves, after the next command, the old tree or the new one, and no trace of itself.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read, write and fail"
)]

use std::{fs, path::Path};

use kb_rs::disk::JOURNAL;
use scaffold_tests::{KbRs, Tree};

fn kb_rs() -> KbRs {
    KbRs::at(env!("CARGO_BIN_EXE_kb-rs-under-test"))
}

/// Stops `command` at every step in turn, starting from `prepare`d folders, and looks at what the next command makes of it.
fn stop_everywhere(prepare: impl Fn(&Path), command: &str, next: &str) {
    stop_everywhere_until(prepare, command, next, |old, found| old == found);
}

/// The same, where `is_old` tells what an undone run may leave.
fn stop_everywhere_until(
    prepare: impl Fn(&Path),
    command: &str,
    next: &str,
    is_old: impl Fn(&Tree, &Tree) -> bool,
) {
    let whole = tempfile::tempdir().unwrap();
    prepare(whole.path());
    let old = Tree::read(whole.path()).unwrap();
    kb_rs().succeed(whole.path(), command);
    let new = Tree::read(whole.path()).unwrap();

    let (mut undone, mut finished) = (0, 0);
    for step in 1.. {
        let folder = tempfile::tempdir().unwrap();
        prepare(folder.path());
        let number = step.to_string();
        let arguments = ["--stop-at", &number]
            .into_iter()
            .chain(command.split_whitespace());
        let run = kb_rs().run(folder.path(), arguments);
        if run.code == Some(0) {
            assert!(step > 10, "there are more steps than {step}");
            break;
        }
        assert_eq!(run.code, None, "step {step}: {}", run.stderr);

        // A command that only shows does not touch it; any other deals with what is left, even if it then fails.
        let left = Tree::read(folder.path()).unwrap();
        let shown = format!("{next} --dry-run");
        let run = kb_rs().run(folder.path(), shown.split_whitespace());
        assert_eq!(run.code, Some(1), "step {step}: {}", run.stdout);
        assert_eq!(
            Tree::read(folder.path()).unwrap(),
            left,
            "step {step}: a dry run wrote"
        );
        let run = kb_rs().run(folder.path(), next.split_whitespace());
        let found = Tree::read(folder.path()).unwrap();
        if is_old(&old, &found) {
            undone += 1;
        } else if let Some(difference) = new.difference(&found) {
            panic!("stopped at step {step}: neither the old tree nor the new one:\n{difference}");
        } else {
            finished += 1;
        }
        let is_reported = run.stderr.contains("an earlier run was interrupted");
        assert!(is_reported || found == new, "step {step}: {}", run.stderr);
    }
    assert!(
        undone > 0 && finished > 0,
        "undone {undone}, finished {finished}"
    );
}

/// Without empty folders: those that `init` made above the project stay, since recovery does not leave the project.
fn files(tree: &Tree) -> Vec<(&str, &str)> {
    tree.files()
        .filter(|(path, _)| !path.ends_with('/'))
        .collect()
}

#[test]
fn create_api_can_be_stopped_anywhere() {
    stop_everywhere(
        |folder| {
            kb_rs().succeed(
                folder,
                "init --domain example.com --project-name demo --api batch/v1/AppService",
            );
        },
        "create api --group batch --version v1 --kind Backup --owns apps/v1/Deployment",
        "create api --group batch --version v1 --kind Other --owns no/v1/Such",
    );
}

#[test]
fn delete_api_can_be_stopped_anywhere() {
    stop_everywhere(
        |folder| {
            kb_rs().succeed(
                folder,
                "init --domain example.com --project-name demo --api batch/v1/AppService",
            );
            kb_rs().succeed(folder, "generate");
        },
        "delete api --group batch --version v1 --kind AppService",
        "delete api --group batch --version v1 --kind NoSuch",
    );
}

#[test]
fn edit_can_be_stopped_anywhere() {
    stop_everywhere(
        |folder| {
            kb_rs().succeed(
                folder,
                "init --domain example.com --project-name demo --api batch/v1/AppService",
            );
        },
        "edit --namespaced --license mit --enable prometheus",
        "edit --enable pdb --disable pdb",
    );
}

#[test]
fn init_can_be_stopped_anywhere() {
    stop_everywhere(
        |_| {},
        "init --domain example.com --project-name demo",
        "create api --group batch --version v1 --kind Other --owns no/v1/Such",
    );
}

#[test]
fn init_in_a_new_folder_can_be_stopped_anywhere() {
    stop_everywhere_until(
        |folder| fs::create_dir(folder.join("demo")).unwrap(),
        "init demo/nested/project --domain example.com",
        "init demo/nested/project --domain example.com --multigroup --api /v1/NoGroup",
        |old, found| files(old) == files(found),
    );
}

#[test]
fn init_over_files_of_the_user_can_be_stopped_anywhere() {
    stop_everywhere(
        |folder| {
            fs::write(folder.join("README.md"), "mine\n").unwrap();
            fs::create_dir(folder.join("src")).unwrap();
            fs::write(folder.join("src/other.rs"), "// mine\n").unwrap();
        },
        "init --domain example.com --project-name demo",
        "create api --group batch --version v1 --kind Other --owns no/v1/Such",
    );
}

#[test]
fn a_journal_that_is_not_ours_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    kb_rs().succeed(
        folder.path(),
        "init --domain example.com --project-name demo",
    );
    for text in [
        "nonsense",
        r#"{"folders":[],"files":["../outside"]}"#,
        r#"{"folders":["../outside"],"files":[]}"#,
        r#"{"folders":["src/.. /.. /outside"],"files":[]}"#,
        r#"{"folders":[],"files":[{"path":"/etc/passwd","before":null}]}"#,
        r#"{"folders":[],"files":[{"path":"Makefile/x","before":null}]}"#,
    ] {
        fs::write(folder.path().join(JOURNAL), text).unwrap();
        let before = Tree::read(folder.path()).unwrap();
        let run = kb_rs().run(
            folder.path(),
            "create api --group batch --version v1 --kind Backup".split_whitespace(),
        );
        assert_eq!(run.code, Some(1), "{}", run.stdout);
        assert!(
            run.stderr.contains("cannot be understood"),
            "{}",
            run.stderr
        );
        assert_eq!(before.difference(&Tree::read(folder.path()).unwrap()), None);
    }
}

#[test]
fn what_was_edited_after_the_crash_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    kb_rs().succeed(
        folder.path(),
        "init --domain example.com --project-name demo",
    );
    let create = "create api --group batch --version v1 --kind Backup";
    let main = folder.path().join("src/main.rs");
    let staged = folder.path().join("src/.main.rs.kb-rs-new");

    // The last step at which the new main.rs still waits beside the old one, past the point of no return.
    let mut step = 1;
    loop {
        let number = step.to_string();
        let scratch = tempfile::tempdir().unwrap();
        Tree::read(folder.path())
            .unwrap()
            .write(scratch.path())
            .unwrap();
        let arguments = ["--stop-at", &number]
            .into_iter()
            .chain(create.split_whitespace());
        kb_rs().run(scratch.path(), arguments);
        let journal = fs::read_to_string(scratch.path().join(JOURNAL)).unwrap();
        if journal.ends_with("commit\n") {
            break;
        }
        step += 1;
    }
    let number = step.to_string();
    let arguments = ["--stop-at", &number]
        .into_iter()
        .chain(create.split_whitespace());
    assert_eq!(kb_rs().run(folder.path(), arguments).code, None);
    let mine = format!("{}// mine\n", fs::read_to_string(&main).unwrap());
    fs::write(&main, &mine).unwrap();

    let run = kb_rs().run(folder.path(), create.split_whitespace());
    assert_eq!(run.code, Some(1), "{}", run.stdout);
    assert!(
        run.stderr.contains("main.rs changed since"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains(".main.rs.kb-rs-new"), "{}", run.stderr);
    assert_eq!(fs::read_to_string(&main).unwrap(), mine);

    fs::remove_file(staged).unwrap();
    let run = kb_rs().run(folder.path(), create.split_whitespace());
    assert!(
        run.stderr.contains("its changes are complete now"),
        "{}",
        run.stderr
    );
    assert_eq!(fs::read_to_string(&main).unwrap(), mine);
    assert!(!folder.path().join(JOURNAL).exists());
}
