//! Finds the attribute, and checks the item it is attached to.

use proc_macro2::{Span, TokenStream};
use syn::{Attribute, Item, Path};

/// Returns whether a path is that of the attribute: `kb::rbac`, `::kb::rbac`, or an imported `rbac`.
pub fn is_rbac(path: &Path) -> bool {
    let names: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
    match names.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["kb", "rbac"] => true,
        ["rbac"] => path.leading_colon.is_none(),
        _ => false,
    }
}

/// Returns the tokens of an attribute's parentheses.
pub fn arguments_of(attribute: &Attribute) -> TokenStream {
    match &attribute.meta {
        syn::Meta::List(list) => list.tokens.clone(),
        _ => TokenStream::new(),
    }
}

/// Checks the item that `#[kb::rbac(...)]` is attached to. Errors are reported at `whole`.
pub fn check_rbac_item(item: &Item, whole: Span) -> syn::Result<()> {
    match item {
        Item::Struct(_) | Item::Enum(_) | Item::Fn(_) | Item::Impl(_) | Item::Mod(_) => Ok(()),
        _ => Err(syn::Error::new(
            whole,
            "`#[kb::rbac(..)]` applies only to structs, enums, functions, impl blocks and modules\n\
             help: move it to the code that uses the permission",
        )),
    }
}
