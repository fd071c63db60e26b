//! Every golden is formatted, lints clean, builds and passes its own tests.
#![allow(clippy::unwrap_used, reason = "tests fail")]

use std::path::Path;

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
