//! Loads the roles of the operator from the `#[kb::rbac]` rules in the sources.

use kb_model::{
    RoleName,
    rbac::{self, Role, Rule},
};

use super::{Host, RoleOptions, unused};
use crate::{
    problem::Failure,
    source::{self, Permissions, RuleCache},
};

/// The namespace in all manifests of a project, which config/default replaces.
const NAMESPACE: &str = "system";

/// Loads the roles. `known` has the rules of files that were read before; `namespaced` is set if the manager watches single namespaces.
pub(super) fn load(
    options: &RoleOptions,
    namespaced: bool,
    known: RuleCache,
    host: &dyn Host,
) -> Result<Vec<Role>, Failure> {
    let Permissions {
        rules,
        wide,
        warnings,
    } = source::read_rules(host.sources(), known)?;
    for warning in &warnings {
        host.warn(warning);
    }
    if options.deny_wildcards && !wide.is_empty() {
        return Err(wide.into());
    }
    for warning in &wide {
        host.warn(warning);
    }
    if options.report_unused {
        unused::report(&rules, host)?;
    }
    let granted: Vec<Rule> = rules.into_iter().map(|rule| rule.rule).collect();
    let (roles, notes) = roles_of(&granted, &options.name, namespaced);
    for note in notes {
        host.note(&note);
    }
    Ok(roles)
}

/// Returns the roles of these rules, including the manager role even if it is empty, and a note on each role without a binding.
/// For a `namespaced` manager, rules without a namespace apply to its own.
pub(crate) fn roles_of(
    granted: &[Rule],
    name: &RoleName,
    namespaced: bool,
) -> (Vec<Role>, Vec<String>) {
    let bound = Role {
        namespace: namespaced.then(|| NAMESPACE.to_owned()),
        name: name.to_string(),
        grants: Vec::new(),
    };
    let is_bound = |role: &Role| (&role.namespace, &role.name) == (&bound.namespace, &bound.name);
    let mut roles = if namespaced {
        rbac::roles(&rbac::restrict_to_namespace(granted, NAMESPACE), name)
    } else {
        rbac::roles(granted, name)
    };
    roles.retain(|role| is_bound(role) || !role.grants.is_empty());
    let unbound = roles.iter().filter(|role| !is_bound(role));
    let notes = unbound.map(|role| unbound_note(role, namespaced)).collect();
    if !roles.iter().any(is_bound) {
        roles.insert(0, bound);
    }
    (roles, notes)
}

fn unbound_note(role: &Role, namespaced: bool) -> String {
    let name = &role.name;
    match &role.namespace {
        Some(namespace) if namespaced => format!(
            "Role {name} in {namespace} has no binding: add a RoleBinding for the manager's service account to config/rbac"
        ),
        Some(namespace) => format!(
            "Role {name} in {namespace} has no binding: add a RoleBinding for the manager's service account, outside of \
             config/default, which sets its own namespace on all objects"
        ),
        None => format!(
            "ClusterRole {name} has no binding: add a ClusterRoleBinding for the manager's service account"
        ),
    }
}
