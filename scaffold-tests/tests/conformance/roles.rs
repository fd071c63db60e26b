//! Roles. `rules.tsv` contains the rules of controller-gen's test.

use std::{fmt::Write, fs};

use kb_model::{
    RoleName,
    rbac::{Role, Rule, roles},
};
use scaffold_tests::Project;
use serde_json::Value;
use similar::TextDiff;

use crate::{documents, goldens};

/// Returns the columns of each rule.
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
    goldens().map(|dir| fs::read_to_string(dir.join("rbac/role.yaml")).unwrap())
}

#[track_caller]
fn assert_same(expected: &str, found: &str) {
    assert!(
        expected == found,
        "{}",
        TextDiff::from_lines(expected, found).unified_diff()
    );
}

#[test]
fn roles_equal_those_of_controller_gen() {
    assert_eq!(rows().count(), 41);
    let Some(golden) = golden() else { return };
    let roles: Vec<Value> = roles(&rules(), &RoleName::default())
        .iter()
        .map(Role::document)
        .collect();
    let pretty = |documents: &[Value]| serde_json::to_string_pretty(documents).unwrap();
    assert_same(&pretty(&documents(&golden)), &pretty(&roles));
}

/// Resources that the core group does not have, which kb-rs rejects, and existing ones with the same sort order.
const SUBSTITUTES: [(&str, &str); 2] = [("deduplicate", "configmaps"), ("me", "pods")];

/// Returns the rules as attributes.
fn source() -> String {
    let quoted = |entries: &[String]| -> String {
        let entries: Vec<String> = entries.iter().map(|entry| format!("{entry:?}")).collect();
        format!("[{}]", entries.join(", "))
    };
    let mut source = String::new();
    for (index, mut rule) in rules().into_iter().enumerate() {
        for (missing, existing) in SUBSTITUTES {
            let missing = rule.resources.iter_mut().filter(|own| *own == missing);
            missing.for_each(|own| existing.clone_into(own));
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
fn generate_prints_the_roles_of_controller_gen_byte_for_byte() {
    let Some(golden) = golden() else { return };
    // Go's YAML writer prefers the other kind of quotes.
    let golden = golden.replace("'*'", "\"*\"");
    let project = Project::empty();
    project.write(
        "PROJECT",
        "domain: example.com\nlayout:\n- rust.kb-rs.dev/v1\nprojectName: roles\nversion: \"3\"\n",
    );
    project.write(
        "Cargo.toml",
        "[package]\nname = \"roles\"\nversion = \"0.1.0\"\nedition = \"2024\"\n",
    );
    project.write("src/main.rs", &source());
    let run = project.succeed("generate rbac --stdout");
    let (_header, roles) = run.stdout.split_once('\n').unwrap();
    let mut roles = roles.to_owned();
    for (missing, existing) in SUBSTITUTES {
        roles = roles.replace(&format!("  - {existing}\n"), &format!("  - {missing}\n"));
    }
    assert_same(&golden, &roles);
}
