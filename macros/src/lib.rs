//! The attributes `#[kb::resource]`, `#[kb::object]` and `#[kb::rbac]`.
//!
//! Use them through the crate `kb` (package `kb-runtime`), which re-exports and documents them: the generated code refers to it.
//! kb-markers parses the attributes; this crate only generates code.

mod expand;

use proc_macro::TokenStream;

/// See `kb::object`.
#[proc_macro_attribute]
pub fn object(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand::object(arguments.into(), &item.into()).into()
}

/// See `kb::rbac`.
#[proc_macro_attribute]
pub fn rbac(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand::rbac(arguments.into(), &item.into()).into()
}

/// See `kb::resource`.
#[proc_macro_attribute]
pub fn resource(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand::resource(&arguments.into(), &item.into()).into()
}
