//! The outline of a file: the names that it declares, without what is behind them.
//!
//! Syntax trees cannot leave the thread that parsed them; outlines can. A file has one only if it is as plain as the file of a kind
//! usually is: whoever needs more parses it as well.

use syn::ext::IdentExt;

use super::{annotated, collect};

/// What one item of a file declares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Declared {
    pub(super) form: Form,
    pub(super) visibility: Visible,
}

/// What is declared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Form {
    /// An item with this name.
    Item(String),
    /// A kind: the item, and the name of the kind.
    Kind(String, String),
    /// `use`: the name that it makes, none for `*`, and the path.
    Import {
        name: Option<String>,
        absolute: bool,
        segments: Vec<String>,
    },
}

/// Who sees it, as seen from its module.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Visible {
    Everybody,
    Crate,
    Parent,
    Module,
}

impl Visible {
    pub(super) fn of(visibility: &syn::Visibility) -> Self {
        match visibility {
            syn::Visibility::Public(_) => Self::Everybody,
            syn::Visibility::Restricted(restricted) => match restricted.path.get_ident() {
                Some(ident) if ident == "super" => Self::Parent,
                Some(ident) if ident == "self" => Self::Module,
                _ => Self::Crate,
            },
            syn::Visibility::Inherited => Self::Module,
        }
    }
}

/// Whether a file may have an outline, by a look at its text: it has a kind, and no modules below it.
pub(super) fn may_have(text: &str) -> bool {
    text.contains("resource") && !has_word(text, "mod")
}

/// Whether the word is anywhere, also in a comment.
fn has_word(text: &str, word: &str) -> bool {
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    text.match_indices(word).any(|(at, _)| {
        !text[..at].ends_with(is_part) && !text[at + word.len()..].starts_with(is_part)
    })
}

/// The outline; none if the file is not that plain.
pub(super) fn of(file: &syn::File) -> Option<Vec<Declared>> {
    let has_condition = |attributes: &[syn::Attribute]| {
        attributes.iter().any(|attribute| {
            attribute.path().is_ident("cfg") || attribute.path().is_ident("cfg_attr")
        })
    };
    if has_condition(&file.attrs) {
        return None;
    }
    let mut outline = Vec::new();
    for item in &file.items {
        if has_condition(collect::attributes(item)) {
            return None;
        }
        add(item, &mut outline)?;
    }
    Some(outline)
}

fn add(item: &syn::Item, outline: &mut Vec<Declared>) -> Option<()> {
    let (ident, visibility) = match item {
        syn::Item::Struct(item) => (&item.ident, &item.vis),
        syn::Item::Enum(item) => (&item.ident, &item.vis),
        syn::Item::Type(item) => (&item.ident, &item.vis),
        syn::Item::Const(item) => (&item.ident, &item.vis),
        syn::Item::Fn(item) => (&item.sig.ident, &item.vis),
        syn::Item::Use(import) => {
            add_imports(import, outline);
            return Some(());
        }
        syn::Item::Impl(block) => {
            return (!collect::is_schema(block) && block.attrs.iter().all(annotated::is_inert))
                .then_some(());
        }
        _ => return None,
    };
    let name = ident.unraw().to_string();
    let mut form = Form::Item(name.clone());
    for attribute in collect::attributes(item) {
        if annotated::is_inert(attribute) {
            continue;
        }
        let last = &attribute.path().segments.last()?.ident;
        if last == "resource" {
            form = Form::Kind(name.clone(), kind_name(attribute)?);
        } else if last != "object" {
            return None;
        }
    }
    outline.push(Declared {
        form,
        visibility: Visible::of(visibility),
    });
    Some(())
}

fn add_imports(import: &syn::ItemUse, outline: &mut Vec<Declared>) {
    let mut names = Vec::new();
    collect::flatten(&import.tree, &mut Vec::new(), &mut names);
    outline.extend(names.into_iter().map(|(name, segments)| Declared {
        form: Form::Import {
            name,
            absolute: import.leading_colon.is_some(),
            segments,
        },
        visibility: Visible::of(&import.vis),
    }));
}

/// The name in `kind = "Name"` among the arguments. Who reads the item in full finds what is wrong with it.
fn kind_name(attribute: &syn::Attribute) -> Option<String> {
    let mut tokens = attribute
        .meta
        .require_list()
        .ok()?
        .tokens
        .clone()
        .into_iter();
    while let Some(token) = tokens.next() {
        if matches!(&token, proc_macro2::TokenTree::Ident(ident) if ident == "kind") {
            tokens.next()?;
            let literal: syn::LitStr = syn::parse2(tokens.next()?.into()).ok()?;
            return Some(literal.value());
        }
    }
    None
}
