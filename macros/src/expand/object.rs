//! Expands `#[kb::object]`.

use kb_markers::Object;
use proc_macro2::TokenStream;
use quote::quote;

use super::{attributes_mut, checks, default, derives, schema};

/// Returns the item and its implementations.
pub(crate) fn tokens(object: &Object) -> TokenStream {
    let mut item = object.item.clone();
    let mut default = TokenStream::new();
    if let Some(attributes) = attributes_mut(&mut item) {
        default = default::implementation(object, attributes);
        let with_serde = derives::derives_serde(&object.def.shape, attributes);
        derives::complete(attributes, with_serde);
    }
    let functions = default::functions(object);
    let checks = checks::of(object);
    let schema = schema::implementations(object, &checks.generic);
    let constants = checks.constants;
    quote! { #item #functions #default #schema #constants }
}
