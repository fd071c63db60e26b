//! Finds items with `#[kb::object]` or `#[kb::resource]`, under any imported name, and parses their markers.
//!
//! Items that no kind refers to are parsed too, because rustc would report their errors as well.

use proc_macro2::TokenStream;
use syn::{Attribute, Meta};

use super::{
    cfg::{self, CfgState},
    findings::Findings,
    resolve::{Entity, Namespace, ResolveError, Resolver},
    tree::{Binding, BindingTarget, Item, ItemContent, ItemId, Tree},
};

/// One of the attributes of kb.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Attributed {
    Object,
    Resource,
}

/// Attributes that are not attribute macros.
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

/// Tools with inert attributes.
const TOOLS: [&str; 4] = ["clippy", "diagnostic", "rustfmt", "rust_analyzer"];

/// Parses every item with an attribute of kb.
pub(super) fn read_all(tree: &mut Tree, findings: &mut Findings) {
    for (id, position, attributed) in find_all(tree, findings) {
        read(tree, findings, id, position, attributed);
    }
}

/// Returns the items, each with the index of its attribute.
fn find_all(tree: &Tree, findings: &mut Findings) -> Vec<(ItemId, usize, Attributed)> {
    let resolver = Resolver::new(tree);
    let mut found = Vec::new();
    for (position, item) in tree.items.iter().enumerate() {
        let ItemContent::Data(data) = &item.content else {
            continue;
        };
        let attributes = super::declarations::attributes(data);
        let place = attributes.iter().enumerate().find_map(|(at, attribute)| {
            attributed(&resolver, item, attribute).map(|attributed| (at, attributed))
        });
        if let Some((at, attributed)) = place {
            found.push((ItemId(position), at, attributed));
            let (before, behind) = attributes.split_at(at);
            above(&resolver, findings, item, before);
            // rustc expands a `cfg_attr` below the attribute before the attribute itself.
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

/// Returns the reason for a `cfg` that only cargo can evaluate.
pub(super) fn conditional(
    tree: &Tree,
    condition: super::tree::ConditionId,
) -> super::FallbackReason {
    let condition = &tree.conditions[condition.0];
    let text = format!("`{}` depends on the build configuration", condition.text);
    tree.reason(condition.file, condition.span, text)
}

fn attributed(resolver: &Resolver<'_>, item: &Item, attribute: &Attribute) -> Option<Attributed> {
    match macro_path(resolver, item, attribute.path())?.as_str() {
        "kb::object" => Some(Attributed::Object),
        "kb::resource" => Some(Attributed::Resource),
        _ => None,
    }
}

/// Returns the full path of an attribute macro; `None` if it is inert or unknown.
fn macro_path(resolver: &Resolver<'_>, item: &Item, path: &syn::Path) -> Option<String> {
    let first = &path.segments.first()?.ident;
    let alone = path.segments.len() == 1;
    if (alone && INERT.iter().any(|name| first == name)) || TOOLS.iter().any(|name| first == name) {
        return None;
    }
    match resolver.resolve_path(item.module, path, Namespace::Macro) {
        Ok(found) => match found.entity {
            // Leaves the item unchanged.
            Entity::Foreign(path) if path == "kb::rbac" => None,
            Entity::Foreign(path) => Some(path),
            _ => None,
        },
        // A glob import of another crate may provide a macro of this name.
        Err(ResolveError::Uncertain { name, .. } | ResolveError::Ambiguous(name)) => Some(name),
        Err(ResolveError::Unknown { .. }) => None,
    }
}

/// Returns whether an attribute macro may give the item a schema.
pub(super) fn may_be_hidden(resolver: &Resolver<'_>, item: &Item) -> bool {
    let attributes = item.content.data().map(super::declarations::attributes);
    attributes.into_iter().flatten().any(|attribute| {
        let path = attribute.path();
        path.is_ident("cfg_attr") || macro_path(resolver, item, path).is_some()
    })
}

/// Reports attribute macros above that of kb: they may change the item before kb sees it.
fn above(resolver: &Resolver<'_>, findings: &mut Findings, item: &Item, attributes: &[Attribute]) {
    let tree = resolver.tree;
    let file = tree.module(item.module).file;
    for attribute in attributes {
        let span = attribute.pound_token.span;
        if let Some((state, metas)) = cfg::conditional(attribute) {
            let harmless = |meta: &Meta| {
                let path = meta.path();
                let names = ["derive", "allow", "warn", "deny", "expect", "must_use"];
                kb_markers::is_rbac(path) || names.iter().any(|name| path.is_ident(name))
            };
            if state != CfgState::Disabled && !metas.iter().all(harmless) {
                let text = format!(
                    "`{}` on `{}` depends on the build configuration",
                    cfg::text_of(attribute),
                    item.ident
                );
                findings.reason(tree.reason(file, span, text));
            }
        } else if let Some(path) = macro_path(resolver, item, attribute.path()) {
            let text = format!(
                "the attribute macro `{path}` is expanded before that of kb and may change `{}`",
                item.ident
            );
            findings.reason(tree.reason(file, span, text));
        }
    }
}

fn read(tree: &mut Tree, findings: &mut Findings, id: ItemId, position: usize, which: Attributed) {
    let item = &mut tree.items[id.0];
    let ItemContent::Data(mut data) = std::mem::replace(&mut item.content, ItemContent::Broken)
    else {
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
            .map(|object| ItemContent::Object(Box::new(object))),
        Attributed::Resource => kb_markers::read_resource(arguments, *data)
            .map(|resource| ItemContent::Resource(Box::new(resource))),
    };
    match content {
        Ok(content) => {
            let kind = match &content {
                ItemContent::Resource(item) => Some(item.resource.kind.to_string()),
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

/// Declares the root type that the macro generates, with the visibility of the item.
fn declare_kind(tree: &mut Tree, id: ItemId, kind: String) {
    let item = tree.item(id);
    let binding = Binding {
        target: BindingTarget::Kind(id),
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

/// Splits an error of kb-markers into message and help.
pub(super) fn split(error: &syn::Error) -> (String, Option<String>) {
    let text = error.to_string();
    match text.split_once("\nhelp: ") {
        Some((message, help)) => (message.to_owned(), Some(help.to_owned())),
        None => (text, None),
    }
}
