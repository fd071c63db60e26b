//! Two commands in one project at the same time: one proceeds, the other fails, and the project is as if they had run in turn.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read, write and fail"
)]

use std::{fs::File, process::Stdio};

use kb_rs::disk::JOURNAL;
use scaffold_tests::{KbRs, Project, Run, Tree};

const COMMANDS: [&str; 2] = [
    "create api --group batch --version v1 --kind Backup",
    "create api --group batch --version v1 --kind Report",
];

/// Reasons of a command that lost the race. Any other error is a bug.
const LOST_RACE: [&str; 4] = [
    "another kb-rs is running",
    "changed while the command was running",
    ".kb-rs-new",
    "already exists",
];

#[test]
fn a_locked_journal_stops_all_commands_that_write() {
    let project = Project::demo();
    let journal = File::create(project.path(JOURNAL)).unwrap();
    journal.lock().unwrap();
    project.assert_rejected(
        "locked_journal",
        1,
        "create api --group batch --version v1 --kind Backup
        delete api --group batch --version v1 --kind AppService
        edit --license mit
        generate",
    );
    // The lock is released with its process; the journal of a dead run is recovered.
    drop(journal);
    project.succeed(COMMANDS[0]);
}

#[test]
fn concurrent_commands_leave_the_project_of_sequential_ones() {
    let start = Project::demo().tree();
    let copy = || {
        let project = Project::empty();
        start.write(project.root()).unwrap();
        project
    };
    let [one, other] = COMMANDS;
    let valid: Vec<Tree> = [&[one][..], &[other], &[one, other], &[other, one]]
        .map(|commands| {
            let project = copy();
            project.succeed(&commands.join("\n"));
            project.tree()
        })
        .into();
    for round in 0..20 {
        let project = copy();
        let children = COMMANDS.map(|command| {
            let mut kb_rs = KbRs::new().command(project.root());
            kb_rs.args(command.split_whitespace());
            kb_rs.stdout(Stdio::piped()).stderr(Stdio::piped());
            kb_rs.spawn().unwrap()
        });
        let runs = children.map(|child| Run::from(child.wait_with_output().unwrap()));
        let succeeded = runs.iter().filter(|run| run.code == Some(0)).count();
        assert!(succeeded > 0, "round {round}: {runs:#?}");
        for run in runs.iter().filter(|run| run.code != Some(0)) {
            let mut errors = run
                .stderr
                .lines()
                .filter(|line| line.starts_with("error: "));
            let lost_race =
                errors.all(|error| LOST_RACE.iter().any(|reason| error.contains(reason)));
            assert!(run.code == Some(1) && lost_race, "round {round}: {run:#?}");
        }
        let found = project.tree();
        let expected = if succeeded == 2 {
            &valid[2..]
        } else {
            &valid[..2]
        };
        assert!(
            expected.contains(&found),
            "round {round}: {runs:#?}\n{}",
            expected[0].difference(&found).unwrap_or_default()
        );
    }
}
