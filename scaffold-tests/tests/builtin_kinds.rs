//! The table of Kubernetes' own kinds is what the k8s-openapi of generated projects has.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read, start processes and fail"
)]

use std::{path::Path, process::Command};

use scaffold_tests::{Cargo, Scenario};

#[test]
fn the_table_is_that_of_k8s_openapi() {
    let cargo = Cargo::new().unwrap();
    let scenarios = Scenario::all().unwrap();
    let minimal = scenarios.iter().find(|scenario| scenario.name == "minimal");
    let project = cargo.project(minimal.unwrap(), "builtin-kinds").unwrap();
    let metadata = cargo
        .output(&project, &["metadata", "--format-version", "1"])
        .unwrap();
    let metadata: serde_json::Value = serde_json::from_str(&metadata).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let k8s_openapi = packages
        .iter()
        .find(|package| package["name"] == "k8s-openapi")
        .unwrap();
    let manifest = Path::new(k8s_openapi["manifest_path"].as_str().unwrap());

    let table = Path::new(env!("CARGO_MANIFEST_DIR")).join("../model/src/builtin/kinds.tsv");
    let output = Command::new(env!("CARGO_BIN_EXE_builtin-kinds"))
        .arg(manifest.parent().unwrap())
        .arg("--check")
        .arg(table)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
