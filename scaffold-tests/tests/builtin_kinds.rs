//! The table of built-in kinds equals the k8s-openapi of scaffolded projects.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read, start processes and fail"
)]

use std::{path::Path, process::Command};

use scaffold_tests::{Cargo, Run};

#[test]
fn the_table_equals_k8s_openapi() {
    let k8s_openapi = Cargo::new().unwrap().k8s_openapi("builtin-kinds").unwrap();
    let table = Path::new(env!("CARGO_MANIFEST_DIR")).join("../model/src/builtin/kinds.tsv");
    let mut command = Command::new(env!("CARGO_BIN_EXE_builtin-kinds"));
    command.arg(k8s_openapi).arg("--check").arg(table);
    let run = Run::of(command);
    assert_eq!(run.code, Some(0), "{run}");
}
