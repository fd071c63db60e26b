//! Gathers the roles from the rules in the sources.

use kb_model::rbac::{self, Role};

use super::{args::GenerateArgs, source_files::SourceFiles};
use crate::{
    problem::Failure,
    show::Printer,
    source::{self, Permissions, RuleFiles},
};

/// The roles of the project. `known` has files whose rules were read before.
pub(super) fn gather(
    args: &GenerateArgs,
    files: &SourceFiles<'_>,
    known: RuleFiles,
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
    Ok(rbac::roles(
        &rules,
        &args.role_name.clone().unwrap_or_default(),
    ))
}
