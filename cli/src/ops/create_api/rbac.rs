//! Plans the permissions of a controller: what its code does, and no more.

use super::{owned::Owned, target::Target};
use crate::plan::{Insertion, Plan, RelPath};

/// Adds the rules to the manager's role.
pub(super) fn plan(target: &Target, owned: &[Owned], status: bool, plan: &mut Plan) {
    let group = target.api_group.as_str();
    let mut rules = vec![rule(
        &format!("{} is reconciled.", target.kind),
        group,
        target.plural.as_str(),
        &["get", "list", "watch"],
    )];
    if status {
        rules.push(rule(
            &format!("The status of {} is written.", target.kind),
            group,
            &format!("{}/status", target.plural),
            &["patch"],
        ));
    }
    rules.extend(owned.iter().map(|owned| {
        rule(
            // Server-side apply is authorised as a patch, and as a creation where it creates.
            &format!(
                "{} owns {}: server-side apply patches and creates.",
                target.kind, owned.kind
            ),
            &owned.api_group,
            &owned.plural,
            &["get", "list", "watch", "create", "patch"],
        )
    }));
    for rule in rules {
        plan.insert(
            RelPath::new("config/rbac/role.yaml"),
            Insertion::last("rules", rule),
        );
    }
}

fn rule(reason: &str, group: &str, resource: &str, verbs: &[&str]) -> String {
    let group = if group.is_empty() { "\"\"" } else { group };
    let verbs: Vec<String> = verbs.iter().map(|verb| format!("  - {verb}")).collect();
    format!(
        "# {reason}\n- apiGroups:\n  - {group}\n  resources:\n  - {resource}\n  verbs:\n{}",
        verbs.join("\n")
    )
}
