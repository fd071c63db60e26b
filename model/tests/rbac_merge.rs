//! Merging of rules, which preserves permissions.
#![allow(missing_docs, reason = "a test")]

mod rules;

use std::collections::BTreeSet;

use kb_model::RoleName;
use kb_model::rbac::{Grant, Role, Rule, roles};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use rules::rule;

fn build_roles(lines: &[&str]) -> Vec<Role> {
    let rules: Vec<Rule> = lines.iter().map(|line| rule(line)).collect();
    roles(&rules, &RoleName::default())
}

/// Returns the grants of the only role, in the notation of the rules.
fn grants(lines: &[&str]) -> Vec<String> {
    let roles = build_roles(lines);
    assert_eq!(roles.len(), 1);
    roles[0].grants.iter().map(text).collect()
}

fn text(grant: &Grant) -> String {
    let lists = [
        ("groups", &grant.groups),
        ("resources", &grant.resources),
        ("resource_names", &grant.resource_names),
        ("urls", &grant.urls),
        ("verbs", &grant.verbs),
        ("reasons", &grant.reasons),
    ];
    let written = lists
        .iter()
        .filter(|(_, set)| !set.is_empty())
        .map(|(name, set)| {
            format!(
                "{name}={}",
                set.iter().cloned().collect::<Vec<_>>().join(";")
            )
        });
    written.collect::<Vec<_>>().join(" ")
}

#[test]
fn merges_verbs_of_equal_resources() {
    assert_eq!(
        grants(&[
            "groups=a resources=x verbs=list;get;get",
            "groups=a resources=x verbs=watch"
        ]),
        ["groups=a resources=x verbs=get;list;watch"]
    );
}

#[test]
fn merges_resources_then_groups_of_equal_verbs() {
    assert_eq!(
        grants(&[
            "groups=a resources=x verbs=get",
            "groups=a resources=y verbs=get",
            "groups=b resources=x;y verbs=get",
            "groups=c resources=x verbs=get",
        ]),
        [
            "groups=a;b resources=x;y verbs=get",
            "groups=c resources=x verbs=get"
        ]
    );
}

#[test]
fn merges_urls_and_puts_them_first() {
    assert_eq!(
        grants(&[
            "groups= resources=pods verbs=get",
            "urls=/b verbs=get",
            "urls=/a verbs=get"
        ]),
        ["urls=/a;/b verbs=get", "groups= resources=pods verbs=get"]
    );
}

#[test]
fn keeps_rules_with_different_resource_names_separate() {
    assert_eq!(
        grants(&[
            "groups=a resources=x resource_names=n verbs=get",
            "groups=a resources=x verbs=get"
        ])
        .len(),
        2
    );
}

#[test]
fn a_wildcard_verb_replaces_the_others_after_the_merge() {
    assert_eq!(
        grants(&[
            "groups=a resources=x verbs=get;*",
            "groups=a resources=y verbs=*"
        ]),
        [
            "groups=a resources=x verbs=*",
            "groups=a resources=y verbs=*"
        ]
    );
}

#[test]
fn keeps_verbs_when_merged_groups_equal_another_rule() {
    assert_eq!(
        grants(&[
            "groups=a resources=x verbs=get",
            "groups=a;b resources=x verbs=list",
            "groups=b resources=x verbs=get",
        ]),
        ["groups=a;b resources=x verbs=get;list"]
    );
}

#[test]
fn merged_rules_keep_all_reasons() {
    assert_eq!(
        grants(&[
            "groups=a resources=x verbs=get reason=two",
            "groups=a resources=y verbs=get reason=one",
            "groups=a resources=y verbs=get reason=one",
            "groups=b resources=z verbs=list",
        ]),
        [
            "groups=a resources=x;y verbs=get reasons=one;two",
            "groups=b resources=z verbs=list"
        ]
    );
}

#[test]
fn builds_a_role_per_namespace_and_name() {
    let roles = build_roles(&[
        "groups=a resources=x verbs=get namespace=zoo",
        "groups=a resources=x verbs=get role_name=other namespace=park",
        "groups=a resources=x verbs=get namespace=park",
        "groups=a resources=x verbs=get",
    ]);
    let names: Vec<_> = roles
        .iter()
        .map(|role| (role.namespace.as_deref(), role.name.as_str()))
        .collect();
    assert_eq!(
        names,
        [
            (None, "manager-role"),
            (Some("park"), "manager-role"),
            (Some("park"), "other"),
            (Some("zoo"), "manager-role"),
        ]
    );
    let document = roles[2].document();
    assert_eq!(document["kind"], "Role");
    assert_eq!(document["metadata"]["namespace"], "park");
    assert_eq!(roles[0].document()["kind"], "ClusterRole");
}

#[test]
fn builds_an_empty_role_without_rules() {
    let roles = build_roles(&[]);
    assert_eq!(roles.len(), 1);
    let expected = serde_json::json!({
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRole",
        "metadata": {"name": "manager-role"},
        "rules": [],
    });
    assert_eq!(roles[0].document(), expected);
}

/// A permission: group, resource, name and verb, or URL and verb.
type Allowed = BTreeSet<(String, String, String, String)>;

const VERBS: [&str; 3] = ["get", "list", "patch"];

/// Returns the permissions of groups, resources, names, URLs and verbs, with wildcard verbs expanded.
fn allowed([groups, resources, names, urls, verbs]: [Vec<&String>; 5]) -> Allowed {
    let mut all = Allowed::new();
    let anything = String::new();
    let names = if names.is_empty() {
        vec![&anything]
    } else {
        names
    };
    let verbs = verbs.into_iter().flat_map(|verb| match verb.as_str() {
        "*" => VERBS.to_vec(),
        verb => vec![verb],
    });
    let owned = str::to_owned;
    for verb in verbs {
        for url in &urls {
            all.insert((String::new(), owned(url), String::new(), owned(verb)));
        }
        for group in &groups {
            let group = if *group == "core" { "" } else { group };
            for resource in &resources {
                for name in &names {
                    all.insert((owned(group), owned(resource), owned(name), owned(verb)));
                }
            }
        }
    }
    all
}

fn words(from: &'static [&'static str], least: usize) -> impl Strategy<Value = Vec<String>> {
    subsequence(from, least..=from.len())
        .prop_map(|list| list.into_iter().map(String::from).collect())
}

fn any_rule() -> impl Strategy<Value = Rule> {
    let on_resources = (
        words(&["a", "b", "core", ""], 1),
        words(&["x", "y", "z"], 1),
        words(&["n", "m"], 0),
        words(&["get", "list", "patch", "*"], 1),
        select(&[None, Some("shop")][..]),
        select(&[None, Some("one"), Some("two")][..]),
    )
        .prop_map(
            |(groups, resources, resource_names, verbs, namespace, reason)| Rule {
                groups,
                resources,
                resource_names,
                verbs,
                namespace: namespace.map(String::from),
                reason: reason.map(String::from),
                ..Rule::default()
            },
        );
    let on_urls =
        (words(&["/u", "/v"], 1), words(&["get", "list"], 1)).prop_map(|(urls, verbs)| Rule {
            urls,
            verbs,
            ..Rule::default()
        });
    prop_oneof![4 => on_resources, 1 => on_urls]
}

proptest! {
    #[test]
    fn merging_preserves_permissions(rules in prop::collection::vec(any_rule(), 1..12)) {
        for role in roles(&rules, &RoleName::default()) {
            let before: Allowed = rules
                .iter()
                .filter(|rule| rule.namespace == role.namespace)
                .flat_map(|rule| allowed([
                    rule.groups.iter().collect(),
                    rule.resources.iter().collect(),
                    rule.resource_names.iter().collect(),
                    rule.urls.iter().collect(),
                    rule.verbs.iter().collect(),
                ]))
                .collect();
            let after: Allowed = role
                .grants
                .iter()
                .flat_map(|grant| allowed([
                    grant.groups.iter().collect(),
                    grant.resources.iter().collect(),
                    grant.resource_names.iter().collect(),
                    grant.urls.iter().collect(),
                    grant.verbs.iter().collect(),
                ]))
                .collect();
            prop_assert_eq!(before, after);
        }
    }

    #[test]
    fn the_order_of_the_rules_does_not_matter(
        (rules, shuffled) in prop::collection::vec(any_rule(), 1..12).prop_flat_map(|rules| (Just(rules.clone()), Just(rules).prop_shuffle()))
    ) {
        prop_assert_eq!(roles(&rules, &RoleName::default()), roles(&shuffled, &RoleName::default()));
    }

    #[test]
    fn merging_removes_duplicates(rules in prop::collection::vec(any_rule(), 1..12)) {
        let twice: Vec<Rule> = rules.iter().chain(&rules).cloned().collect();
        prop_assert_eq!(roles(&rules, &RoleName::default()), roles(&twice, &RoleName::default()));
    }
}
