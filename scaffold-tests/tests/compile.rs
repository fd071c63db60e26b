//! Every golden is formatted, lints clean, builds and passes its own tests.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read, write and fail"
)]

use std::{collections::BTreeSet, fs, path::Path};

use scaffold_tests::{Cargo, Scenario, Tree};

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
            writes_its_crds(&cargo, &project, &scenario.name);
        }
    }
}

/// `crdgen` writes every CRD that the kustomization lists, and no other.
fn writes_its_crds(cargo: &Cargo, project: &Path, name: &str) {
    let folder = tempfile::tempdir().unwrap();
    let feature = format!("{name}-api/crdgen");
    let crdgen = [
        "run",
        "--quiet",
        "--features",
        &feature,
        "--bin",
        "crdgen",
        "--",
    ];
    let arguments: Vec<&str> = crdgen.into_iter().chain(folder.path().to_str()).collect();
    cargo.run(project, &arguments).unwrap();

    let kustomization = fs::read_to_string(project.join("config/crd/kustomization.yaml")).unwrap();
    let listed: BTreeSet<&str> = kustomization
        .lines()
        .filter_map(|line| line.strip_prefix("- bases/"))
        .collect();
    let written = Tree::read(folder.path()).unwrap();
    assert_eq!(
        written
            .files()
            .map(|(path, _)| path)
            .collect::<BTreeSet<_>>(),
        listed,
        "{name}"
    );
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
