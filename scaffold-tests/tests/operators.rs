//! The example operators: each is made by kb-rs commands and edited files, and its own tests pass on a real API server, under its own role.
//!
//! What each has to do is said by the tests in `operators/NAME/edited/tests`. Here they are built and run, one operator after the other:
//! all share one target folder. Without a control plane their tests say that they are skipped; with `CI=true` they fail.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests start processes, and fail"
)]

use std::{
    fs,
    path::Path,
    sync::{Mutex, PoisonError},
};

use kb_envtest::Binaries;
use scaffold_tests::{Cargo, KbRs, Operator, Run, Tree};
use serde_json::Value;

const KB_RS: &str = env!("CARGO_BIN_EXE_kb-rs-under-test");

/// Control planes and compilers at once would make tests wait for each other until they give up.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

fn generate(cargo: &Cargo, project: &Path, arguments: &[&str]) -> Run {
    let mut command = cargo.program(Path::new(KB_RS), project);
    let output = command.arg("generate").args(arguments).output().unwrap();
    let run = Run::from(output);
    assert_eq!(
        run.code,
        Some(0),
        "{arguments:?}: {}{}",
        run.stdout,
        run.stderr
    );
    run
}

fn check(name: &str) {
    let _one = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let cargo = Cargo::new().unwrap();
    let operator = Operator::read(name).unwrap();
    let project = operator.project(&KbRs::at(KB_RS), &cargo).unwrap();
    // Those of earlier runs.
    if cargo.calls().is_dir() {
        fs::remove_dir_all(cargo.calls()).unwrap();
    }
    // The tests are linted as they are built: see `Cargo::program`.
    for arguments in ["fmt --all --check", "test --quiet --workspace"] {
        let arguments: Vec<&str> = arguments.split(' ').collect();
        cargo.run(&project, &arguments).unwrap();
    }
    if project.join("api").is_dir() {
        generate(&cargo, &project, &["--verify"]);
    }
    if Binaries::find().is_ok() {
        let stale = stale_writes(&cargo.calls());
        assert!(stale.is_empty(), "{name}: {stale:?}");
        let report = generate(&cargo, &project, &["rbac", "--check", "--report-unused"]);
        assert!(
            !report.stderr.contains("no recorded call needed"),
            "a rule that no test of {name} needs: {}",
            report.stderr
        );
    }
}

/// The writes that conflicted with an earlier one of the same operator. It knows its last write, and waits for its cache.
fn stale_writes(recordings: &Path) -> Vec<Value> {
    let recordings = Tree::read(recordings).unwrap();
    let stale = recordings.files().flat_map(|(_, text)| {
        let mut recording: Value = serde_json::from_str(text).unwrap();
        match recording["staleWrites"].take() {
            Value::Array(stale) => stale,
            _ => Vec::new(),
        }
    });
    stale.collect()
}

macro_rules! operators {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                check(stringify!($name));
            }
        )*

        #[test]
        fn every_operator_is_checked() {
            assert_eq!(Operator::names().unwrap(), [$(stringify!($name)),*]);
        }
    };
}

operators! { app appservice cloudmanager configmaps foo values }
