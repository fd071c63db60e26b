//! The table of built-in resources equals Kubernetes.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read, start processes and fail"
)]

use std::{path::Path, process::Command};

use scaffold_tests::{Run, skip};

/// The version of scaffolded projects.
const KUBERNETES: &str = "k8s.io/kubernetes@v1.36.3";

/// Returns the directory of the module, if go can fetch it.
fn module() -> Option<String> {
    let output = Command::new("go")
        .args(["mod", "download", "-json", KUBERNETES])
        .current_dir(std::env::temp_dir())
        .output()
        .ok()?;
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).ok()?;
    Some(answer["Dir"].as_str()?.to_owned())
}

#[test]
fn the_table_equals_kubernetes() {
    let Some(module) = module() else {
        return skip(format_args!(
            "the table was not compared with {KUBERNETES}, which go cannot fetch"
        ));
    };
    let table = Path::new(env!("CARGO_MANIFEST_DIR")).join("../model/src/builtin/resources.tsv");
    let mut command = Command::new(env!("CARGO_BIN_EXE_builtin-resources"));
    command.arg(module).arg("--check").arg(table);
    let run = Run::of(command);
    assert_eq!(run.code, Some(0), "{run}");
}
