//! Reads the sources of an API crate.

use std::collections::HashMap;

use kb_model::crd::Definition;

use super::{
    Diagnostic, FallbackReason, RuleCache, SourceMap, attributes, findings::Findings,
    instances::Builder, loader::Loader, source_map,
};
use crate::plan::RelPath;

/// Provides source files, from disk or from memory.
pub(crate) trait Files {
    /// Returns the text of a file, or `None` if it does not exist. The error is a message.
    fn text(&self, path: &RelPath) -> Result<Option<String>, String>;

    /// Returns the sorted entries of a directory, by default of the project root. A missing directory has none.
    fn entries(&self, dir: Option<&RelPath>) -> Result<Vec<RelPath>, String>;
}

/// The parsed sources of an API crate.
pub(crate) struct ParsedApi {
    /// Kinds listed by `definitions()`, in its order. Incomplete if there are `reasons`.
    pub(crate) definitions: Vec<Definition>,
    /// Reasons to fall back to crdgen.
    pub(crate) reasons: Vec<FallbackReason>,
    /// Warnings.
    pub(crate) warnings: Vec<Diagnostic>,
    /// Locations of types, fields and markers.
    pub(crate) sources: SourceMap,
    /// RBAC markers of the parsed files.
    pub(crate) rules: RuleCache,
}

/// Reads the API crate in the directory `root`. On failure returns the errors of all files, sorted by location.
///
/// Spans live in thread-local memory, which the next call frees: do not use the [`SourceMap`] of an earlier call.
pub(crate) fn read(root: &RelPath, files: &dyn Files) -> Result<ParsedApi, Vec<Diagnostic>> {
    proc_macro2::extra::invalidate_current_thread_spans();
    let mut loader = Loader::new(files);
    let krate = loader.load_crate(root);
    let Loader {
        mut tree,
        mut findings,
        rules,
        ..
    } = loader;
    let Some(krate) = krate else {
        return Err(sorted(findings));
    };
    attributes::read_all(&mut tree, &mut findings);
    // Names declared by a broken item would be reported as missing.
    if !findings.errors.is_empty() {
        return Err(sorted(findings));
    }
    let mut builder = Builder::new(&tree, findings);
    let mut kinds = HashMap::new();
    let mut definitions = Vec::new();
    for item in builder.listed(krate) {
        match builder.definition(item) {
            Some(definition) => {
                kinds
                    .entry(source_map::kind_name(&definition))
                    .or_insert(item);
                definitions.push(definition);
            }
            None => builder.report_incomplete(item),
        }
    }
    let (findings, types) = builder.into_parts();
    if !findings.errors.is_empty() {
        return Err(sorted(findings));
    }
    let mut reasons = findings.reasons;
    reasons.sort();
    Ok(ParsedApi {
        definitions,
        reasons,
        warnings: findings.warnings,
        sources: SourceMap::new(tree, krate, types, kinds),
        rules,
    })
}

/// Returns the errors sorted by location.
pub(super) fn sorted(findings: Findings) -> Vec<Diagnostic> {
    let mut errors = findings.errors;
    sort(&mut errors);
    errors
}

/// Sorts diagnostics by location.
pub(super) fn sort(diagnostics: &mut [Diagnostic]) {
    diagnostics.sort_by(|a, b| (&a.path, a.line, a.column).cmp(&(&b.path, b.line, b.column)));
}
