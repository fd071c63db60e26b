//! The entry: reads the sources of an API crate.

use std::collections::HashMap;

use kb_model::crd::Definition;

use super::{
    Diagnostic, Reason, RuleFiles, Sources, annotated, files::Loader, findings::Findings,
    instances::Builder, sources,
};
use crate::plan::RelPath;

/// Gives the texts of files: of the disk, or of a test.
pub(crate) trait Files {
    /// The text of the file; none if there is no such file. The error is a phrase that says what went wrong.
    fn text(&self, path: &RelPath) -> Result<Option<String>, String>;

    /// What is in the folder, or in the project's own, sorted; nothing if there is no such folder.
    fn entries(&self, folder: Option<&RelPath>) -> Result<Vec<RelPath>, String>;
}

/// What the sources of an API crate say.
pub(crate) struct Reading {
    /// The kinds that `definitions()` of the crate lists, in its order. Not complete if there are `reasons`.
    pub(crate) definitions: Vec<Definition>,
    /// Why the slow path has to be taken; empty if it need not be.
    pub(crate) reasons: Vec<Reason>,
    /// What is odd, and no error.
    pub(crate) warnings: Vec<Diagnostic>,
    /// Where everything is written.
    pub(crate) sources: Sources,
    /// The rules in the files that were read.
    pub(crate) rules: RuleFiles,
}

/// Reads the API crate in the folder `root`. The errors are all mistakes of all files, sorted by place.
///
/// Parsed sources stay in memory that belongs to the thread. It is given back by the next call, after which the [`Sources`] of
/// this one must not be asked any more.
pub(crate) fn read(root: &RelPath, files: &dyn Files) -> Result<Reading, Vec<Diagnostic>> {
    proc_macro2::extra::invalidate_current_thread_spans();
    let mut loader = Loader::new(files);
    let krate = loader.crate_in(root);
    let Loader {
        mut tree,
        mut findings,
        rules,
        ..
    } = loader;
    let Some(krate) = krate else {
        return Err(sorted(findings));
    };
    annotated::read_all(&mut tree, &mut findings);
    // What does not parse leaves names behind that nobody declares: there is no use in complaining of those.
    if !findings.errors.is_empty() {
        return Err(sorted(findings));
    }
    let mut builder = Builder::new(&tree, findings);
    let mut kinds = HashMap::new();
    let mut definitions = Vec::new();
    for item in builder.listed(krate) {
        match builder.definition(item) {
            Some(definition) => {
                kinds.entry(sources::kind_name(&definition)).or_insert(item);
                definitions.push(definition);
            }
            None => builder.note_incomplete(item),
        }
    }
    let (findings, types) = builder.into_parts();
    if !findings.errors.is_empty() {
        return Err(sorted(findings));
    }
    let mut reasons = findings.reasons;
    reasons.sort();
    Ok(Reading {
        definitions,
        reasons,
        warnings: findings.warnings,
        sources: Sources::new(tree, krate, types, kinds),
        rules,
    })
}

/// The mistakes by their places.
pub(super) fn sorted(findings: Findings) -> Vec<Diagnostic> {
    let mut errors = findings.errors;
    sort(&mut errors);
    errors
}

/// Sorts by places.
pub(super) fn sort(diagnostics: &mut [Diagnostic]) {
    diagnostics.sort_by(|a, b| (&a.path, a.line, a.column).cmp(&(&b.path, b.line, b.column)));
}
