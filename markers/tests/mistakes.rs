//! Errors of common mistakes: `mistakes/NAME.rs` contains a mistake, `NAME.txt` its errors with their positions.
//!
//! The macros pass these errors to rustc (test `ui` of `kb-runtime`), and `kb-rs generate` prints them at the same positions (test
//! `mistakes` of `scaffold-tests`). Update with `UPDATE_GOLDENS=1 cargo test -p kb-markers --test mistakes`.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test reads and writes its own files"
)]

use std::{env, fmt::Write, fs, path::Path};

use kb_markers::{
    KbAttribute, arguments_of, check_rbac_item, is_rbac, kb_attribute, read_object, read_rbac,
    read_resource,
};
use proc_macro2::Span;
use quote::ToTokens;
use syn::{Attribute, ImplItem, Item, spanned::Spanned};

#[test]
fn mistakes_match_their_messages() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mistakes");
    let update = env::var_os("UPDATE_GOLDENS").is_some();
    let mut differences = Vec::new();
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let actual = errors(&fs::read_to_string(&path).unwrap());
        assert!(!actual.is_empty(), "{}: no error", path.display());
        let committed = path.with_extension("txt");
        if update {
            fs::write(&committed, &actual).unwrap();
        } else if fs::read_to_string(&committed).unwrap_or_default() != actual {
            differences.push(format!("{}:\n{actual}", path.display()));
        }
    }
    assert!(
        differences.is_empty(),
        "{}\nTo accept: UPDATE_GOLDENS=1 cargo test -p kb-markers --test mistakes",
        differences.join("\n")
    );
}

/// Returns the errors of all attributed items of a file.
fn errors(source: &str) -> String {
    let mut text = String::new();
    for item in syn::parse_file(source).unwrap().items {
        let mut items = vec![item.clone()];
        if let Item::Impl(block) = item {
            let methods = block.items.into_iter().filter_map(|item| match item {
                ImplItem::Fn(method) => Some(method.into_token_stream()),
                _ => None,
            });
            items.extend(methods.map(|method| syn::parse2(method).unwrap()));
        }
        for (attribute, error) in items.into_iter().flat_map(errors_of) {
            // The call site of the macro is its attribute.
            let is_call_site = error.span().source_text().is_none();
            let span = if is_call_site {
                attribute
            } else {
                error.span()
            };
            let (line, column) = (span.start().line, span.start().column + 1);
            writeln!(text, "{line}:{column}: {error}").unwrap();
        }
    }
    text
}

/// Expands kb's attributes in order, like rustc. Returns errors with the span of their attribute.
fn errors_of(mut item: Item) -> Vec<(Span, syn::Error)> {
    let mut errors = Vec::new();
    while let Some(attribute) = take_attribute(&mut item) {
        let whole = attribute.pound_token.span();
        let (arguments, item) = (arguments_of(&attribute), item.clone());
        let read = match kb_attribute(&attribute) {
            Some(KbAttribute::Resource) => read_resource(arguments, item).map(|_| ()),
            Some(KbAttribute::Object) => read_object(arguments, item).map(|_| ()),
            None => {
                check_rbac_item(&item, whole).and_then(|()| read_rbac(arguments, whole).map(|_| ()))
            }
        };
        let found = read.err().into_iter().flatten();
        errors.extend(found.map(|error| (whole, error)));
    }
    errors
}

fn take_attribute(item: &mut Item) -> Option<Attribute> {
    let attributes = match item {
        Item::Struct(item) => &mut item.attrs,
        Item::Enum(item) => &mut item.attrs,
        Item::Union(item) => &mut item.attrs,
        Item::Type(item) => &mut item.attrs,
        Item::Const(item) => &mut item.attrs,
        Item::Fn(item) => &mut item.attrs,
        Item::Impl(item) => &mut item.attrs,
        Item::Mod(item) => &mut item.attrs,
        Item::Trait(item) => &mut item.attrs,
        _ => return None,
    };
    let is_kb =
        |attribute: &Attribute| kb_attribute(attribute).is_some() || is_rbac(attribute.path());
    let position = attributes.iter().position(is_kb)?;
    Some(attributes.remove(position))
}
