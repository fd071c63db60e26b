//! Walks the modules of every crate. A file shared by crates is parsed once.

use std::{collections::HashSet, sync::Arc};

use super::{
    super::{
        Diagnostic, Files, api,
        findings::Findings,
        module_dirs::{ModuleDirs, missing_file},
    },
    file::{FileRules, ModuleDeclaration, RuleCache, SourceRule},
    packages::{self, CrateRoot},
};
use crate::plan::RelPath;

/// RBAC markers of a project.
#[derive(Debug, Default)]
pub(crate) struct Permissions {
    /// Rules.
    pub(crate) rules: Vec<SourceRule>,
    /// Warnings about rules that are broader than necessary, sorted by location.
    pub(crate) wide: Vec<Diagnostic>,
    /// Warnings.
    pub(crate) warnings: Vec<Diagnostic>,
}

/// Reads the RBAC markers of all packages. `cache` contains the files that are already parsed. On failure returns the errors of all
/// files, sorted by location.
pub(crate) fn read_rules(
    files: &dyn Files,
    cache: RuleCache,
) -> Result<Permissions, Vec<Diagnostic>> {
    proc_macro2::extra::invalidate_current_thread_spans();
    let mut findings = Findings::default();
    let roots = packages::roots(files, &mut findings);
    let mut walk = Walk {
        files,
        cache,
        findings,
        visited: HashSet::new(),
        added: HashSet::new(),
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
        return Err(api::sorted(findings));
    }
    api::sort(&mut permissions.wide);
    api::sort(&mut permissions.warnings);
    Ok(permissions)
}

struct Walk<'f> {
    files: &'f dyn Files,
    cache: RuleCache,
    findings: Findings,
    /// Files whose modules were walked. A file can be several modules of a crate.
    visited: HashSet<(RelPath, ModuleDirs)>,
    /// Files whose rules were added.
    added: HashSet<RelPath>,
    permissions: Permissions,
}

impl Walk<'_> {
    fn root(&mut self, CrateRoot { path, is_explicit }: &CrateRoot) {
        if let Some(rules) = self.file(path) {
            self.visit(path, &rules, &ModuleDirs::beside(path));
        } else if *is_explicit {
            let help = "restore it, or remove it from Cargo.toml";
            let help = Some(help.to_owned());
            let missing = Diagnostic::of_file(path, "file not found", help);
            self.findings.error(missing);
        }
    }

    /// Parses a file unless it is cached; `None` if it does not exist.
    fn file(&mut self, path: &RelPath) -> Option<Arc<FileRules>> {
        if let Some(rules) = self.cache.get(path) {
            return Some(rules);
        }
        match self.files.text(path) {
            Ok(text) => {
                let text = text?;
                self.cache
                    .insert(path.clone(), FileRules::parse(path, &text));
            }
            Err(problem) => {
                self.findings
                    .error(Diagnostic::of_file(path, problem, None));
                self.cache.insert(path.clone(), FileRules::default());
            }
        }
        self.cache.get(path)
    }

    /// Adds the rules of a file and of its modules.
    fn visit(&mut self, path: &RelPath, file: &FileRules, dirs: &ModuleDirs) {
        if self.added.insert(path.clone()) {
            for error in &file.errors {
                self.findings.error(error.clone());
            }
            let all = &mut self.permissions;
            all.rules.extend(file.rules.iter().cloned());
            all.wide.extend(file.wide.iter().cloned());
            all.warnings.extend(file.warnings.iter().cloned());
        }
        if self.visited.insert((path.clone(), dirs.clone())) {
            for declaration in &file.modules {
                self.module(path, declaration, dirs);
            }
        }
    }

    /// Visits a module declared in the file at `path`.
    fn module(&mut self, path: &RelPath, declaration: &ModuleDeclaration, dirs: &ModuleDirs) {
        let mut dirs = dirs.clone();
        for (name, attribute) in &declaration.within {
            dirs = dirs.inline(name, attribute.as_deref());
        }
        let name = &declaration.name;
        let attribute = declaration.path_attribute.as_deref();
        match dirs.find(name, attribute, |path| self.file(path)) {
            Some((path, file, dirs)) => self.visit(&path, &file, &dirs),
            None => {
                if let Some(range) = declaration.required_at {
                    let text = self.files.text(path).ok().flatten().unwrap_or_default();
                    let (message, help) = (missing_file(name), dirs.help(name, attribute));
                    let missing = Diagnostic::between(path, &text, range, message, Some(help));
                    self.findings.error(missing);
                }
            }
        }
    }
}
