//! The role of each golden allows what its code does, and nothing else.
//!
//! What code needs which rule is written down once more here, by what stands in the controllers: so a rule that the templates hand out
//! too freely, or forget, shows. That the rules are also enough is shown by operators that run under their own role.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read and fail"
)]

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;

/// One thing that may be done: group, resource, verb.
type Allowed = (String, String, String);

fn goldens() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("goldens");
    let mut goldens: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    goldens.sort();
    goldens
}

/// The controllers below a folder.
fn sources(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.file_name().is_some_and(|name| name != "mod.rs") {
            found.push(fs::read_to_string(path).unwrap());
        }
    }
    found
}

/// The rules of a controller, each as its arguments.
fn rules(source: &str) -> Vec<[String; 3]> {
    let argument = |rule: &str, name: &str| {
        let (_, value) = rule.split_once(&format!("{name} = \"")).unwrap();
        value.split_once('"').unwrap().0.to_owned()
    };
    source
        .split("#[kb::rbac(")
        .skip(1)
        .map(|rule| ["groups", "resources", "verbs"].map(|name| argument(rule, name)))
        .collect()
}

/// How many rules of each sort the code of a controller needs: for what it watches, owns, writes and says.
fn needed(source: &str) -> [(&'static str, usize); 5] {
    let count = |what: &str| source.matches(what).count();
    let applied = count("&owner, wanted, &context.");
    let status = count(".patch_status(");
    [
        ("watched", count("manager.store::<") - applied),
        ("owned", applied),
        ("status", status),
        ("finalizers", count("Owner::of(")),
        ("events", count(".publish(")),
    ]
}

/// The same of its rules. One of no sort is not needed.
fn given(rules: &[[String; 3]]) -> [(&'static str, usize); 5] {
    let mut given = ["watched", "owned", "status", "finalizers", "events"].map(|sort| (sort, 0));
    for [group, resource, verbs] in rules {
        let (_, subresource) = resource.split_once('/').unwrap_or_default();
        let sort = match (group.as_str(), subresource, verbs.as_str()) {
            (_, "", "list;watch") => 0,
            (_, "", "get;list;watch;create;patch") => 1,
            (_, "status", "patch") => 2,
            (_, "finalizers", "update") => 3,
            ("events.k8s.io", "", "create;patch") if resource == "events" => 4,
            other => panic!("no code needs {other:?}"),
        };
        given[sort].1 += 1;
    }
    given
}

fn allowed_by_rules(rules: &[[String; 3]]) -> BTreeSet<Allowed> {
    let mut allowed = BTreeSet::new();
    for [group, resource, verbs] in rules {
        for verb in verbs.split(';') {
            allowed.insert((group.clone(), resource.clone(), verb.to_owned()));
        }
    }
    allowed
}

fn allowed_by_role(golden: &Path) -> BTreeSet<Allowed> {
    let text = fs::read_to_string(golden.join("config/rbac/role.yaml")).unwrap();
    let roles: Vec<Value> = serde_saphyr::from_multiple(&text).unwrap();
    let list = |rule: &Value, name: &str| -> Vec<String> {
        serde_json::from_value(rule[name].clone()).unwrap()
    };
    let mut allowed = BTreeSet::new();
    for rule in roles
        .iter()
        .flat_map(|role| role["rules"].as_array().unwrap())
    {
        for group in list(rule, "apiGroups") {
            for resource in list(rule, "resources") {
                for verb in list(rule, "verbs") {
                    allowed.insert((group.clone(), resource.clone(), verb));
                }
            }
        }
    }
    allowed
}

#[test]
fn every_rule_is_needed_by_code_and_all_code_has_its_rules() {
    let mut seen = 0;
    for golden in goldens() {
        let mut of_code = BTreeSet::new();
        for source in sources(&golden.join("src/controller")) {
            let rules = rules(&source);
            assert_eq!(given(&rules), needed(&source), "{}", golden.display());
            of_code.extend(allowed_by_rules(&rules));
            seen += 1;
        }
        assert_eq!(allowed_by_role(&golden), of_code, "{}", golden.display());
    }
    assert!(seen > 10, "only {seen} controllers were looked at");
}
