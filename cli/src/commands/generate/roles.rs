//! Gathers the roles from the rules in the sources.

use kb_model::rbac::{self, Role};

use super::{args::GenerateArgs, source_files::SourceFiles};
use crate::{
    ops::generate::empty_role,
    problem::Failure,
    show::Printer,
    source::{self, Permissions, RuleFiles},
};

/// The roles of the project. `known` has files whose rules were read before; `namespaced` says that the manager sees single namespaces.
pub(super) fn gather(
    args: &GenerateArgs,
    files: &SourceFiles<'_>,
    known: RuleFiles,
    namespaced: bool,
    printer: Printer,
) -> Result<Vec<Role>, Failure> {
    let Permissions {
        rules,
        wide,
        warnings,
    } = source::read_rules(files, known)?;
    for warning in &warnings {
        printer.warning(warning);
    }
    if args.deny_wildcards && !wide.is_empty() {
        return Err(wide.into());
    }
    for warning in &wide {
        printer.warning(warning);
    }
    let name = args.role_name.clone().unwrap_or_default();
    let mut roles = if rules.is_empty() {
        Vec::new()
    } else {
        rbac::roles(&rules, &name)
    };
    let bound = empty_role(&name, namespaced);
    if !roles.iter().any(|role| is_same(role, &bound)) {
        roles.insert(0, bound.clone());
    }
    for role in roles.iter().filter(|role| !is_same(role, &bound)) {
        printer.note(&unbound(role));
    }
    Ok(roles)
}

fn is_same(one: &Role, other: &Role) -> bool {
    (&one.namespace, &one.name) == (&other.namespace, &other.name)
}

/// Only the role of the manager has a binding.
fn unbound(role: &Role) -> String {
    let name = &role.name;
    match &role.namespace {
        Some(namespace) => format!(
            "the Role {name} in {namespace} is bound to nobody: add a RoleBinding for the manager's service account, \
             outside of config/default, which sets its own namespace on all it holds"
        ),
        None => format!(
            "the ClusterRole {name} is bound to nobody: add a ClusterRoleBinding for the manager's service account"
        ),
    }
}
