//! Every golden is formatted, lints clean, builds and passes its own tests.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read, write and fail"
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

/// The commented example in a controller: lines that are indented by four more blanks behind the comment sign.
fn with_examples(source: &str) -> String {
    let uncommented: Vec<&str> = source
        .lines()
        .map(|line| line.strip_prefix("    //     ").unwrap_or(line))
        .collect();
    uncommented.join("\n").replace(
        "_context: Arc<Context>,\n) -> Result",
        "context: Arc<Context>,\n) -> Result",
    )
}

#[test]
fn the_examples_in_comments_compile() {
    let cargo = Cargo::new().unwrap();
    let scenario = Scenario::all()
        .unwrap()
        .into_iter()
        .find(|scenario| scenario.name == "owns");
    let project = cargo.project(&scenario.unwrap(), "owns-examples").unwrap();
    let mut examples = 0;
    for controller in ["app_service", "platform"] {
        let path = project.join(format!("src/controller/{controller}.rs"));
        let source = fs::read_to_string(&path).unwrap();
        let uncommented = with_examples(&source);
        examples += uncommented.matches(".patch(").count();
        fs::write(&path, uncommented).unwrap();
    }
    assert_eq!(examples, 2, "one for each controller that owns something");
    cargo.run(&project, &["check", "--quiet"]).unwrap();
}
