//! The project on disk, cargo and the printer, for [`ops::generate`](crate::ops::generate).

use std::{cell::RefCell, collections::BTreeSet, path::Path};

use super::{super::disk_files::DiskFiles, args::GenerateArgs};
use crate::{
    cargo::{Cargo, Printed},
    disk::{self, Stamps},
    ops::generate::{Host, ProjectFiles, RecordingFiles},
    plan::{RelPath, Snapshot},
    problem::{Failure, Problem},
    show::Printer,
    source::{Diagnostic, Files},
};

/// The project in `root`.
pub(super) struct ProjectHost<'a> {
    pub(super) args: &'a GenerateArgs,
    pub(super) root: &'a Path,
    /// Name of the project's package.
    pub(super) package: String,
    pub(super) printer: Printer,
    /// The files that were read, for `--watch`.
    pub(super) seen: RefCell<Stamps>,
}

impl ProjectHost<'_> {
    /// Records a file and its directory, where a new file may replace it. Every run changes the root directory, so it does not count.
    fn record(&self, path: &RelPath) {
        let mut seen = self.seen.borrow_mut();
        seen.add(&path.below(self.root));
        if let Some(dir) = path.parents().last() {
            seen.add(&dir.below(self.root));
        }
    }
}

impl Files for ProjectHost<'_> {
    fn text(&self, path: &RelPath) -> Result<Option<String>, String> {
        if self.args.watch {
            self.record(path);
        }
        disk::read_optional(&path.below(self.root)).map_err(|error| error.to_string())
    }

    fn entries(&self, dir: Option<&RelPath>) -> Result<Vec<RelPath>, String> {
        if let Some(dir) = dir.filter(|_| self.args.watch) {
            self.seen.borrow_mut().add(&dir.below(self.root));
        }
        disk::files_in(self.root, dir).map_err(|error| error.to_string())
    }
}

impl ProjectFiles for ProjectHost<'_> {
    fn list(&self, dir: Option<&RelPath>) -> Result<Vec<RelPath>, Failure> {
        DiskFiles { root: self.root }.list(dir)
    }

    fn snapshot(&self, paths: BTreeSet<&RelPath>) -> Snapshot {
        DiskFiles { root: self.root }.snapshot(paths)
    }
}

impl Host for ProjectHost<'_> {
    fn sources(&self) -> &dyn Files {
        self
    }

    fn crdgen(
        &self,
        why: &str,
        describe_core_types: bool,
        converted: &BTreeSet<String>,
    ) -> Result<Printed, Problem> {
        self.note(&format!("building crdgen: {why}"));
        let cargo = Cargo {
            program: &self.args.cargo,
            root: self.root,
            quiet: self.args.output.is_quiet(),
        };
        cargo.crdgen(describe_core_types, converted)
    }

    fn recordings(&self) -> Result<RecordingFiles, Failure> {
        let target_dir = match &self.args.target_dir {
            Some(dir) => dir.clone(),
            None => self.root.join("target"),
        };
        let dir = RelPath::new(format!("kb-rs/calls/{}", self.package));
        let mut files = Vec::new();
        for file in disk::files_in(&target_dir, Some(&dir))? {
            let path = file.below(&target_dir);
            files.push((path.display().to_string(), disk::read_text(&path)?));
        }
        let dir = dir.below(&target_dir).display().to_string();
        Ok(RecordingFiles { dir, files })
    }

    fn note(&self, note: &str) {
        self.printer.note(note);
    }

    fn warn(&self, warning: &Diagnostic) {
        self.printer.warning(warning);
    }
}
