//! The effects that generating manifests needs. The command implements them.

use std::collections::BTreeSet;

use super::RecordingFiles;
use crate::{
    cargo::Printed,
    plan::{RelPath, Snapshot},
    problem::{Failure, Problem},
    source::{Diagnostic, Files},
};

/// Reads the files of the project.
pub(crate) trait ProjectFiles {
    /// Lists a directory, by default the project root. A missing directory is empty.
    fn list(&self, dir: Option<&RelPath>) -> Result<Vec<RelPath>, Failure>;

    /// Reads the current state of files.
    fn snapshot(&self, paths: BTreeSet<&RelPath>) -> Snapshot;
}

/// Reads the project, runs crdgen and reports progress.
pub(crate) trait Host: ProjectFiles {
    /// Returns the source files of the project.
    fn sources(&self) -> &dyn Files;

    /// Builds and runs crdgen, because of `why`. `converted` has the names of the CRDs with a conversion webhook.
    fn crdgen(
        &self,
        why: &str,
        describe_core_types: bool,
        converted: &BTreeSet<String>,
    ) -> Result<Printed, Problem>;

    /// Reads the API calls that tests recorded.
    fn recordings(&self) -> Result<RecordingFiles, Failure>;

    /// Prints a note.
    fn note(&self, note: &str);

    /// Prints a warning.
    fn warn(&self, warning: &Diagnostic);
}
