//! From the root of each crate through its modules: each file is parsed once, whichever crates have it.

use std::{collections::HashSet, sync::Arc};

use super::{
    super::{
        Diagnostic, Files,
        findings::Findings,
        module_files::{Folders, without_file},
        reading,
    },
    file::{Declared, FileRules, RuleFiles, WrittenRule},
    packages::{self, Root},
};
use crate::plan::RelPath;

/// What the sources say of permissions.
#[derive(Debug, Default)]
pub(crate) struct Permissions {
    /// The rules.
    pub(crate) rules: Vec<WrittenRule>,
    /// What of them is wider than it is likely meant, by its places.
    pub(crate) wide: Vec<Diagnostic>,
    /// What is odd, and no error.
    pub(crate) warnings: Vec<Diagnostic>,
}

/// Reads the rules of all packages of the project. `known` has files that were read before. The errors are all mistakes of all files,
/// sorted by place.
///
/// Parsed sources stay in memory that belongs to the thread; it is given back by the next call.
pub(crate) fn read_rules(
    files: &dyn Files,
    known: RuleFiles,
) -> Result<Permissions, Vec<Diagnostic>> {
    proc_macro2::extra::invalidate_current_thread_spans();
    let mut findings = Findings::default();
    let roots = packages::roots(files, &mut findings);
    let mut walk = Walk {
        files,
        known,
        findings,
        walked: HashSet::new(),
        counted: HashSet::new(),
        permissions: Permissions::default(),
    };
    for root in &roots {
        walk.root(root);
    }
    let Walk {
        findings,
        mut permissions,
        ..
    } = walk;
    if !findings.errors.is_empty() {
        return Err(reading::sorted(findings));
    }
    reading::sort(&mut permissions.wide);
    reading::sort(&mut permissions.warnings);
    Ok(permissions)
}

struct Walk<'f> {
    files: &'f dyn Files,
    known: RuleFiles,
    findings: Findings,
    /// Files whose modules were followed: one file may be in several places of a crate.
    walked: HashSet<(RelPath, Folders)>,
    /// Files whose rules were taken.
    counted: HashSet<RelPath>,
    permissions: Permissions,
}

impl Walk<'_> {
    /// A crate, from the file that it begins with.
    fn root(&mut self, Root { path, named }: &Root) {
        if let Some(found) = self.file(path) {
            self.enter(path, &found, &Folders::beside(path));
        } else if *named {
            let help = "Cargo.toml names it: restore it, or take it out there";
            let help = Some(help.to_owned());
            let missing = Diagnostic::of_file(path, "there is no such file", help);
            self.findings.error(missing);
        }
    }

    /// What a file says; none if there is no such file.
    fn file(&mut self, path: &RelPath) -> Option<Arc<FileRules>> {
        if let Some(found) = self.known.get(path) {
            return Some(found);
        }
        match self.files.text(path) {
            Ok(text) => {
                let text = text?;
                self.known
                    .insert(path.clone(), FileRules::parse(path, &text));
            }
            Err(problem) => {
                self.findings
                    .error(Diagnostic::of_file(path, problem, None));
                self.known.insert(path.clone(), FileRules::default());
            }
        }
        self.known.get(path)
    }

    /// Takes the rules of a file, and of the modules that it declares.
    fn enter(&mut self, path: &RelPath, found: &FileRules, folders: &Folders) {
        if self.counted.insert(path.clone()) {
            for error in &found.errors {
                self.findings.error(error.clone());
            }
            let all = &mut self.permissions;
            all.rules.extend(found.rules.iter().cloned());
            all.wide.extend(found.wide.iter().cloned());
            all.warnings.extend(found.warnings.iter().cloned());
        }
        if self.walked.insert((path.clone(), folders.clone())) {
            for declared in &found.modules {
                self.module(path, declared, folders);
            }
        }
    }

    /// A module that the file at `path` declares.
    fn module(&mut self, path: &RelPath, declared: &Declared, folders: &Folders) {
        let mut folders = folders.clone();
        for (name, written) in &declared.within {
            folders = folders.inline(name, written.as_deref());
        }
        let (name, written) = (&declared.name, declared.written.as_deref());
        match folders.find(name, written, |path| self.file(path)) {
            Some((path, found, folders)) => self.enter(&path, &found, &folders),
            None => {
                if let Some(place) = declared.required_at {
                    let text = self.files.text(path).ok().flatten().unwrap_or_default();
                    let (message, help) = (without_file(name), folders.advice(name, written));
                    let missing = Diagnostic::between(path, &text, place, message, Some(help));
                    self.findings.error(missing);
                }
            }
        }
    }
}
