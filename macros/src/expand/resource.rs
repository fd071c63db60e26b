//! Expands `#[kb::resource]`: the spec and the root type of its kind.

use kb_markers::ResourceItem;
use proc_macro2::TokenStream;
use quote::quote;

use super::{declaration, object, root::Root};

/// Returns the item, the root type and their implementations.
pub(crate) fn tokens(read: &ResourceItem) -> TokenStream {
    let object = object::tokens(&read.object);
    let Some((spec, _)) = declaration(&read.object.item) else {
        return object;
    };
    let status = read.resource.status;
    let status = status.and_then(|position| read.object.types.get(position));
    let root = Root {
        visibility: visibility(&read.object.item),
        spec,
        status,
        resource: &read.resource,
    };
    let root = root.tokens();
    quote! { #object #root }
}

/// Returns the visibility of the item.
pub(crate) fn visibility(item: &syn::Item) -> syn::Visibility {
    match item {
        syn::Item::Struct(item) => item.vis.clone(),
        syn::Item::Enum(item) => item.vis.clone(),
        _ => syn::Visibility::Inherited,
    }
}
