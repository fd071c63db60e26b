//! Loads the modules of a crate, following each `mod x;` to its file.

use std::collections::HashMap;

use syn::{Attribute, ItemMod, ext::IdentExt};

use super::{
    Diagnostic, Files,
    cfg::{self, CfgState},
    findings::Findings,
    module_dirs::{ModuleDirs, missing_file, path_attribute},
    parse::parse,
    rbac::{FileRules, RuleCache},
    tree::{ConditionId, CrateId, File, FileId, Module, ModuleId, Tree},
};
use crate::plan::RelPath;

/// Loads files into a tree of modules.
pub(super) struct Loader<'f> {
    pub(super) files: &'f dyn Files,
    pub(super) tree: Tree,
    pub(super) findings: Findings,
    /// RBAC markers of the parsed files, so that they are not parsed again.
    pub(super) rules: RuleCache,
    /// Number of modules per file.
    uses: HashMap<RelPath, usize>,
}

/// Limit of modules per file. With `#[path]` the number of modules can grow exponentially.
const MAX_USES: usize = 64;

impl<'f> Loader<'f> {
    pub(super) fn new(files: &'f dyn Files) -> Self {
        Self {
            files,
            tree: Tree::default(),
            findings: Findings::default(),
            rules: RuleCache::default(),
            uses: HashMap::new(),
        }
    }

    /// Loads the root module of a crate and all its descendants.
    pub(super) fn root(&mut self, krate: CrateId, path: &RelPath) {
        let Some(text) = self.text(path) else {
            let help = "create it, or set `[lib] path` in Cargo.toml";
            self.findings.error(Diagnostic::of_file(
                path,
                "file not found",
                Some(help.to_owned()),
            ));
            self.module(krate, None, "", FileId(0));
            return;
        };
        let file = self.file(path, text);
        let module = self.module(krate, None, "", file);
        self.content(module, file, &ModuleDirs::beside(path), None);
    }

    fn file(&mut self, path: &RelPath, text: String) -> FileId {
        self.tree.files.push(File {
            path: path.clone(),
            text,
        });
        FileId(self.tree.files.len() - 1)
    }

    /// Adds an empty module.
    fn module(
        &mut self,
        krate: CrateId,
        parent: Option<ModuleId>,
        name: &str,
        file: FileId,
    ) -> ModuleId {
        self.tree.modules.push(Module {
            krate,
            parent,
            name: name.to_owned(),
            file,
            names: HashMap::new(),
            globs: Vec::new(),
            macros: Vec::new(),
        });
        ModuleId(self.tree.modules.len() - 1)
    }

    /// Parses a file and declares its items.
    fn content(
        &mut self,
        module: ModuleId,
        file: FileId,
        dirs: &ModuleDirs,
        condition: Option<ConditionId>,
    ) {
        let File { path, text } = &self.tree.files[file.0];
        match parse(path, text) {
            Ok(parsed) => {
                let rules = FileRules::of(path, text, &parsed);
                self.rules.insert(path.clone(), rules);
                let condition = match self.condition(file, &parsed.attrs) {
                    Err(()) => return,
                    Ok(own) => condition.or(own),
                };
                self.declare_all(module, dirs, parsed.items, condition);
            }
            Err(diagnostics) => {
                for diagnostic in diagnostics {
                    self.findings.error(diagnostic);
                }
            }
        }
    }

    /// Returns the condition of `cfg` attributes that only cargo can evaluate; `Err` if they disable the item.
    pub(super) fn condition(
        &mut self,
        file: FileId,
        attributes: &[Attribute],
    ) -> Result<Option<ConditionId>, ()> {
        match cfg::state(attributes) {
            (CfgState::Disabled, _) => Err(()),
            (_, None) => Ok(None),
            (_, Some(attribute)) => {
                self.tree.conditions.push(super::tree::Condition {
                    file,
                    span: attribute.pound_token.span,
                    text: cfg::text_of(attribute),
                });
                Ok(Some(ConditionId(self.tree.conditions.len() - 1)))
            }
        }
    }

    /// Loads a module declared in `parent`.
    pub(super) fn child(
        &mut self,
        parent: ModuleId,
        dirs: &ModuleDirs,
        item: ItemMod,
        condition: Option<ConditionId>,
    ) -> Option<ModuleId> {
        let name = item.ident.unraw().to_string();
        let (krate, file) = (
            self.tree.module(parent).krate,
            self.tree.module(parent).file,
        );
        let path_attribute = path_attribute(&item.attrs);
        if let Some((_, items)) = item.content {
            let dirs = dirs.inline(&name, path_attribute.as_deref());
            let module = self.module(krate, Some(parent), &name, file);
            self.declare_all(module, &dirs, items, condition);
            return Some(module);
        }
        let found = dirs.find(&name, path_attribute.as_deref(), |path| self.text(path));
        let Some((path, text, dirs)) = found else {
            if condition.is_none() {
                let help = dirs.help(&name, path_attribute.as_deref());
                let (span, message) = (item.ident.span(), missing_file(&name));
                let diagnostic = self.tree.diagnostic(file, span, message, Some(help));
                self.findings.error(diagnostic);
            }
            return None;
        };
        if self.is_above(parent, &path) {
            let message = format!("circular modules: {path} contains itself as module `{name}`");
            let diagnostic = self.tree.diagnostic(file, item.ident.span(), message, None);
            self.findings.error(diagnostic);
            return None;
        }
        let uses = self.uses.entry(path.clone()).or_default();
        *uses += 1;
        if *uses > MAX_USES {
            let message = format!("{path} is used by more than {MAX_USES} modules");
            let help = "declare the module once, and import its items".to_owned();
            let span = item.ident.span();
            let diagnostic = self.tree.diagnostic(file, span, message, Some(help));
            self.findings.error(diagnostic);
            return None;
        }
        let file = self.file(&path, text);
        let module = self.module(krate, Some(parent), &name, file);
        self.content(module, file, &dirs, condition);
        Some(module)
    }

    /// Returns whether the file contains `module` or one of its ancestors.
    fn is_above(&self, module: ModuleId, path: &RelPath) -> bool {
        let mut at = Some(module);
        while let Some(id) = at {
            let module = self.tree.module(id);
            if self.tree.files[module.file.0].path == *path {
                return true;
            }
            at = module.parent;
        }
        false
    }
}
