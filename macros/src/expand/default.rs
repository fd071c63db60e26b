//! Generates `Default` and the functions of `#[kb(default = ...)]`.
//!
//! `Default` of a struct uses the defaults of its markers, as the API server does. Its bounds are higher-ranked (`for<'a> Field:
//! Default`): rustc accepts such a bound even if it does not hold, and the implementation then does not apply. So it can be
//! generated without knowing whether every field has a default.

use kb_markers::{Expression, Object};
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{
    Attribute, Expr, ExprLit, ExprPath, Field, Fields, Item, Lit, Member, Meta, parse_quote,
    spanned::Spanned,
};

use super::{declaration, derives, known_types};

/// Generates the functions that serde and `Default` call for the defaults of markers.
pub(crate) fn functions(object: &Object) -> TokenStream {
    let Some((name, generics)) = declaration(&object.item) else {
        return TokenStream::new();
    };
    if object.expressions.is_empty() {
        return TokenStream::new();
    }
    let functions = object.expressions.iter().map(|default| {
        let Expression { expression, ty, function } = default;
        let value = match expression {
            // The type of the elements cannot be inferred.
            Expr::Array(array) if array.elems.is_empty() => {
                quote!(::core::default::Default::default())
            }
            // Literals are converted: `"a"` to a `String`, `1` to an `Option<i64>`.
            Expr::Lit(_) | Expr::Path(_) | Expr::Unary(_) | Expr::Array(_) => {
                quote_spanned!(expression.span()=> ::kb::__private::DefaultFrom::__kb_convert_literal(#expression))
            }
            _ => quote!(#expression),
        };
        quote!(fn #function() -> #ty { #value })
    });
    let (parameters, arguments, bounds) = generics.split_for_impl();
    quote! {
        #[doc(hidden)]
        impl #parameters #name #arguments #bounds {
            #(#functions)*
        }
    }
}

/// Generates `Default`. An enum has it only if a variant is marked `#[default]`; then it is derived.
pub(crate) fn implementation(object: &Object, attributes: &mut Vec<Attribute>) -> TokenStream {
    if !object.default || derives::Derives::of(attributes).has("Default") {
        return TokenStream::new();
    }
    match &object.item {
        Item::Struct(item) => of_struct(&item.ident, &item.generics, &item.fields),
        Item::Enum(item) => {
            let mut marks = item.variants.iter().flat_map(|variant| &variant.attrs);
            if marks.any(|attribute| attribute.path().is_ident("default")) {
                attributes.push(parse_quote!(#[derive(::core::default::Default)]));
            }
            TokenStream::new()
        }
        _ => TokenStream::new(),
    }
}

fn of_struct(name: &syn::Ident, generics: &syn::Generics, fields: &Fields) -> TokenStream {
    let mut generics = generics.clone();
    let mut values = Vec::new();
    for (member, field) in fields.members().zip(fields) {
        let value = if let Some(function) = serde_default(field) {
            quote!(#function())
        } else {
            let ty = &field.ty;
            if !known_types::has_default(ty) {
                let bound = parse_quote!(for<'__kb> #ty: ::core::default::Default);
                generics.make_where_clause().predicates.push(bound);
            }
            quote!(::core::default::Default::default())
        };
        values.push(match member {
            Member::Named(name) => quote!(#name: #value),
            Member::Unnamed(_) => value,
        });
    }
    let value = if matches!(fields, Fields::Unnamed(_)) {
        quote!(Self(#(#values),*))
    } else {
        quote!(Self { #(#values),* })
    };
    let (parameters, arguments, bounds) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #parameters ::core::default::Default for #name #arguments #bounds {
            fn default() -> Self {
                #value
            }
        }
    }
}

/// Returns the function of `#[serde(default = "function")]`.
fn serde_default(field: &Field) -> Option<ExprPath> {
    let arguments = field.attrs.iter().flat_map(derives::serde_arguments);
    let mut paths = arguments.filter_map(|argument| match argument {
        Meta::NameValue(default) if default.path.is_ident("default") => match default.value {
            Expr::Lit(ExprLit {
                lit: Lit::Str(path),
                ..
            }) => path.parse::<ExprPath>().ok(),
            _ => None,
        },
        _ => None,
    });
    paths.next()
}
