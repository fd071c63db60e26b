//! Security rules of roles: no wildcards, no escalation.

use serde_json::Value;

use crate::files::strings;

/// Verbs that allow privilege escalation.
const ESCALATING: [&str; 3] = ["bind", "escalate", "impersonate"];

pub(crate) fn problems(document: &Value) -> Vec<String> {
    let kind = document["kind"].as_str().unwrap_or_default();
    let mut problems = Vec::new();
    if kind.ends_with("RoleBinding") && document["roleRef"]["name"] == "cluster-admin" {
        problems.push("it binds cluster-admin".to_owned());
    }
    if matches!(kind, "Role" | "ClusterRole") {
        for rule in document["rules"].as_array().into_iter().flatten() {
            problems.extend(of_rule(rule));
        }
    }
    problems
}

fn of_rule(rule: &Value) -> Vec<String> {
    let mut problems = Vec::new();
    for field in ["apiGroups", "resources", "verbs", "nonResourceURLs"] {
        for word in strings(&rule[field]) {
            if word.contains('*') {
                problems.push(format!("{word:?} in {field}"));
            }
            if field == "verbs" && ESCALATING.contains(&word) {
                problems.push(format!("the verb {word}"));
            }
        }
    }
    // Create requests have no name.
    let has_a_name = strings(&rule["verbs"]).iter().any(|verb| *verb != "create");
    if strings(&rule["resources"]).contains(&"leases")
        && has_a_name
        && strings(&rule["resourceNames"]).is_empty()
    {
        problems.push("leases of others".to_owned());
    }
    problems
}

#[test]
fn wildcards_and_escalation_are_reported() {
    let role = |rule: Value| serde_json::json!({"kind": "ClusterRole", "rules": [rule]});
    let wrong = [
        role(serde_json::json!({"apiGroups": ["*"], "resources": ["pods"], "verbs": ["get"]})),
        role(serde_json::json!({"apiGroups": [""], "resources": ["*/status"], "verbs": ["get"]})),
        role(serde_json::json!({"apiGroups": [""], "resources": ["pods"], "verbs": ["*"]})),
        role(serde_json::json!({"nonResourceURLs": ["/metrics/*"], "verbs": ["get"]})),
        role(
            serde_json::json!({"apiGroups": [""], "resources": ["users"], "verbs": ["impersonate"]}),
        ),
        role(
            serde_json::json!({"apiGroups": ["coordination.k8s.io"], "resources": ["leases"], "verbs": ["create", "update"]}),
        ),
        serde_json::json!({"kind": "ClusterRoleBinding", "roleRef": {"kind": "ClusterRole", "name": "cluster-admin"}}),
    ];
    for document in wrong {
        assert_eq!(problems(&document).len(), 1, "{document}");
    }
    let right =
        role(serde_json::json!({"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}));
    assert!(problems(&right).is_empty());
}
