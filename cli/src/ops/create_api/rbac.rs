//! RBAC rules of a scaffolded controller: exactly what its code needs.

use kb_templates::context::Rule;

use super::{owned::Owned, target::TargetKind};

/// Returns the rules in the order in which the code needs them.
pub(super) fn rules(
    target: &TargetKind,
    owned: &[Owned],
    status: bool,
    finalizer: bool,
) -> Vec<Rule> {
    let kind = resource(target.api_group.as_str(), target.plural.as_str());
    let verbs = if finalizer {
        "list, watch, patch"
    } else {
        "list, watch"
    };
    let mut rules = vec![rule(kind.clone(), verbs, None)];
    if status {
        rules.push(rule(format!("{kind}/status"), "patch", None));
        let events = "events.k8s.io/events".to_owned();
        rules.push(rule(events, "create, patch", Some("to report errors")));
    }
    if !owned.is_empty() {
        // The admission plugin OwnerReferencesPermissionEnforcement requires this.
        let reason = "to set blockOwnerDeletion";
        rules.push(rule(format!("{kind}/finalizers"), "update", Some(reason)));
    }
    rules.extend(owned.iter().map(|owned| {
        // Server-side apply is authorized as `patch`, and as `create` if the object does not exist.
        let verbs = "get, list, watch, create, patch";
        rule(resource(&owned.api_group, &owned.plural), verbs, None)
    }));
    rules
}

/// `apps/deployments`, `core/pods`
fn resource(group: &str, plural: &str) -> String {
    let group = if group.is_empty() { "core" } else { group };
    format!("{group}/{plural}")
}

fn rule(resource: String, verbs: &str, reason: Option<&str>) -> Rule {
    Rule {
        resource,
        verbs: verbs.to_owned(),
        reason: reason.map(ToOwned::to_owned),
    }
}
