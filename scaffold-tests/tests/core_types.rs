//! The tables of built-in types equal Kubernetes and k8s-openapi.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read, start processes and fail"
)]

use std::{path::Path, process::Command};

use scaffold_tests::{Cargo, Run, skip};

#[test]
fn the_table_equals_kubernetes() {
    check("table", "model/src/core_types/table.tsv");
}

#[test]
fn the_rust_types_equal_k8s_openapi() {
    check("rust", "runtime/src/schema/core_types.rs");
}

fn check(output: &str, file: &str) {
    if Command::new("go").arg("version").output().is_err() {
        return skip(format_args!(
            "{file} was not compared with Kubernetes: there is no go to fetch it"
        ));
    }
    let cargo = Cargo::new().unwrap();
    let k8s_openapi = cargo.k8s_openapi(&format!("core-types-{output}"));
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file);
    let mut command = Command::new(env!("CARGO_BIN_EXE_core-types"));
    command.arg(output).arg(k8s_openapi.unwrap());
    command.arg("--check").arg(file);
    let run = Run::of(command);
    assert_eq!(run.code, Some(0), "{run}");
}
