//! Every scenario scaffolds exactly its golden, reports the same files in a dry run, changes nothing the second time, and leaves nothing to
//! generate.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read, write and fail"
)]

use std::{collections::BTreeSet, env, path::Path};

use scaffold_tests::{Project, Scenario, Tree};

/// Returns the paths in a JSON report.
fn reported(stdout: &str) -> BTreeSet<String> {
    let report: serde_json::Value = serde_json::from_str(stdout).unwrap();
    let changes = report["changes"].as_array().unwrap();
    changes
        .iter()
        .map(|change| change["path"].as_str().unwrap().to_owned())
        .collect()
}

fn changed(before: &Tree, after: &Tree) -> BTreeSet<String> {
    let differs = |(path, text): &(&str, &str)| before.get(path) != Some(text);
    after
        .files()
        .filter(differs)
        .map(|(path, _)| path.to_owned())
        .collect()
}

/// Runs a command of a scenario: a dry run, then the command, then the command again.
fn run_step(project: &Project, command: &str) {
    let before = project.tree();
    let planned = project.succeed(&format!(
        "{command} --dry-run\n{command} --diff\n{command} --dry-run --output json"
    ));
    assert_eq!(project.tree(), before, "{command}: a dry run wrote");

    project.succeed(command);
    let after = project.tree();
    assert_eq!(
        reported(&planned.stdout),
        changed(&before, &after),
        "{command}: the dry run reported other files"
    );

    // The manifests are up to date; existing APIs are rejected.
    project.succeed("generate --check\ngenerate");
    let again = project.run(command.split_whitespace());
    assert_eq!(again.code, Some(1), "{command} again: {again}");
    assert_eq!(after.difference(&project.tree()), None, "{command} again");

    if command.starts_with("create") {
        project.succeed(&format!("{command} --force"));
        assert_eq!(after.difference(&project.tree()), None, "{command} --force");
    }
}

#[test]
fn every_scenario_makes_its_golden() {
    let update = env::var_os("UPDATE_GOLDENS").is_some();
    let mut differences = Vec::new();
    for scenario in Scenario::all().unwrap() {
        let project = Project::empty();
        for command in &scenario.commands {
            run_step(&project, command);
        }
        let tree = project.tree();
        if update {
            tree.write(&scenario.golden()).unwrap();
        } else if let Some(difference) = scenario.golden_tree().unwrap().difference(&tree) {
            differences.push(format!("--- scenario {} ---\n{difference}", scenario.name));
        }
    }
    assert!(
        differences.is_empty(),
        "{}\nIf this is intended, run `make goldens` and commit the result.",
        differences.join("\n")
    );
}

#[test]
fn init_with_an_api_equals_init_and_create_api() {
    let init = "init --domain example.com --project-name same --repo https://example.com/same";
    let combined = Project::new(&format!("{init} --api batch/v1/AppService"));
    let separate = Project::new(&format!(
        "{init}\ncreate api --group batch --version v1 --kind AppService"
    ));
    assert_eq!(combined.tree().difference(&separate.tree()), None);
}

#[test]
fn every_golden_has_a_scenario() {
    let scenarios: BTreeSet<String> = Scenario::all()
        .unwrap()
        .into_iter()
        .map(|scenario| scenario.name)
        .collect();
    let goldens = Path::new(env!("CARGO_MANIFEST_DIR")).join("goldens");
    let found: BTreeSet<String> = std::fs::read_dir(goldens)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(found, scenarios);
}
