//! The tests of the example operators pass on a real API server, under the generated roles.
//!
//! `operators/NAME/edited/tests` define the behavior of each operator. They are built and run here, one operator after the other, because
//! all share one target directory. Without a control plane they are skipped; with `CI=true` they fail.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests start processes and fail"
)]

use std::{
    fs,
    path::Path,
    sync::{Mutex, PoisonError},
};

use kb_envtest::Binaries;
use scaffold_tests::{Cargo, KbRs, Operator, Run, Tree};
use serde_json::Value;

/// Parallel control planes and compilers would run into timeouts.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

fn generate(cargo: &Cargo, project: &Path, arguments: &[&str]) -> Run {
    let mut command = cargo.program(KbRs::new().path(), project);
    command.arg("generate").args(arguments);
    let run = Run::of(command);
    assert_eq!(run.code, Some(0), "{arguments:?}: {run}");
    run
}

fn check(name: &str) {
    let _one = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let cargo = Cargo::new().unwrap();
    let operator = Operator::read(name).unwrap();
    let project = operator.project(&cargo).unwrap();
    // Remove recordings of earlier runs.
    if cargo.calls().is_dir() {
        fs::remove_dir_all(cargo.calls()).unwrap();
    }
    // Lints as well: see `Cargo::program`.
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
        let plain = generate(&cargo, &project, &["rbac", "--check"]);
        let report = generate(&cargo, &project, &["rbac", "--check", "--report-unused"]);
        assert_eq!(
            plain.stderr, report.stderr,
            "rules that no test of {name} needs"
        );
    }
}

/// Returns writes that conflicted with an earlier write of the same operator, which should have waited for its cache.
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
