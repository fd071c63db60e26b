//! Problems and warnings of RBAC rules.
//!
//! Each line of `data/rbac-checks.tsv` is a rule in the notation of `rules`, followed by its problems.
#![allow(missing_docs, reason = "a test")]

mod rules;

use kb_model::rbac::{Argument, Form, Location, Problem, breadth, check};
use rules::rule;

fn location(location: Location) -> String {
    match location {
        Location::Rule => "rule".to_owned(),
        Location::Argument(argument) => argument.to_string(),
        Location::Entry(argument, index) => format!("{argument}[{index}]"),
    }
}

fn lines(problems: &[Problem]) -> Vec<String> {
    problems
        .iter()
        .map(|problem| {
            let Problem {
                location: at,
                message,
                help,
            } = problem;
            format!("{}: {message}; {help}", location(*at))
        })
        .collect()
}

#[test]
fn reports_problems_with_location_and_hint() {
    let mut wrong = Vec::new();
    for line in include_str!("data/rbac-checks.tsv").lines() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (written, expected) = line.split_once('\t').unwrap_or((line, ""));
        let found = lines(&check(&rule(written), Form::Named)).join(" | ");
        if found != expected.trim() {
            wrong.push(format!(
                "{written}\n  expected {expected}\n  found    {found}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn suggestions_for_compact_rules_are_compact() {
    for (written, expected) in [
        ("groups=apps resources=deployments verbs=get", vec![]),
        (
            "groups=apps resources=deployment verbs=get",
            vec![
                "resources[0]: the group `apps` has no resource `deployment`; did you mean `apps/deployments`?",
            ],
        ),
        (
            "groups=apps resources=services/status verbs=get",
            vec![
                "resources[0]: the group `apps` has no resource `services`; `services` is in the core group: use `core/services/status`",
            ],
        ),
        (
            "groups=apps resources=pod verbs=get",
            vec!["resources[0]: the group `apps` has no resource `pod`; did you mean `core/pods`?"],
        ),
        (
            "groups=core resources=pods/logs verbs=get",
            vec!["resources[0]: `pods` has no subresource `logs`; did you mean `core/pods/log`?"],
        ),
        (
            "groups=core resources=Deployment verbs=get",
            vec!["resources[0]: `Deployment` is a kind, not a resource; use `apps/deployments`"],
        ),
        (
            "groups=example.com resources=AppService/status verbs=get",
            vec![
                "resources[0]: `AppService` is a kind, not a resource; use `example.com/appservices/status`",
            ],
        ),
        (
            "groups=apps resources=deployments/ verbs=get",
            vec![
                "resources[0]: missing subresource in `deployments/`; use `apps/deployments`, or `apps/deployments/status`",
            ],
        ),
        (
            "urls=/metrics resource_names=a verbs=get namespace=shop",
            vec![
                "namespace: `namespace` conflicts with a URL: only a ClusterRole can allow URLs; remove `namespace`",
                "resource_names: `resource_names` requires a resource, found a URL; remove `resource_names`",
            ],
        ),
    ] {
        assert_eq!(
            lines(&check(&rule(written), Form::Compact)),
            expected,
            "{written}"
        );
    }
}

#[test]
fn warns_about_broad_rules() {
    for (written, expected) in [
        ("groups=apps resources=deployments verbs=get", vec![]),
        (
            "groups=apps resources=deployments verbs=get;*",
            vec!["verbs[1]: this rule allows every verb; list only the verbs in use"],
        ),
        (
            "groups=* resources=* verbs=get",
            vec![
                "groups[0]: this rule allows every group; list only the groups in use",
                "resources[0]: this rule allows every resource of its groups; list only the resources in use",
            ],
        ),
        (
            "groups=* resources=*/scale verbs=get",
            vec![
                "groups[0]: this rule allows every group; list only the groups in use",
                "resources[0]: this rule allows `scale` of every resource of its groups; list only the resources in use",
            ],
        ),
        (
            "groups=core resources=pods/* verbs=get",
            vec![
                "resources[0]: this rule allows every subresource of `pods`; list only the resources in use",
            ],
        ),
        (
            "urls=/* verbs=get",
            vec!["urls[0]: this rule allows every URL; list only the URLs in use"],
        ),
        (
            "groups=core resources=secrets verbs=list",
            vec![
                "resources[0]: this rule allows access to every Secret in the cluster; limit it with `namespace` or `resource_names`",
            ],
        ),
        (
            "groups=core resources=secrets verbs=create;patch",
            vec![
                "resources[0]: this rule allows access to every Secret in the cluster; limit it with `namespace` or `resource_names`",
            ],
        ),
        (
            "groups=core resources=secrets verbs=get namespace=shop",
            vec![],
        ),
        (
            "groups=core resources=secrets resource_names=key verbs=get",
            vec![],
        ),
        ("groups=example.com resources=secrets verbs=get", vec![]),
    ] {
        assert_eq!(lines(&breadth(&rule(written))), expected, "{written}");
    }
}

#[test]
fn returns_every_list_by_argument() {
    let rule = rule("groups=g resources=r resource_names=n verbs=v urls=u namespace=s");
    let lists = Argument::ALL.map(|argument| rule.list(argument).join(";"));
    assert_eq!(lists, ["g", "r", "n", "v", "u", "", "", ""]);
}
