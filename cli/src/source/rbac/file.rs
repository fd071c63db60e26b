//! RBAC markers and module declarations of a file. Spans are resolved to locations, so the syntax tree can be dropped.

use std::{collections::HashMap, sync::Arc};

use kb_markers::{arguments_of, check_rbac_item, is_rbac, read_rbac};
use kb_model::rbac::{self, Argument, Location, Rule};
use proc_macro2::{LineColumn, Span, TokenStream, TokenTree};
use syn::{
    Attribute, ImplItem, Item, Meta, TraitItem, UseTree,
    ext::IdentExt,
    visit::{self, Visit},
};

use super::super::{
    Diagnostic,
    attributes::split,
    cfg::{self, CfgState},
    declarations,
    module_dirs::path_attribute,
    parse::parse,
};
use crate::plan::RelPath;

/// Name of the attribute. A file without it has no markers.
const NAME: &str = "rbac";

/// RBAC markers of parsed files, by path.
#[derive(Debug, Default)]
pub(crate) struct RuleCache(HashMap<RelPath, Arc<FileRules>>);

impl RuleCache {
    pub(in super::super) fn insert(&mut self, path: RelPath, rules: FileRules) {
        self.0.insert(path, Arc::new(rules));
    }

    pub(super) fn get(&self, path: &RelPath) -> Option<Arc<FileRules>> {
        self.0.get(path).map(Arc::clone)
    }
}

/// A rule and its source location.
#[derive(Debug, Clone)]
pub(crate) struct SourceRule {
    /// The rule.
    pub(crate) rule: Rule,
    /// Location of its verbs, without a message.
    pub(crate) location: Diagnostic,
}

/// RBAC markers and modules of a file.
#[derive(Debug, Default)]
pub(in super::super) struct FileRules {
    /// Rules.
    pub(super) rules: Vec<SourceRule>,
    /// Warnings about rules that are broader than necessary.
    pub(super) wide: Vec<Diagnostic>,
    /// Errors.
    pub(super) errors: Vec<Diagnostic>,
    /// Warnings.
    pub(super) warnings: Vec<Diagnostic>,
    /// Modules in other files.
    pub(super) modules: Vec<ModuleDeclaration>,
}

/// `mod name;`
#[derive(Debug)]
pub(super) struct ModuleDeclaration {
    pub(super) name: String,
    /// Its `#[path]`.
    pub(super) path_attribute: Option<String>,
    /// Enclosing inline modules, outermost first, each with its `#[path]`.
    pub(super) within: Vec<(String, Option<String>)>,
    /// Location, if the file must exist; `None` if a `cfg` may disable the module.
    pub(super) required_at: Option<[LineColumn; 2]>,
}

impl FileRules {
    /// Parses a file and reads its markers.
    pub(super) fn parse(path: &RelPath, text: &str) -> Self {
        match parse(path, text) {
            Ok(parsed) => Self::of(path, text, &parsed),
            Err(errors) => Self {
                errors,
                ..Self::default()
            },
        }
    }

    /// Reads the markers of a parsed file.
    pub(in super::super) fn of(path: &RelPath, text: &str, parsed: &syn::File) -> Self {
        let mut finder = Finder {
            path,
            text,
            rules: Self::default(),
        };
        if is_enabled(&parsed.attrs) {
            finder.modules(&parsed.items, &mut Vec::new(), false);
            if text.contains(NAME) {
                finder.visit_file(parsed);
            }
        }
        finder.rules
    }
}

/// Returns whether an item is part of a build without tests.
fn is_enabled(attributes: &[Attribute]) -> bool {
    cfg::state(attributes).0 != CfgState::Disabled
}

struct Finder<'a> {
    path: &'a RelPath,
    text: &'a str,
    rules: FileRules,
}

impl Finder<'_> {
    /// Collects the modules in other files.
    fn modules(
        &mut self,
        items: &[Item],
        within: &mut Vec<(String, Option<String>)>,
        conditional: bool,
    ) {
        for item in items {
            let Item::Mod(module) = item else { continue };
            let conditional = match cfg::state(&module.attrs).0 {
                CfgState::Disabled => continue,
                CfgState::Enabled => conditional,
                CfgState::Unknown => true,
            };
            let name = module.ident.unraw().to_string();
            let path_attribute = path_attribute(&module.attrs);
            if let Some((_, items)) = &module.content {
                within.push((name, path_attribute));
                self.modules(items, within, conditional);
                within.pop();
                continue;
            }
            let span = module.ident.span();
            self.rules.modules.push(ModuleDeclaration {
                required_at: (!conditional).then(|| [span.start(), span.end()]),
                name,
                path_attribute,
                within: within.clone(),
            });
        }
    }

    fn diagnostic(&self, span: Span, message: String, help: Option<String>) -> Diagnostic {
        Diagnostic::at(self.path, self.text, span, message, help)
    }

    /// Reads the markers of an item. `check` decides whether the item may have them.
    fn attributes(&mut self, attributes: &[Attribute], check: impl Fn(Span) -> syn::Result<()>) {
        for (arguments, whole) in attributes.iter().flat_map(rules_of) {
            match check(whole).and_then(|()| read_rbac(arguments, whole)) {
                Ok(read) => {
                    for problem in rbac::breadth(&read.rule) {
                        let span = read.span(problem.location);
                        let wide = self.diagnostic(span, problem.message, Some(problem.help));
                        self.rules.wide.push(wide);
                    }
                    let span = read.span(Location::Argument(Argument::Verbs));
                    let location = self.diagnostic(span, String::new(), None);
                    let rule = read.rule;
                    self.rules.rules.push(SourceRule { rule, location });
                }
                Err(errors) => {
                    for error in errors {
                        let (message, help) = split(&error);
                        let error = self.diagnostic(error.span(), message, help);
                        self.rules.errors.push(error);
                    }
                }
            }
        }
    }
}

/// Returns the arguments and the span of each RBAC marker in an attribute, including `cfg_attr`.
fn rules_of(attribute: &Attribute) -> Vec<(TokenStream, Span)> {
    let whole = attribute.pound_token.span;
    if is_rbac(attribute.path()) {
        return vec![(arguments_of(attribute), whole)];
    }
    let Some((state, metas)) = cfg::conditional(attribute) else {
        return Vec::new();
    };
    let arguments = |meta: Meta| match meta {
        Meta::List(list) if is_rbac(&list.path) => Some((list.tokens, whole)),
        _ => None,
    };
    let metas = metas.into_iter().filter(|_| state != CfgState::Disabled);
    metas.filter_map(arguments).collect()
}

/// Returns the error for an item that cannot have markers.
fn unsupported(whole: Span) -> syn::Result<()> {
    check_rbac_item(&Item::Verbatim(TokenStream::new()), whole)
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        let attributes = declarations::attributes(item);
        if is_enabled(attributes) {
            self.attributes(attributes, |whole| check_rbac_item(item, whole));
            visit::visit_item(self, item);
        }
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        let (attributes, check): (_, fn(Span) -> _) = match item {
            ImplItem::Fn(item) => (&item.attrs, |_| Ok(())),
            ImplItem::Const(item) => (&item.attrs, unsupported),
            ImplItem::Type(item) => (&item.attrs, unsupported),
            _ => return visit::visit_impl_item(self, item),
        };
        if is_enabled(attributes) {
            self.attributes(attributes, check);
            visit::visit_impl_item(self, item);
        }
    }

    fn visit_trait_item(&mut self, item: &'ast TraitItem) {
        let (attributes, check): (_, fn(Span) -> _) = match item {
            TraitItem::Fn(item) if item.default.is_some() => (&item.attrs, |_| Ok(())),
            TraitItem::Fn(item) => (&item.attrs, unsupported),
            TraitItem::Const(item) => (&item.attrs, unsupported),
            TraitItem::Type(item) => (&item.attrs, unsupported),
            _ => return visit::visit_trait_item(self, item),
        };
        if is_enabled(attributes) {
            self.attributes(attributes, check);
            visit::visit_trait_item(self, item);
        }
    }

    /// Warns about a marker inside a macro call: only rustc can expand it.
    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        if let Some(span) = attribute_in(call.tokens.clone()) {
            let message = "a marker inside a macro call is ignored";
            let help = "move it to an item outside of the macro".to_owned();
            let warning = self.diagnostic(span, message.to_owned(), Some(help));
            self.rules.warnings.push(warning);
        }
    }

    fn visit_item_use(&mut self, import: &'ast syn::ItemUse) {
        if let Some(name) = renamed(&import.tree, &mut Vec::new()) {
            let message = "kb-rs does not recognize `kb::rbac` under another name";
            let help = "import it as `rbac`, or write `#[kb::rbac(..)]`".to_owned();
            let error = self.diagnostic(name.span(), message.to_owned(), Some(help));
            self.rules.errors.push(error);
        }
    }
}

/// Returns the span of `rbac(` in tokens.
fn attribute_in(tokens: TokenStream) -> Option<Span> {
    let mut previous = None;
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                if previous.is_some() {
                    return previous;
                }
                if let Some(span) = attribute_in(group.stream()) {
                    return Some(span);
                }
            }
            TokenTree::Ident(ident) if ident == NAME => {
                previous = Some(ident.span());
                continue;
            }
            _ => {}
        }
        previous = None;
    }
    None
}

/// Returns the new name of `kb::rbac` in a `use`.
fn renamed<'t>(tree: &'t UseTree, before: &mut Vec<&'t syn::Ident>) -> Option<&'t syn::Ident> {
    match tree {
        UseTree::Path(path) => {
            before.push(&path.ident);
            let found = renamed(&path.tree, before);
            before.pop();
            found
        }
        UseTree::Rename(name) => {
            let is_kb = before.last().is_some_and(|from| *from == "kb") && name.ident == NAME;
            is_kb.then_some(&name.rename)
        }
        UseTree::Group(group) => group.items.iter().find_map(|tree| renamed(tree, before)),
        UseTree::Name(_) | UseTree::Glob(_) => None,
    }
}
