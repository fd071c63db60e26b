//! Items under kb's attributes: which they are, and what markers reads of them.
//!
//! An attribute is kb's if its path leads to `kb::object` or `kb::resource`, by whatever `use`. All such items are read, also
//! those that no kind leads to: the compiler would complain of their mistakes, too.

use proc_macro2::TokenStream;
use syn::{Attribute, Meta};

use super::{
    cfg::{self, Presence},
    findings::Findings,
    resolve::{Entity, Lost, Namespace, Resolver},
    tree::{Binding, Content, Item, ItemId, Target, Tree},
};

/// Which of kb's attributes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Attributed {
    Object,
    Resource,
}

/// Attributes that are no macros, as far as this matters.
const INERT: [&str; 22] = [
    "allow",
    "cfg",
    "cfg_attr",
    "cold",
    "default",
    "deny",
    "deprecated",
    "derive",
    "doc",
    "expect",
    "forbid",
    "garde",
    "inline",
    "kb",
    "kube",
    "must_use",
    "non_exhaustive",
    "repr",
    "schemars",
    "serde",
    "validate",
    "warn",
];

/// Tools whose attributes the compiler leaves alone.
const TOOLS: [&str; 4] = ["clippy", "diagnostic", "rustfmt", "rust_analyzer"];

/// Reads every item under one of kb's attributes.
pub(super) fn read_all(tree: &mut Tree, findings: &mut Findings) {
    for (id, position, attributed) in find_all(tree, findings) {
        read(tree, findings, id, position, attributed);
    }
}

/// The items, each with the position of kb's attribute.
fn find_all(tree: &Tree, findings: &mut Findings) -> Vec<(ItemId, usize, Attributed)> {
    let resolver = Resolver::new(tree);
    let mut found = Vec::new();
    for (position, item) in tree.items.iter().enumerate() {
        let Content::Data(data) = &item.content else {
            continue;
        };
        let attributes = super::collect::attributes(data);
        let place = attributes.iter().enumerate().find_map(|(at, attribute)| {
            attributed(&resolver, item, attribute).map(|attributed| (at, attributed))
        });
        if let Some((at, attributed)) = place {
            found.push((ItemId(position), at, attributed));
            let (before, behind) = attributes.split_at(at);
            above(&resolver, findings, item, before);
            // Those behind kb's that depend on a condition: rustc decides it before kb sees the item.
            let mut behind = behind.to_vec();
            behind.retain(|attribute| attribute.path().is_ident("cfg_attr"));
            above(&resolver, findings, item, &behind);
            if let Some(condition) = item.condition {
                findings.reason(conditional(tree, condition));
            }
        }
    }
    found
}

/// A reason: something depends on a `cfg` that only cargo can decide.
pub(super) fn conditional(tree: &Tree, condition: super::tree::ConditionId) -> super::Reason {
    let condition = &tree.conditions[condition.0];
    let text = format!("`{}`: only cargo knows whether it holds", condition.text);
    tree.reason(condition.file, condition.span, text)
}

fn attributed(resolver: &Resolver<'_>, item: &Item, attribute: &Attribute) -> Option<Attributed> {
    match macro_path(resolver, item, attribute.path())?.as_str() {
        "kb::object" => Some(Attributed::Object),
        "kb::resource" => Some(Attributed::Resource),
        _ => None,
    }
}

/// The path in full of an attribute macro; none if it is no macro, or unknown.
fn macro_path(resolver: &Resolver<'_>, item: &Item, path: &syn::Path) -> Option<String> {
    let first = &path.segments.first()?.ident;
    let alone = path.segments.len() == 1;
    if (alone && INERT.iter().any(|name| first == name)) || TOOLS.iter().any(|name| first == name) {
        return None;
    }
    match resolver.path(item.module, path, Namespace::Macro) {
        Ok(found) => match found.entity {
            // It leaves the item as it is.
            Entity::Foreign(path) if path == "kb::rbac" => None,
            Entity::Foreign(path) => Some(path),
            _ => None,
        },
        // A `*` of another crate may bring a macro of this name.
        Err(Lost::Uncertain { name, .. } | Lost::Ambiguous(name)) => Some(name),
        Err(Lost::Unknown { .. }) => None,
    }
}

/// Whether an attribute is no macro, as far as its name tells.
pub(super) fn is_inert(attribute: &Attribute) -> bool {
    let path = attribute.path();
    path.get_ident()
        .is_some_and(|ident| INERT.iter().any(|name| ident == name))
}

/// Whether an item has attributes that may put it under one of kb's, or give it a schema.
pub(super) fn may_be_hidden(resolver: &Resolver<'_>, item: &Item) -> bool {
    let attributes = item.content.data().map(super::collect::attributes);
    attributes.into_iter().flatten().any(|attribute| {
        let path = attribute.path();
        path.is_ident("cfg_attr") || macro_path(resolver, item, path).is_some()
    })
}

/// Attribute macros above kb's may change the item before kb sees it.
fn above(resolver: &Resolver<'_>, findings: &mut Findings, item: &Item, attributes: &[Attribute]) {
    let tree = resolver.tree;
    let file = tree.module(item.module).file;
    for attribute in attributes {
        let span = attribute.pound_token.span;
        if let Some((presence, metas)) = cfg::conditional(attribute) {
            let harmless = |meta: &Meta| {
                let path = meta.path();
                let names = ["derive", "allow", "warn", "deny", "expect", "must_use"];
                kb_markers::is_rbac(path) || names.iter().any(|name| path.is_ident(name))
            };
            if presence != Presence::Absent && !metas.iter().all(harmless) {
                let text = format!(
                    "`{}` on `{}`: only cargo knows whether it holds",
                    cfg::text_of(attribute),
                    item.ident
                );
                findings.reason(tree.reason(file, span, text));
            }
        } else if let Some(path) = macro_path(resolver, item, attribute.path()) {
            let text = format!(
                "the attribute macro `{path}` stands above kb's and may change `{}`: only rustc knows what it makes",
                item.ident
            );
            findings.reason(tree.reason(file, span, text));
        }
    }
}

fn read(tree: &mut Tree, findings: &mut Findings, id: ItemId, position: usize, which: Attributed) {
    let item = &mut tree.items[id.0];
    let Content::Data(mut data) = std::mem::replace(&mut item.content, Content::Broken) else {
        return;
    };
    let Some(attributes) = attributes_mut(&mut data) else {
        return;
    };
    let attribute = attributes.remove(position);
    let arguments = match attribute.meta {
        Meta::List(list) => list.tokens,
        _ => TokenStream::new(),
    };
    let content = match which {
        Attributed::Object => kb_markers::read_object(arguments, *data)
            .map(|object| Content::Object(Box::new(object))),
        Attributed::Resource => kb_markers::read_resource(arguments, *data)
            .map(|resource| Content::Resource(Box::new(resource))),
    };
    match content {
        Ok(content) => {
            let kind = match &content {
                Content::Resource(item) => Some(item.resource.kind.to_string()),
                _ => None,
            };
            item.content = content;
            if let Some(kind) = kind {
                declare_kind(tree, id, kind);
            }
        }
        Err(errors) => {
            let file = tree.module(tree.item(id).module).file;
            for error in errors {
                let (message, help) = split(&error);
                findings.error(tree.diagnostic(file, error.span(), message, help));
            }
        }
    }
}

/// The macro makes a type with the name of the kind, as visible as the item.
fn declare_kind(tree: &mut Tree, id: ItemId, kind: String) {
    let item = tree.item(id);
    let binding = Binding {
        target: Target::Kind(id),
        visibility: item.visibility,
        condition: item.condition,
    };
    let module = item.module;
    let names = &mut tree.modules[module.0].names;
    names.entry(kind).or_default().push(binding);
}

fn attributes_mut(item: &mut syn::Item) -> Option<&mut Vec<Attribute>> {
    match item {
        syn::Item::Struct(item) => Some(&mut item.attrs),
        syn::Item::Enum(item) => Some(&mut item.attrs),
        syn::Item::Union(item) => Some(&mut item.attrs),
        _ => None,
    }
}

/// What an error of markers says, and its advice.
pub(super) fn split(error: &syn::Error) -> (String, Option<String>) {
    let text = error.to_string();
    match text.split_once("\nhelp: ") {
        Some((message, help)) => (message.to_owned(), Some(help.to_owned())),
        None => (text, None),
    }
}
