//! From files to modules: a file is parsed, and each `mod x;` in it leads to the next.

use std::collections::HashMap;

use syn::{Attribute, ItemMod, ext::IdentExt};

use super::{
    Diagnostic, Files,
    cfg::{self, Presence},
    findings::Findings,
    module_files::{Folders, path_attribute, without_file},
    outline,
    parse::parse,
    rules::{FileRules, RuleFiles},
    shared::Share,
    tree::{ConditionId, CrateId, File, FileId, Module, ModuleId, Target, Tree},
};
use crate::plan::RelPath;

/// Reads files into a tree of modules.
pub(super) struct Loader<'f> {
    pub(super) files: &'f dyn Files,
    pub(super) tree: Tree,
    pub(super) findings: Findings,
    /// The rules in the files that were parsed, so that nobody has to parse them again.
    pub(super) rules: RuleFiles,
    /// How many modules have each file.
    uses: HashMap<RelPath, usize>,
    /// The part of this thread, if several share the work.
    share: Option<Share<'f>>,
    /// Files that other threads parse, from the outermost module to the innermost.
    pub(super) left_to_others: Vec<Child>,
}

/// How many modules may have the same file, through `#[path]`: files that include each other twice double what there is to read.
const MAX_USES: usize = 64;

/// A module in a file of its own, before the file is parsed.
pub(super) struct Child {
    name: String,
    visibility: syn::Visibility,
    path: RelPath,
    text: String,
    folders: Folders,
}

impl<'f> Loader<'f> {
    pub(super) fn new(files: &'f dyn Files) -> Self {
        Self {
            files,
            tree: Tree::default(),
            findings: Findings::default(),
            rules: RuleFiles::default(),
            uses: HashMap::new(),
            share: None,
            left_to_others: Vec::new(),
        }
    }

    /// Shares the work with other threads.
    pub(super) fn sharing(files: &'f dyn Files, share: Share<'f>) -> Self {
        Self {
            share: Some(share),
            ..Self::new(files)
        }
    }

    /// Reads the root of a crate and all modules below it.
    pub(super) fn root(&mut self, krate: CrateId, path: &RelPath) {
        let Some(text) = self.text(path) else {
            let help = "a library needs it: Cargo.toml can name another file with `[lib] path`";
            self.findings.error(Diagnostic::of_file(
                path,
                "there is no such file",
                Some(help.to_owned()),
            ));
            self.module(krate, None, "", FileId(0));
            return;
        };
        let file = self.file(path, text);
        let module = self.module(krate, None, "", file);
        self.content(module, file, &Folders::beside(path), None, false);
    }

    fn file(&mut self, path: &RelPath, text: String) -> FileId {
        self.tree.files.push(File {
            path: path.clone(),
            text,
        });
        FileId(self.tree.files.len() - 1)
    }

    /// A new module without content.
    pub(super) fn module(
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

    /// Parses a file and declares what is in it.
    fn content(
        &mut self,
        module: ModuleId,
        file: FileId,
        folders: &Folders,
        condition: Option<ConditionId>,
        is_awaited: bool,
    ) {
        let File { path, text } = &self.tree.files[file.0];
        let parsed = parse(path, text);
        if let (true, Some(share)) = (is_awaited, &self.share) {
            share.publish(path, parsed.as_ref().ok().and_then(outline::of));
        }
        match parsed {
            Ok(parsed) => {
                let rules = FileRules::of(path, text, &parsed);
                self.rules.insert(path.clone(), rules);
                let condition = match self.condition(file, &parsed.attrs) {
                    Err(()) => return,
                    Ok(own) => condition.or(own),
                };
                self.declare_all(module, folders, parsed.items, condition);
            }
            Err(diagnostics) => {
                for diagnostic in diagnostics {
                    self.findings.error(diagnostic);
                }
            }
        }
    }

    /// The condition that `cfg` attributes put on something; an error if it is not there.
    pub(super) fn condition(
        &mut self,
        file: FileId,
        attributes: &[Attribute],
    ) -> Result<Option<ConditionId>, ()> {
        match cfg::presence(attributes) {
            (Presence::Absent, _) => Err(()),
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

    /// Reads a module that is declared in `parent`.
    pub(super) fn child(
        &mut self,
        parent: ModuleId,
        folders: &Folders,
        item: ItemMod,
        condition: Option<ConditionId>,
    ) -> Option<ModuleId> {
        let name = item.ident.unraw().to_string();
        let (krate, file) = (
            self.tree.module(parent).krate,
            self.tree.module(parent).file,
        );
        let written = path_attribute(&item.attrs);
        if let Some((_, items)) = item.content {
            let folders = folders.inline(&name, written.as_deref());
            let module = self.module(krate, Some(parent), &name, file);
            self.declare_all(module, &folders, items, condition);
            return Some(module);
        }
        let found = folders.find(&name, written.as_deref(), |path| self.text(path));
        let Some((path, text, folders)) = found else {
            if condition.is_none() {
                let advice = folders.advice(&name, written.as_deref());
                let (span, message) = (item.ident.span(), without_file(&name));
                let diagnostic = self.tree.diagnostic(file, span, message, Some(advice));
                self.findings.error(diagnostic);
            }
            return None;
        };
        if self.is_above(parent, &path) {
            let message =
                format!("the module `{name}` contains itself: {path} is already being read");
            let diagnostic = self.tree.diagnostic(file, item.ident.span(), message, None);
            self.findings.error(diagnostic);
            return None;
        }
        let uses = self.uses.entry(path.clone()).or_default();
        *uses += 1;
        if *uses > MAX_USES {
            let message = format!("{path} is the file of more than {MAX_USES} modules");
            let help = "include it once, and import what it declares".to_owned();
            let span = item.ident.span();
            let diagnostic = self.tree.diagnostic(file, span, message, Some(help));
            self.findings.error(diagnostic);
            return None;
        }
        let mut is_awaited = false;
        if let (Some(share), None) = (&mut self.share, condition)
            && outline::may_have(&text)
        {
            is_awaited = share.is_next_mine();
            if !is_awaited {
                self.left_to_others.push(Child {
                    name,
                    visibility: item.vis,
                    path,
                    text,
                    folders,
                });
                return None;
            }
        }
        let file = self.file(&path, text);
        let module = self.module(krate, Some(parent), &name, file);
        self.content(module, file, &folders, condition, is_awaited);
        Some(module)
    }

    /// Declares a module whose file another thread parses.
    pub(super) fn child_of_another(&mut self, parent: ModuleId, child: Child) {
        let outline = self
            .share
            .as_ref()
            .and_then(|share| share.outline(&child.path));
        let file = self.file(&child.path, child.text);
        let krate = self.tree.module(parent).krate;
        let module = self.module(krate, Some(parent), &child.name, file);
        match outline {
            Some(outline) => self.declare_outline(module, &outline),
            None => self.content(module, file, &child.folders, None, false),
        }
        let visibility = self.visibility(parent, &child.visibility);
        self.bind(parent, child.name, Target::Module(module), visibility, None);
    }

    /// Whether the file holds `module`, or a module around it.
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
