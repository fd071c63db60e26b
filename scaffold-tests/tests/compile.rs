//! Every golden is formatted, has no lints, and passes its tests.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests write and fail"
)]

use std::{collections::BTreeSet, fs, path::Path};

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

#[test]
fn the_operator_is_built_with_the_features_of_its_tests() {
    let cargo = Cargo::new().unwrap();
    let scenario = Scenario::named("one-api").unwrap();
    let project = cargo.project(&scenario, "same-features").unwrap();
    let features = |arguments: &[&str]| -> BTreeSet<String> {
        let tree = ["tree", "--prefix=none", "--format={p} [{f}]"];
        let packages = cargo.output(&project, &[&tree, arguments].concat());
        let packages = packages.unwrap();
        let packages = packages.lines();
        packages
            .map(|line| line.trim_end_matches(" (*)").to_owned())
            .collect()
    };
    let run = features(&["--edges=normal,build"]);
    let test = features(&["--edges=all", "--workspace"]);
    let rebuilt: Vec<&String> = run.difference(&test).collect();
    assert!(
        rebuilt.is_empty(),
        "`cargo run` after `cargo test` rebuilds {rebuilt:?}"
    );
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
