//! The roles. `rules.tsv` has the rules that controller-gen's test has.

use std::{fmt::Write, fs};

use kb_model::{
    RoleName,
    rbac::{Role, Rule, roles},
};
use scaffold_tests::KbRs;
use serde_json::Value;
use similar::TextDiff;

use crate::{documents, goldens};

/// The columns of each rule.
fn rows() -> impl Iterator<Item = [&'static str; 7]> {
    include_str!("rules.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split('\t').collect::<Vec<_>>().try_into().unwrap())
}

fn list(column: &str) -> Vec<String> {
    let entries = column.split(';').filter(|entry| *entry != "-");
    entries
        .map(|entry| entry.trim_matches('"').to_owned())
        .collect()
}

fn rules() -> Vec<Rule> {
    let text = |column: &str| (column != "-").then(|| column.to_owned());
    rows()
        .map(
            |[groups, resources, names, urls, verbs, namespace, role]| Rule {
                groups: list(groups),
                resources: list(resources),
                resource_names: list(names),
                urls: list(urls),
                verbs: list(verbs),
                namespace: text(namespace),
                role_name: text(role),
                reason: None,
            },
        )
        .collect()
}

fn golden() -> Option<String> {
    goldens().map(|folder| fs::read_to_string(folder.join("rbac/role.yaml")).unwrap())
}

#[track_caller]
fn assert_same(wanted: &str, found: &str) {
    assert!(
        wanted == found,
        "{}",
        TextDiff::from_lines(wanted, found).unified_diff()
    );
}

#[test]
fn the_rules_make_the_roles_of_controller_gen() {
    assert_eq!(rows().count(), 41);
    let Some(golden) = golden() else { return };
    let made: Vec<Value> = roles(&rules(), &RoleName::default())
        .iter()
        .map(Role::document)
        .collect();
    let pretty = |documents: &[Value]| serde_json::to_string_pretty(documents).unwrap();
    assert_same(&pretty(&documents(&golden)), &pretty(&made));
}

/// Two of the rules are about resources that the core group does not have, which kb-rs refuses: these are there, and are sorted the same.
const STAND_INS: [(&str, &str); 2] = [("deduplicate", "configmaps"), ("me", "pods")];

/// The attributes that say the same.
fn source() -> String {
    let quoted = |entries: &[String]| -> String {
        let entries: Vec<String> = entries.iter().map(|entry| format!("{entry:?}")).collect();
        format!("[{}]", entries.join(", "))
    };
    let mut source = String::new();
    for (index, mut rule) in rules().into_iter().enumerate() {
        for (missing, there) in STAND_INS {
            let missing = rule.resources.iter_mut().filter(|own| *own == missing);
            missing.for_each(|own| there.clone_into(own));
        }
        let lists = [
            ("groups", &rule.groups),
            ("resources", &rule.resources),
            ("resource_names", &rule.resource_names),
            ("urls", &rule.urls),
            ("verbs", &rule.verbs),
        ];
        let texts = [("namespace", rule.namespace), ("role_name", rule.role_name)];
        let lists = lists.iter().filter(|(_, list)| !list.is_empty());
        let lists = lists.map(|(name, list)| format!("{name} = {}", quoted(list)));
        let texts = texts
            .iter()
            .filter_map(|(name, text)| Some(format!("{name} = {:?}", text.as_ref()?)));
        let arguments: Vec<String> = lists.chain(texts).collect();
        let arguments = arguments.join(", ");
        writeln!(source, "#[kb::rbac({arguments})]\nfn rule_{index}() {{}}").unwrap();
    }
    source
}

#[test]
fn the_command_writes_the_roles_of_controller_gen_byte_for_byte() {
    let Some(golden) = golden() else { return };
    // Go's YAML prefers one kind of quotes, and ours the other.
    let golden = golden.replace("'*'", "\"*\"");
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    fs::create_dir(root.join("src")).unwrap();
    let record =
        "domain: example.com\nlayout:\n- rust.kb-rs.dev/v1\nprojectName: roles\nversion: \"3\"\n";
    fs::write(root.join("PROJECT"), record).unwrap();
    let manifest = "[package]\nname = \"roles\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    fs::write(root.join("Cargo.toml"), manifest).unwrap();
    fs::write(root.join("src/main.rs"), source()).unwrap();
    let kb_rs = KbRs::at(env!("CARGO_BIN_EXE_kb-rs-under-test"));
    let run = kb_rs.succeed(root, "generate rbac --stdout");
    let (_, mut made) = run
        .stdout
        .split_once('\n')
        .map(|(mark, rest)| (mark, rest.to_owned()))
        .unwrap();
    for (missing, there) in STAND_INS {
        made = made.replace(&format!("  - {there}\n"), &format!("  - {missing}\n"));
    }
    assert_same(&golden, &made);
}
