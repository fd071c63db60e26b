//! Gathers the roles from the rules in the sources.

use kb_model::rbac::{Role, Rule};

use super::{args::GenerateArgs, source_files::SourceFiles};
use crate::{
    ops::generate::roles_of,
    problem::Failure,
    show::Printer,
    source::{self, Permissions, RuleFiles, WrittenRule},
};

/// The rules in the sources. `known` has files that were read before.
pub(super) fn read(
    args: &GenerateArgs,
    files: &SourceFiles<'_>,
    known: RuleFiles,
    printer: Printer,
) -> Result<Vec<WrittenRule>, Failure> {
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
    Ok(rules)
}

/// The roles that these rules make. `namespaced` says that the manager sees single namespaces.
pub(super) fn of(
    written: Vec<WrittenRule>,
    args: &GenerateArgs,
    namespaced: bool,
    printer: Printer,
) -> Vec<Role> {
    let markers: Vec<Rule> = written.into_iter().map(|written| written.rule).collect();
    let name = args.role_name.clone().unwrap_or_default();
    let (roles, notes) = roles_of(&markers, &name, namespaced);
    for note in notes {
        printer.note(&note);
    }
    roles
}
