//! The table of the resources of Kubernetes' own groups is what Kubernetes has.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read, start processes, fail and say what they skip"
)]

use std::{path::Path, process::Command};

use scaffold_tests::skip;

/// The version that generated projects are for.
const KUBERNETES: &str = "k8s.io/kubernetes@v1.36.3";

/// The folder of the module, if go is there to name it.
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
fn the_table_is_that_of_kubernetes() {
    let Some(module) = module() else {
        return skip(format_args!(
            "the table was not compared with {KUBERNETES}, which go cannot fetch"
        ));
    };
    let table = Path::new(env!("CARGO_MANIFEST_DIR")).join("../model/src/builtin/resources.tsv");
    let checked = Command::new(env!("CARGO_BIN_EXE_builtin-resources"))
        .arg(module)
        .arg("--check")
        .arg(table)
        .output()
        .unwrap();
    assert!(
        checked.status.success(),
        "{}",
        String::from_utf8_lossy(&checked.stderr)
    );
}
