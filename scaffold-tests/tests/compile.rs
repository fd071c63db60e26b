//! Every golden is formatted, has no lints, and passes its tests.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests write and fail"
)]

use std::{fs, path::Path};

use scaffold_tests::{Cargo, KbRs, Run, Scenario};

#[test]
fn every_golden_is_formatted_has_no_lints_and_passes_its_tests() {
    let cargo = Cargo::new().unwrap();
    for scenario in Scenario::all().unwrap() {
        let project = cargo.project(&scenario, &scenario.name).unwrap();
        for arguments in [
            &["fmt", "--all", "--check"][..],
            // Lints as well: see `Cargo::program`.
            &["test", "--quiet", "--workspace"],
        ] {
            cargo.run(&project, arguments).unwrap();
        }
        if project.join("api").is_dir() {
            assert_up_to_date(&cargo, &project);
        }
    }
}

/// Sources and rustc agree, and the committed CRDs are up to date.
fn assert_up_to_date(cargo: &Cargo, project: &Path) {
    for flag in ["--verify", "--check"] {
        let mut command = cargo.program(KbRs::new().path(), project);
        command.args(["generate", flag]);
        let run = Run::of(command);
        assert_eq!(run.code, Some(0), "{}: {run}", project.display());
    }
}

#[test]
fn the_test_of_the_api_crate_fails_if_a_crd_is_missing() {
    let cargo = Cargo::new().unwrap();
    let scenario = Scenario::named("one-api").unwrap();
    let project = cargo.project(&scenario, "missing-crd").unwrap();
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
