//! The table of Kubernetes' own types, and the list of their Rust types, are what Kubernetes and k8s-openapi have.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read, start processes, fail and say what they skip"
)]

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use scaffold_tests::{Cargo, Scenario, skip};

#[test]
fn the_table_is_that_of_kubernetes() {
    check("table", "model/src/core_types/table.tsv");
}

#[test]
fn the_rust_types_are_those_of_k8s_openapi() {
    check("rust", "runtime/src/schema/core_types.rs");
}

fn check(output: &str, file: &str) {
    if Command::new("go").arg("version").output().is_err() {
        return skip(format_args!(
            "{file} was not compared with Kubernetes' types, which go fetches: there is no go"
        ));
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file);
    let checked = Command::new(env!("CARGO_BIN_EXE_core-types"))
        .arg(output)
        .arg(k8s_openapi(output))
        .arg("--check")
        .arg(file)
        .output()
        .unwrap();
    assert!(
        checked.status.success(),
        "{}",
        String::from_utf8_lossy(&checked.stderr)
    );
}

/// The folder of the k8s-openapi that generated projects have.
fn k8s_openapi(test: &str) -> PathBuf {
    let cargo = Cargo::new().unwrap();
    let scenarios = Scenario::all().unwrap();
    let minimal = scenarios.iter().find(|scenario| scenario.name == "minimal");
    let name = format!("core-types-{test}");
    let project = cargo.project(minimal.unwrap(), &name).unwrap();
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
    manifest.parent().unwrap().to_owned()
}
