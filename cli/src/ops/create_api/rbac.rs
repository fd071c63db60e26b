//! The permissions of a controller: what its code does, and no more.

use kb_templates::context::Rule;

use super::{owned::Owned, target::Target};

/// The rules, in the order in which the code needs them.
pub(super) fn rules(target: &Target, owned: &[Owned], status: bool) -> Vec<Rule> {
    let group = target.api_group.as_str();
    let (kind, plural) = (&target.kind, &target.plural);
    let mut rules = vec![rule(
        group,
        plural.as_str(),
        "list;watch",
        format!("{kind} is reconciled"),
    )];
    if status {
        rules.push(rule(
            group,
            &format!("{plural}/status"),
            "patch",
            format!("the status of {kind} is written"),
        ));
        rules.push(rule(
            "events.k8s.io",
            "events",
            "create;patch",
            format!("events tell what was done for {kind}"),
        ));
    }
    if !owned.is_empty() {
        // What is owned holds back a deletion in the foreground, which OwnerReferencesPermissionEnforcement asks this for.
        rules.push(rule(
            group,
            &format!("{plural}/finalizers"),
            "update",
            format!("{kind} is not gone before what it owns"),
        ));
    }
    rules.extend(owned.iter().map(|owned| {
        // Server-side apply is authorised as a patch, and as a creation where it creates.
        let verbs = "get;list;watch;create;patch";
        let reason = format!("{kind} owns {}", owned.kind);
        rule(&owned.api_group, &owned.plural, verbs, reason)
    }));
    rules
}

fn rule(group: &str, resource: &str, verbs: &str, reason: String) -> Rule {
    Rule {
        groups: group.to_owned(),
        resources: resource.to_owned(),
        verbs: verbs.to_owned(),
        reason,
    }
}
