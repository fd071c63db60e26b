//! Gathers the roles from the rules in the sources.

use kb_model::rbac::Role;

use super::{args::GenerateArgs, source_files::SourceFiles};
use crate::{
    ops::generate::roles_of,
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
    let (roles, notes) = roles_of(&rules, &name, namespaced);
    for note in notes {
        printer.note(&note);
    }
    Ok(roles)
}
