//! Generates `kb::Schema`, `schemars::JsonSchema`, and `kb::schema::MapKey` for strings.

use std::collections::BTreeSet;

use kb_markers::Object;
use kb_model::api::{Default as Absent, Field, Marks, SchemaType, Shape, TypeDef};
use proc_macro2::{Literal, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Generics, Type, parse_quote, spanned::Spanned};

use super::declaration;

/// Generates the implementations.
pub(crate) fn implementations(object: &Object, checks: &TokenStream) -> TokenStream {
    let Some((name, generics)) = declaration(&object.item) else {
        return TokenStream::new();
    };
    let generics = with_bounds(generics.clone());
    let (parameters, arguments, bounds) = generics.split_for_impl();
    let form = form(object);
    let (text, defaults) = definition(object);
    let types = schema_types(object);
    let json_schema = json_schema(name, &generics);
    let map_key = map_key(object, name, &generics);
    // rustc names the unmet bound of a generic type only if the implementation is recommended.
    let quiet = generics
        .params
        .is_empty()
        .then(|| quote!(#[diagnostic::do_not_recommend]));
    quote! {
        #[automatically_derived]
        #quiet
        impl #parameters ::kb::Schema for #name #arguments #bounds {
            const FORM: ::kb::schema::Form = #form;
            fn schema_type(types: &mut ::kb::schema::Registry) -> ::kb::schema::Type {
                #checks
                types.define(::core::any::type_name::<Self>(), #text, &[#(#types),*], &[#(#defaults),*])
            }
        }
        #json_schema
        #map_key
    }
}

/// Generates `JsonSchema` from the schema of kb.
pub(crate) fn json_schema(name: &syn::Ident, generics: &Generics) -> TokenStream {
    let (parameters, arguments, bounds) = generics.split_for_impl();
    let text = name.to_string();
    quote! {
        #[automatically_derived]
        impl #parameters ::kb::__private::schemars::JsonSchema for #name #arguments #bounds {
            fn schema_name() -> ::std::borrow::Cow<'static, ::core::primitive::str> {
                ::std::borrow::Cow::Borrowed(#text)
            }
            fn schema_id() -> ::std::borrow::Cow<'static, ::core::primitive::str> {
                ::std::borrow::Cow::Borrowed(::core::any::type_name::<Self>())
            }
            fn json_schema(
                _: &mut ::kb::__private::schemars::SchemaGenerator,
            ) -> ::kb::__private::schemars::Schema {
                ::kb::__private::type_schema(<Self as ::kb::Schema>::schema_type)
            }
        }
    }
}

/// Returns the functions for the types of the fields, up to the last that the definition refers to.
fn schema_types(object: &Object) -> Vec<TokenStream> {
    let used = used_types(&object.def);
    let count = used.last().map_or(0, |last| last + 1);
    let types = object.types.iter().take(count).enumerate();
    types
        .map(|(position, ty)| schema_type(object, position, ty))
        .collect()
}

fn schema_type(object: &Object, position: usize, ty: &Type) -> TokenStream {
    if object.json_schema.contains(&position) {
        return quote_spanned!(ty.span()=> ::kb::__private::foreign::<#ty>);
    }
    quote_spanned!(ty.span()=> <#ty as ::kb::Schema>::schema_type)
}

fn used_types(def: &TypeDef<usize>) -> BTreeSet<usize> {
    let mut used = BTreeSet::new();
    let mut def = def.clone();
    used.extend(def.fields_mut().into_iter().filter_map(|field| field.ty));
    used
}

/// Returns the definition as JSON, and the functions of its computed defaults. Literal defaults are part of the JSON.
fn definition(object: &Object) -> (Literal, Vec<TokenStream>) {
    let mut def = object.def.clone();
    let mut defaults = Vec::new();
    for field in def.fields_mut() {
        if let Some(Absent::Expression(position)) = &mut field.default {
            let Some(default) = object.expressions.get(*position) else {
                continue;
            };
            let function = &default.function;
            *position = defaults.len();
            defaults.push(quote!(|| ::kb::__private::to_json(&Self::#function())));
        }
    }
    let text = serde_json::to_string(&def).unwrap_or_default();
    (Literal::string(&text), defaults)
}

/// Returns the JSON form of the item.
fn form(object: &Object) -> TokenStream {
    let TypeDef { marks, shape, .. } = &object.def;
    let form = match shape {
        Shape::Struct(fields) if fields.iter().all(|field| field.flatten) => quote!(OpenObject),
        Shape::Struct(_) | Shape::Union(_) => quote!(Object),
        Shape::Choice(_) => quote!(String),
        Shape::Opaque => declared_form(marks).unwrap_or_else(|| quote!(Unknown)),
        Shape::Newtype(field) => {
            match declared_form(marks).or_else(|| declared_form(&field.marks)) {
                Some(form) => form,
                None => return inner_form(object, field),
            }
        }
    };
    quote!(::kb::schema::Form::#form)
}

fn inner_form(object: &Object, field: &Field<usize>) -> TokenStream {
    let Some(position) = field.ty else {
        return quote!(::kb::schema::Form::Any);
    };
    let is_foreign = object.json_schema.contains(&position);
    let Some(ty) = object.types.get(position).filter(|_| !is_foreign) else {
        return quote!(::kb::schema::Form::Unknown);
    };
    let form = quote!(<#ty as ::kb::Schema>::FORM);
    if field.allow_float {
        return quote!(::kb::schema::Form::AllowFloat(&#form));
    }
    form
}

/// Returns the form that markers declare, whatever the type.
fn declared_form(marks: &Marks) -> Option<TokenStream> {
    if marks.int_or_string && marks.schema_type.is_none() {
        return Some(quote!(IntOrString));
    }
    marks.schema_type.map(|schema_type| match schema_type {
        SchemaType::Array => quote!(List(&::kb::schema::Form::Any)),
        SchemaType::Boolean => quote!(Boolean),
        SchemaType::Integer => quote!(Integer),
        SchemaType::Number => quote!(Number),
        SchemaType::Object => quote!(OpenObject),
        SchemaType::String => quote!(String),
    })
}

/// Generates `MapKey` for enums without data and newtypes of keys. The bound is higher-ranked as in `default`.
fn map_key(object: &Object, name: &syn::Ident, generics: &Generics) -> TokenStream {
    let mut generics = generics.clone();
    match &object.def.shape {
        Shape::Choice(_) => {}
        Shape::Newtype(field) => {
            let Some(ty) = field.ty.and_then(|position| object.types.get(position)) else {
                return TokenStream::new();
            };
            let bound = parse_quote!(for<'__kb> #ty: ::kb::schema::MapKey);
            generics.make_where_clause().predicates.push(bound);
        }
        Shape::Opaque if object.def.marks.schema_type == Some(SchemaType::String) => {}
        _ => return TokenStream::new(),
    }
    let (parameters, arguments, bounds) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #parameters ::kb::schema::MapKey for #name #arguments #bounds {}
    }
}

/// Adds the bound `Schema` to every type parameter.
fn with_bounds(mut generics: Generics) -> Generics {
    for parameter in generics.type_params_mut() {
        parameter.bounds.push(parse_quote!(::kb::Schema));
    }
    generics
}
