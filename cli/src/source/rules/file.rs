//! One file: its rules, its mistakes, and the modules that it declares. Everything has its place already, so the syntax tree can go.

use std::{collections::HashMap, sync::Arc};

use kb_markers::{arguments_of, check_rbac_item, is_rbac, read_rbac};
use kb_model::rbac::{self, Argument, Place, Rule};
use proc_macro2::{LineColumn, Span, TokenStream, TokenTree};
use syn::{
    Attribute, ImplItem, Item, Meta, TraitItem, UseTree,
    ext::IdentExt,
    visit::{self, Visit},
};

use super::super::{
    Diagnostic,
    annotated::split,
    cfg::{self, Presence},
    collect,
    module_files::path_attribute,
    parse::parse,
};
use crate::plan::RelPath;

/// The attribute's name: a file that does not have it has no rules.
const NAME: &str = "rbac";

/// What is known of files, by path.
#[derive(Debug, Default)]
pub(crate) struct RuleFiles(HashMap<RelPath, Arc<FileRules>>);

impl RuleFiles {
    pub(in super::super) fn insert(&mut self, path: RelPath, rules: FileRules) {
        self.0.insert(path, Arc::new(rules));
    }

    /// Takes in what another thread knows.
    pub(in super::super) fn extend(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    pub(super) fn get(&self, path: &RelPath) -> Option<Arc<FileRules>> {
        self.0.get(path).map(Arc::clone)
    }
}

/// A rule, and where it is written.
#[derive(Debug, Clone)]
pub(crate) struct WrittenRule {
    /// What it says.
    pub(crate) rule: Rule,
    /// Its verbs, with nothing said about them yet.
    pub(crate) place: Diagnostic,
}

/// What a file says.
#[derive(Debug, Default)]
pub(in super::super) struct FileRules {
    /// Its rules.
    pub(super) rules: Vec<WrittenRule>,
    /// What of them is wider than it is likely meant.
    pub(super) wide: Vec<Diagnostic>,
    /// Its mistakes.
    pub(super) errors: Vec<Diagnostic>,
    /// What is odd, and no mistake.
    pub(super) warnings: Vec<Diagnostic>,
    /// The modules that it has in other files.
    pub(super) modules: Vec<Declared>,
}

/// `mod name;`
#[derive(Debug)]
pub(super) struct Declared {
    pub(super) name: String,
    /// Its `#[path]`.
    pub(super) written: Option<String>,
    /// The inline modules around it, from the outermost, each with its `#[path]`.
    pub(super) within: Vec<(String, Option<String>)>,
    /// Its place, if it must have a file; nothing, if a `cfg` decides whether it needs one.
    pub(super) required_at: Option<[LineColumn; 2]>,
}

impl FileRules {
    /// Parses a file.
    pub(super) fn parse(path: &RelPath, text: &str) -> Self {
        match parse(path, text) {
            Ok(parsed) => Self::of(path, text, &parsed),
            Err(errors) => Self {
                errors,
                ..Self::default()
            },
        }
    }

    /// What a parsed file says.
    pub(in super::super) fn of(path: &RelPath, text: &str, parsed: &syn::File) -> Self {
        let mut finder = Finder {
            path,
            text,
            found: Self::default(),
        };
        if is_there(&parsed.attrs) {
            finder.modules(&parsed.items, &mut Vec::new(), false);
            if text.contains(NAME) {
                finder.visit_file(parsed);
            }
        }
        finder.found
    }
}

/// Whether an item is part of a build that is no test.
fn is_there(attributes: &[Attribute]) -> bool {
    cfg::presence(attributes).0 != Presence::Absent
}

struct Finder<'a> {
    path: &'a RelPath,
    text: &'a str,
    found: FileRules,
}

impl Finder<'_> {
    /// Notes the modules that are in other files.
    fn modules(
        &mut self,
        items: &[Item],
        within: &mut Vec<(String, Option<String>)>,
        conditional: bool,
    ) {
        for item in items {
            let Item::Mod(module) = item else { continue };
            let conditional = match cfg::presence(&module.attrs).0 {
                Presence::Absent => continue,
                Presence::Here => conditional,
                Presence::Unknown => true,
            };
            let name = module.ident.unraw().to_string();
            let written = path_attribute(&module.attrs);
            if let Some((_, items)) = &module.content {
                within.push((name, written));
                self.modules(items, within, conditional);
                within.pop();
                continue;
            }
            let span = module.ident.span();
            self.found.modules.push(Declared {
                required_at: (!conditional).then(|| [span.start(), span.end()]),
                name,
                written,
                within: within.clone(),
            });
        }
    }

    fn diagnostic(&self, span: Span, message: String, help: Option<String>) -> Diagnostic {
        Diagnostic::at(self.path, self.text, span, message, help)
    }

    /// Reads the rules on something that may have them, as `check` says for a place.
    fn attributes(&mut self, attributes: &[Attribute], check: impl Fn(Span) -> syn::Result<()>) {
        for (arguments, whole) in attributes.iter().flat_map(rules_of) {
            match check(whole).and_then(|()| read_rbac(arguments, whole)) {
                Ok(read) => {
                    for problem in rbac::breadth(&read.rule) {
                        let span = read.span(problem.place);
                        let wide = self.diagnostic(span, problem.message, Some(problem.help));
                        self.found.wide.push(wide);
                    }
                    let span = read.span(Place::Argument(Argument::Verbs));
                    let place = self.diagnostic(span, String::new(), None);
                    let rule = read.rule;
                    self.found.rules.push(WrittenRule { rule, place });
                }
                Err(errors) => {
                    for error in errors {
                        let (message, help) = split(&error);
                        let mistake = self.diagnostic(error.span(), message, help);
                        self.found.errors.push(mistake);
                    }
                }
            }
        }
    }
}

/// The arguments of each rule that an attribute is or may bring, and its place.
fn rules_of(attribute: &Attribute) -> Vec<(TokenStream, Span)> {
    let whole = attribute.pound_token.span;
    if is_rbac(attribute.path()) {
        return vec![(arguments_of(attribute), whole)];
    }
    let Some((presence, metas)) = cfg::conditional(attribute) else {
        return Vec::new();
    };
    let arguments = |meta: Meta| match meta {
        Meta::List(list) if is_rbac(&list.path) => Some((list.tokens, whole)),
        _ => None,
    };
    let metas = metas.into_iter().filter(|_| presence != Presence::Absent);
    metas.filter_map(arguments).collect()
}

/// What is neither a method nor an item that can have rules is refused in the words for items.
fn refused(whole: Span) -> syn::Result<()> {
    check_rbac_item(&Item::Verbatim(TokenStream::new()), whole)
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        let attributes = collect::attributes(item);
        if is_there(attributes) {
            self.attributes(attributes, |whole| check_rbac_item(item, whole));
            visit::visit_item(self, item);
        }
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        let (attributes, check): (_, fn(Span) -> _) = match item {
            ImplItem::Fn(item) => (&item.attrs, |_| Ok(())),
            ImplItem::Const(item) => (&item.attrs, refused),
            ImplItem::Type(item) => (&item.attrs, refused),
            _ => return visit::visit_impl_item(self, item),
        };
        if is_there(attributes) {
            self.attributes(attributes, check);
            visit::visit_impl_item(self, item);
        }
    }

    fn visit_trait_item(&mut self, item: &'ast TraitItem) {
        let (attributes, check): (_, fn(Span) -> _) = match item {
            TraitItem::Fn(item) if item.default.is_some() => (&item.attrs, |_| Ok(())),
            TraitItem::Fn(item) => (&item.attrs, refused),
            TraitItem::Const(item) => (&item.attrs, refused),
            TraitItem::Type(item) => (&item.attrs, refused),
            _ => return visit::visit_trait_item(self, item),
        };
        if is_there(attributes) {
            self.attributes(attributes, check);
            visit::visit_trait_item(self, item);
        }
    }

    /// A rule in a call is one of code that only rustc knows.
    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        if let Some(span) = attribute_in(call.tokens.clone()) {
            let message = "a rule inside of a macro is not seen, and not part of the role";
            let help = "put it on an item outside of the macro".to_owned();
            let warning = self.diagnostic(span, message.to_owned(), Some(help));
            self.found.warnings.push(warning);
        }
    }

    fn visit_item_use(&mut self, import: &'ast syn::ItemUse) {
        if let Some(name) = renamed(&import.tree, &mut Vec::new()) {
            let message = "`kb::rbac` has another name here, by which kb-rs does not know it";
            let help = "import it as `rbac`, or write `#[kb::rbac(..)]`".to_owned();
            let mistake = self.diagnostic(name.span(), message.to_owned(), Some(help));
            self.found.errors.push(mistake);
        }
    }
}

/// The place of `kb::rbac(` in tokens.
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

/// The new name of `kb::rbac` in a `use`.
fn renamed<'t>(tree: &'t UseTree, before: &mut Vec<&'t syn::Ident>) -> Option<&'t syn::Ident> {
    match tree {
        UseTree::Path(path) => {
            before.push(&path.ident);
            let found = renamed(&path.tree, before);
            before.pop();
            found
        }
        UseTree::Rename(name) => {
            let ours = before.last().is_some_and(|from| *from == "kb") && name.ident == NAME;
            ours.then_some(&name.rename)
        }
        UseTree::Group(group) => group.items.iter().find_map(|tree| renamed(tree, before)),
        UseTree::Name(_) | UseTree::Glob(_) => None,
    }
}
