//! Two kb-rs in one project at the same time: one proceeds, the other says so, and the project is as if they had run in turn.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read, write and fail"
)]

use std::{
    fs::File,
    path::Path,
    process::{Command, Stdio},
};

use kb_rs::disk::JOURNAL;
use scaffold_tests::{KbRs, Run, Tree};

const KINDS: [&str; 2] = [
    "create api --group batch --version v1 --kind Backup",
    "create api --group batch --version v1 --kind Report",
];

fn kb_rs() -> KbRs {
    KbRs::at(env!("CARGO_BIN_EXE_kb-rs-under-test"))
}

fn project() -> Tree {
    let folder = tempfile::tempdir().unwrap();
    kb_rs().succeed(
        folder.path(),
        "init --domain example.com --project-name demo --api batch/v1/AppService",
    );
    Tree::read(folder.path()).unwrap()
}

/// The project after the calls in turn.
fn after(project: &Tree, calls: &[&str]) -> Tree {
    let folder = tempfile::tempdir().unwrap();
    project.write(folder.path()).unwrap();
    for call in calls {
        kb_rs().succeed(folder.path(), call);
    }
    Tree::read(folder.path()).unwrap()
}

#[test]
fn while_one_holds_the_journal_every_other_reports_it() {
    let folder = tempfile::tempdir().unwrap();
    project().write(folder.path()).unwrap();
    let journal = File::create(folder.path().join(JOURNAL)).unwrap();
    journal.lock().unwrap();
    for call in [
        KINDS[0],
        "delete api --group batch --version v1 --kind AppService",
        "edit --license mit",
        "generate",
    ] {
        kb_rs().refused(folder.path(), call, 1, &["another kb-rs is changing"]);
    }
    // A lock goes with its process; what is left is a run that died.
    drop(journal);
    kb_rs().succeed(folder.path(), KINDS[0]);
}

fn start(folder: &Path, call: &str) -> std::process::Child {
    Command::new(kb_rs().path())
        .args(call.split_whitespace())
        .current_dir(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

#[test]
fn two_at_once_leave_a_project_that_one_after_the_other_could_have_made() {
    let project = project();
    let [one, other] = KINDS;
    let valid: Vec<Tree> = [&[one][..], &[other], &[one, other], &[other, one]]
        .map(|calls| after(&project, calls))
        .into();
    for round in 0..20 {
        let folder = tempfile::tempdir().unwrap();
        project.write(folder.path()).unwrap();
        let started = KINDS.map(|call| start(folder.path(), call));
        let runs = started.map(|child| Run::from(child.wait_with_output().unwrap()));
        let done = runs.iter().filter(|run| run.code == Some(0)).count();
        assert!(done > 0, "round {round}: {runs:#?}");
        for run in runs.iter().filter(|run| run.code != Some(0)) {
            let said = [
                "another kb-rs is changing",
                "changed while the command ran",
                ".kb-rs-new",
                "exists already",
            ];
            let is_said = said.iter().any(|part| run.stderr.contains(part));
            assert!(run.code == Some(1) && is_said, "round {round}: {run:#?}");
        }
        let found = Tree::read(folder.path()).unwrap();
        let of_count = if done == 2 { &valid[2..] } else { &valid[..2] };
        assert!(
            of_count.contains(&found),
            "round {round}: {runs:#?}\n{}",
            of_count[0].difference(&found).unwrap_or_default()
        );
    }
}
