//! Completes the derives of an item.
//!
//! Derives above the attribute are expanded before it and are not visible here: rustc then reports conflicting implementations.

use kb_model::api::Shape;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Meta, Path, Token, parse_quote, punctuated::Punctuated};

/// Traits that an item derives.
pub(crate) struct Derives(Vec<String>);

impl Derives {
    /// Reads the derives among attributes, by the last segment of their paths.
    pub(crate) fn of(attributes: &[Attribute]) -> Self {
        let derives = attributes
            .iter()
            .filter(|attribute| attribute.path().is_ident("derive"));
        let paths = derives.flat_map(|attribute| {
            let paths = attribute.parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated);
            paths.unwrap_or_default()
        });
        let names =
            paths.filter_map(|path| path.segments.last().map(|last| last.ident.to_string()));
        Self(names.collect())
    }

    /// Returns whether the item derives this trait.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.iter().any(|derived| derived == name)
    }
}

/// Adds the missing derives and the path to serde.
pub(crate) fn complete(attributes: &mut Vec<Attribute>, with_serde: bool) {
    let derives = Derives::of(attributes);
    let mut added: Vec<TokenStream> = Vec::new();
    for (name, path) in [
        ("Clone", quote!(::core::clone::Clone)),
        ("Debug", quote!(::core::fmt::Debug)),
        ("PartialEq", quote!(::core::cmp::PartialEq)),
    ] {
        if !derives.has(name) {
            added.push(path);
        }
    }
    let mut serde = false;
    for (name, path) in [
        ("Serialize", quote!(::kb::__private::serde::Serialize)),
        ("Deserialize", quote!(::kb::__private::serde::Deserialize)),
    ] {
        if with_serde && !derives.has(name) {
            added.push(path);
            serde = true;
        }
    }
    let names_serde = attributes
        .iter()
        .any(|attribute| has_serde_argument(attribute, &["crate"]));
    if serde && !names_serde {
        attributes.insert(0, parse_quote!(#[serde(crate = "::kb::__private::serde")]));
    }
    if !added.is_empty() {
        attributes.insert(0, parse_quote!(#[derive(#(#added),*)]));
    }
}

/// Returns whether to derive the traits of serde. A type with a declared schema may implement them manually, unless it uses
/// `from`, `into` or `try_from`.
pub(crate) fn derives_serde<T>(shape: &Shape<T>, attributes: &[Attribute]) -> bool {
    let converts = |attribute| has_serde_argument(attribute, &["from", "into", "try_from"]);
    !matches!(shape, Shape::Opaque) || attributes.iter().any(converts)
}

/// Returns whether this is a `#[serde(...)]` with one of these arguments.
pub(crate) fn has_serde_argument(attribute: &Attribute, names: &[&str]) -> bool {
    serde_arguments(attribute)
        .iter()
        .any(|argument| names.iter().any(|name| argument.path().is_ident(name)))
}

/// Returns the arguments of a `#[serde(...)]`; none for any other attribute.
pub(crate) fn serde_arguments(attribute: &Attribute) -> Vec<Meta> {
    if !attribute.path().is_ident("serde") {
        return Vec::new();
    }
    let arguments = attribute.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
    arguments.unwrap_or_default().into_iter().collect()
}
