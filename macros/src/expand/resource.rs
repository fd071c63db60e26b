//! An item under `#[kb::resource]`: an object, and the kind whose spec it is.

use kb_markers::ResourceItem;
use proc_macro2::TokenStream;
use quote::quote;

use super::{declaration, object, root::Root};

/// The item, the kind and their implementations.
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

/// Who can see the item.
pub(crate) fn visibility(item: &syn::Item) -> syn::Visibility {
    match item {
        syn::Item::Struct(item) => item.vis.clone(),
        syn::Item::Enum(item) => item.vis.clone(),
        _ => syn::Visibility::Inherited,
    }
}
