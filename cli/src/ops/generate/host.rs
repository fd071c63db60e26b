//! The effects that generating manifests needs. The command implements them.

use std::collections::BTreeSet;

use super::RecordingFiles;
use crate::{
    cargo::Printed,
    plan::{RelPath, Snapshot},
    problem::{Failure, Problem},
    source::{Diagnostic, Files},
};

/// Reads the project, runs crdgen and reports progress.
pub(crate) trait Host {
    /// Returns the source files of the project.
    fn sources(&self) -> &dyn Files;

    /// Lists the files of a directory.
    fn list(&self, dir: &RelPath) -> Result<Vec<RelPath>, Failure>;

    /// Reads the current state of files.
    fn snapshot(&self, paths: BTreeSet<&RelPath>) -> Snapshot;

    /// Builds and runs crdgen. `converted` has the names of the CRDs with a conversion webhook.
    fn crdgen(
        &self,
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
