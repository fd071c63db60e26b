//! Every scenario makes exactly its golden, shows the same beforehand, and changes nothing the second time.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read, write and fail"
)]

use std::{collections::BTreeSet, env, path::Path};

use scaffold_tests::{KbRs, Scenario, Tree};

fn kb_rs() -> KbRs {
    KbRs::at(env!("CARGO_BIN_EXE_kb-rs-under-test"))
}

/// The paths that a JSON report lists.
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

fn arguments<'a>(command: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    command
        .split_whitespace()
        .chain(more.iter().copied())
        .collect()
}

/// Runs one command of a scenario: shown first, then done, then done again.
fn step(root: &Path, command: &str) {
    let before = Tree::read(root).unwrap();

    for flag in ["--dry-run", "--diff"] {
        let run = kb_rs().run(root, arguments(command, &[flag]));
        assert_eq!(run.code, Some(0), "{command} {flag}: {}", run.stderr);
        assert_eq!(
            Tree::read(root).unwrap(),
            before,
            "{command} {flag} wrote something"
        );
    }
    let planned = kb_rs().run(root, arguments(command, &["--dry-run", "--output", "json"]));

    kb_rs().succeed(root, command);
    let after = Tree::read(root).unwrap();
    assert_eq!(
        reported(&planned.stdout),
        changed(&before, &after),
        "{command}: the dry run lied"
    );

    // What is there already is refused; what is generated is up to date.
    let code = i32::from(!command.starts_with("generate"));
    let again = kb_rs().run(root, command.split_whitespace());
    assert_eq!(
        again.code,
        Some(code),
        "{command} a second time: {}",
        again.stdout
    );
    assert_eq!(
        after.difference(&Tree::read(root).unwrap()),
        None,
        "{command} a second time"
    );

    if command.starts_with("create") {
        let forced = kb_rs().succeed(root, &format!("{command} --force"));
        assert!(
            forced.stderr.contains("nothing to change"),
            "{command} --force: {}",
            forced.stdout
        );
        assert_eq!(
            after.difference(&Tree::read(root).unwrap()),
            None,
            "{command} --force"
        );
    }
}

#[test]
fn every_scenario_makes_its_golden() {
    let update = env::var_os("UPDATE_GOLDENS").is_some();
    let mut differences = Vec::new();
    for scenario in Scenario::all().unwrap() {
        let folder = tempfile::tempdir().unwrap();
        for command in &scenario.commands {
            step(folder.path(), command);
        }
        let made = Tree::read(folder.path()).unwrap();
        if update {
            made.write(&scenario.golden()).unwrap();
        } else if let Some(difference) = scenario.golden_tree().unwrap().difference(&made) {
            differences.push(format!("--- scenario {} ---\n{difference}", scenario.name));
        }
    }
    assert!(
        differences.is_empty(),
        "{}\nIf this is what you want, run `make goldens` and commit the result.",
        differences.join("\n")
    );
}

#[test]
fn init_with_an_api_equals_init_and_create_api() {
    let [at_once, in_turn] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let init = "init --domain example.com --project-name same --repo https://example.com/same";
    kb_rs().succeed(at_once.path(), &format!("{init} --api batch/v1/AppService"));
    kb_rs().succeed(in_turn.path(), init);
    kb_rs().succeed(
        in_turn.path(),
        "create api --group batch --version v1 --kind AppService",
    );

    // It has its manifests from the start.
    kb_rs().succeed(at_once.path(), "generate --check");
    kb_rs().succeed(in_turn.path(), "generate");

    let [at_once, in_turn] = [at_once, in_turn].map(|folder| Tree::read(folder.path()).unwrap());
    assert_eq!(at_once.difference(&in_turn), None);
}

#[test]
fn no_golden_is_left_without_its_scenario() {
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
