//! Expands the attributes.
//!
//! Generated code uses absolute paths into `::kb`, so an API crate needs no other dependency. It is kept small: the definition is one
//! string, and functions of the runtime do the work. If an item has errors, `fallback` generates what keeps the rest of the
//! crate compiling, so that one mistake is one error.

mod checks;
mod default;
mod derives;
mod fallback;
#[cfg(test)]
mod fit;
mod known_types;
mod object;
mod rbac;
mod resource;
mod root;
mod schema;
#[cfg(test)]
mod snapshots;

use proc_macro2::TokenStream;
use quote::quote;

/// Expands `#[kb::object(arguments)]`.
pub(crate) fn object(arguments: TokenStream, tokens: &TokenStream) -> TokenStream {
    let item = match syn::parse2::<syn::Item>(tokens.clone()) {
        Ok(item) => item,
        Err(error) => return unparsable(&error, tokens),
    };
    match kb_markers::read_object(arguments, item.clone()) {
        Ok(read) => object::tokens(&read),
        Err(error) => fallback::object(&error, item),
    }
}

/// Expands `#[kb::resource(arguments)]`.
pub(crate) fn resource(arguments: &TokenStream, tokens: &TokenStream) -> TokenStream {
    let item = match syn::parse2::<syn::Item>(tokens.clone()) {
        Ok(item) => item,
        Err(error) => return unparsable(&error, tokens),
    };
    match kb_markers::read_resource(arguments.clone(), item.clone()) {
        Ok(read) => resource::tokens(&read),
        Err(error) => fallback::resource(&error, arguments, item),
    }
}

/// Expands `#[kb::rbac(arguments)]`.
pub(crate) fn rbac(arguments: TokenStream, tokens: &TokenStream) -> TokenStream {
    match syn::parse2::<syn::Item>(tokens.clone()) {
        Ok(item) => rbac::tokens(arguments, item, tokens),
        Err(error) => unparsable(&error, tokens),
    }
}

fn unparsable(error: &syn::Error, tokens: &TokenStream) -> TokenStream {
    let error = error.to_compile_error();
    quote! { #tokens #error }
}

/// Returns the name and the generics of a struct or an enum.
pub(crate) fn declaration(item: &syn::Item) -> Option<(&syn::Ident, &syn::Generics)> {
    match item {
        syn::Item::Struct(item) => Some((&item.ident, &item.generics)),
        syn::Item::Enum(item) => Some((&item.ident, &item.generics)),
        _ => None,
    }
}

/// Returns the attributes of a struct or an enum.
pub(crate) fn attributes_mut(item: &mut syn::Item) -> Option<&mut Vec<syn::Attribute>> {
    match item {
        syn::Item::Struct(item) => Some(&mut item.attrs),
        syn::Item::Enum(item) => Some(&mut item.attrs),
        _ => None,
    }
}
