//! Every golden is formatted, lints clean, builds and passes its own tests.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read, write and fail"
)]

use scaffold_tests::{Cargo, Scenario};

#[test]
fn every_golden_is_formatted_lints_clean_and_passes_its_tests() {
    let cargo = Cargo::new().unwrap();
    for scenario in Scenario::all().unwrap() {
        let project = cargo.project(&scenario).unwrap();
        for arguments in [
            &["fmt", "--all", "--check"][..],
            &[
                "clippy",
                "--quiet",
                "--workspace",
                "--all-targets",
                "--",
                "-D",
                "warnings",
            ],
            &["test", "--quiet", "--workspace"],
        ] {
            cargo.run(&project, arguments).unwrap();
        }
    }
}
