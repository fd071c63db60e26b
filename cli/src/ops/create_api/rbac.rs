//! RBAC rules of a scaffolded controller: exactly what its code needs.

use kb_templates::context::Rule;

use super::{owned::Owned, target::TargetKind};

/// Returns the rules in the order in which the code needs them. `kinds` is the plural of the kind in prose.
pub(super) fn rules(target: &TargetKind, kinds: &str, owned: &[Owned], status: bool) -> Vec<Rule> {
    let group = target.api_group.as_str();
    let plural = &target.plural;
    let mut rules = vec![rule(
        group,
        plural.as_str(),
        "list;watch",
        format!("to reconcile {kinds}"),
    )];
    if status {
        rules.push(rule(
            group,
            &format!("{plural}/status"),
            "patch",
            format!("to update the status of {kinds}"),
        ));
        rules.push(rule(
            "events.k8s.io",
            "events",
            "create;patch",
            format!("to publish events about {kinds}"),
        ));
    }
    if !owned.is_empty() {
        // The admission plugin OwnerReferencesPermissionEnforcement requires this.
        rules.push(rule(
            group,
            &format!("{plural}/finalizers"),
            "update",
            "to set blockOwnerDeletion on owned objects".to_owned(),
        ));
    }
    rules.extend(owned.iter().map(|owned| {
        // Server-side apply is authorized as `patch`, and as `create` if the object does not exist.
        let verbs = "get;list;watch;create;patch";
        let reason = format!("to apply {} owned by {kinds}", owned.plurals.prose);
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
