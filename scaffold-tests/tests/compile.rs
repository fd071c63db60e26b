//! Every golden is formatted, lints clean, builds and passes its own tests.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests write and fail"
)]

use std::{fs, path::Path};

use scaffold_tests::{Cargo, Scenario};

#[test]
fn every_golden_is_formatted_lints_clean_and_passes_its_tests() {
    let cargo = Cargo::new().unwrap();
    for scenario in Scenario::all().unwrap() {
        let project = cargo.project(&scenario, &scenario.name).unwrap();
        for arguments in [
            &["fmt", "--all", "--check"][..],
            // This lints as well: see `Cargo::program`.
            &["test", "--quiet", "--workspace"],
        ] {
            cargo.run(&project, arguments).unwrap();
        }
        if project.join("api").is_dir() {
            both_paths_agree(&cargo, &project);
        }
    }
}

/// The sources say what rustc says, and the committed CRDs are up to date.
fn both_paths_agree(cargo: &Cargo, project: &Path) {
    for flag in ["--verify", "--check"] {
        let status = cargo
            .program(Path::new(env!("CARGO_BIN_EXE_kb-rs-under-test")), project)
            .args(["generate", flag])
            .status()
            .unwrap();
        assert!(status.success(), "generate {flag} in {}", project.display());
    }
}

#[test]
fn the_test_of_the_api_crate_fails_if_a_crd_is_missing() {
    let cargo = Cargo::new().unwrap();
    let all = Scenario::all().unwrap();
    let scenario = all.iter().find(|it| it.name == "one-api").unwrap();
    let project = cargo.project(scenario, "missing-crd").unwrap();
    let test = [
        "test",
        "--quiet",
        "--package",
        "one-api-api",
        "--test",
        "crds",
    ];
    cargo.run(&project, &test).unwrap();
    let crd = "config/crd/bases/batch.example.com_appservices.yaml";
    fs::remove_file(project.join(crd)).unwrap();
    cargo.run(&project, &test).unwrap_err();
}
