//! The attributes of kb-rs: `#[kb::resource]`, `#[kb::object]` and `#[kb::rbac]`.
//!
//! They are used through the library `kb` (package `kb-runtime`): what they emit refers to it. It re-exports and documents them, because their
//! examples can be compiled there. What an attribute means is decided in kb-markers; here are only tokens.

mod expand;

use proc_macro::TokenStream;

/// (Documented where it is used from: `kb::object`.)
#[proc_macro_attribute]
pub fn object(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand::object(arguments.into(), &item.into()).into()
}

/// (Documented where it is used from: `kb::rbac`.)
#[proc_macro_attribute]
pub fn rbac(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand::rbac(arguments.into(), &item.into()).into()
}

/// (Documented where it is used from: `kb::resource`.)
#[proc_macro_attribute]
pub fn resource(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand::resource(&arguments.into(), &item.into()).into()
}
