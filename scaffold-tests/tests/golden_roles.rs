//! The role of each golden allows the calls of its controllers, and nothing else.
//!
//! The rules that a controller needs are derived a second time here, from its source, which finds missing and superfluous rules. Operators
//! under their generated roles show that the rules suffice.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read and fail"
)]

use std::{collections::BTreeSet, fs, path::Path};

use scaffold_tests::Scenario;
use serde_json::Value;

/// A permission: group, resource, verb.
type Permission = (String, String, String);

/// Returns the sources of the controllers below a directory.
fn sources(dir: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.file_name().is_some_and(|name| name != "mod.rs") {
            found.push(fs::read_to_string(path).unwrap());
        }
    }
    found
}

/// Returns the group, resource and verbs of each rule of a controller.
fn rules(source: &str) -> Vec<[String; 3]> {
    let argument = |rule: &str, name: &str| {
        let (_, value) = rule.split_once(&format!("{name} = \"")).unwrap();
        value.split_once('"').unwrap().0.to_owned()
    };
    source
        .split("#[kb::rbac(")
        .skip(1)
        .map(|rule| match rule.strip_prefix('"') {
            Some(rule) => compact(rule),
            None => ["groups", "resources", "verbs"].map(|name| argument(rule, name)),
        })
        .collect()
}

/// Reads `apps/deployments": get, list, reason = ".."`.
fn compact(rule: &str) -> [String; 3] {
    let (subject, rest) = rule.split_once("\": ").unwrap();
    let (group, resource) = subject.split_once('/').unwrap();
    let group = if group == "core" { "" } else { group };
    let (arguments, _) = rest.split_once(")]").unwrap();
    let verbs: Vec<&str> = arguments
        .split(", ")
        .take_while(|verb| !verb.contains('='))
        .collect();
    [group.to_owned(), resource.to_owned(), verbs.join(";")]
}

/// Counts the rules that the code of a controller needs.
fn needed(source: &str) -> [(&'static str, usize); 6] {
    let count = |what: &str| source.matches(what).count();
    let finalized = count(".finalizer(");
    [
        ("watched", count("manager.store::<") - finalized),
        ("finalized", finalized),
        ("owned", count(".apply(&owner, ")),
        ("status", count(".patch_status(")),
        ("finalizers", count("Owner::of(")),
        ("events", count(".report_errors(")),
    ]
}

/// Counts the rules of a controller.
fn declared(rules: &[[String; 3]]) -> [(&'static str, usize); 6] {
    let mut declared = [
        "watched",
        "finalized",
        "owned",
        "status",
        "finalizers",
        "events",
    ]
    .map(|purpose| (purpose, 0));
    for [group, resource, verbs] in rules {
        let (_, subresource) = resource.split_once('/').unwrap_or_default();
        let index = match (group.as_str(), subresource, verbs.as_str()) {
            (_, "", "list;watch") => 0,
            (_, "", "list;watch;patch") => 1,
            (_, "", "get;list;watch;create;patch") => 2,
            (_, "status", "patch") => 3,
            (_, "finalizers", "update") => 4,
            ("events.k8s.io", "", "create;patch") if resource == "events" => 5,
            other => panic!("no code needs {other:?}"),
        };
        declared[index].1 += 1;
    }
    declared
}

fn permissions_of_rules(rules: &[[String; 3]]) -> BTreeSet<Permission> {
    let mut permissions = BTreeSet::new();
    for [group, resource, verbs] in rules {
        for verb in verbs.split(';') {
            permissions.insert((group.clone(), resource.clone(), verb.to_owned()));
        }
    }
    permissions
}

fn permissions_of_role(golden: &Path) -> BTreeSet<Permission> {
    let text = fs::read_to_string(golden.join("config/rbac/role.yaml")).unwrap();
    let roles: Vec<Value> = serde_saphyr::from_multiple(&text).unwrap();
    let list = |rule: &Value, name: &str| -> Vec<String> {
        serde_json::from_value(rule[name].clone()).unwrap()
    };
    let mut permissions = BTreeSet::new();
    for rule in roles
        .iter()
        .flat_map(|role| role["rules"].as_array().unwrap())
    {
        for group in list(rule, "apiGroups") {
            for resource in list(rule, "resources") {
                for verb in list(rule, "verbs") {
                    permissions.insert((group.clone(), resource.clone(), verb));
                }
            }
        }
    }
    permissions
}

#[test]
fn controllers_declare_the_rules_that_they_need_and_no_others() {
    let mut seen = 0;
    for scenario in Scenario::all().unwrap() {
        let golden = scenario.golden();
        let mut of_code = BTreeSet::new();
        for source in sources(&golden.join("src/controller")) {
            let rules = rules(&source);
            assert_eq!(declared(&rules), needed(&source), "{}", golden.display());
            of_code.extend(permissions_of_rules(&rules));
            seen += 1;
        }
        assert_eq!(
            permissions_of_role(&golden),
            of_code,
            "{}",
            golden.display()
        );
    }
    assert!(seen > 10, "only {seen} controllers were found");
}
