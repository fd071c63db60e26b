//! Expands `#[kb::rbac(...)]`: a struct or an enum gets its rules as a constant.

use kb_markers::{RbacRule, arguments_of, check_rbac_item, is_rbac, read_rbac};
use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{Attribute, Item};

use super::{attributes_mut, declaration, resource::visibility};

/// Returns the item with its constant and the errors of its attributes.
pub(crate) fn tokens(arguments: TokenStream, mut item: Item, tokens: &TokenStream) -> TokenStream {
    let here = Span::call_site();
    if let Err(error) = check_rbac_item(&item, here) {
        return with_error(&error, tokens);
    }
    let own = read_rbac(arguments, here);
    let Some(attributes) = attributes_mut(&mut item) else {
        return match own {
            Ok(_) => tokens.clone(),
            Err(error) => with_error(&error, tokens),
        };
    };
    let (rules, errors) = collect(own, attributes);
    let constant = constant(&item, &rules);
    quote! { #errors #item #constant }
}

fn with_error(error: &syn::Error, tokens: &TokenStream) -> TokenStream {
    let error = error.to_compile_error();
    quote! { #error #tokens }
}

/// Returns the rules of this attribute and of the following ones, and removes those: there can be only one constant. rustc has
/// already expanded `cfg_attr`.
fn collect(
    own: syn::Result<RbacRule>,
    attributes: &mut Vec<Attribute>,
) -> (Vec<RbacRule>, TokenStream) {
    let (others, rest) = std::mem::take(attributes)
        .into_iter()
        .partition::<Vec<_>, _>(|attribute| is_rbac(attribute.path()));
    *attributes = rest;
    let others = others
        .iter()
        .map(|attribute| read_rbac(arguments_of(attribute), attribute.pound_token.span));
    let (mut rules, mut errors) = (Vec::new(), TokenStream::new());
    for read in std::iter::once(own).chain(others) {
        match read {
            Ok(rule) => rules.push(rule),
            Err(error) => errors.extend(error.to_compile_error()),
        }
    }
    (rules, errors)
}

/// Generates `RULES` of a struct or an enum.
fn constant(item: &Item, rules: &[RbacRule]) -> TokenStream {
    let Some((name, generics)) = declaration(item) else {
        return TokenStream::new();
    };
    let (parameters, arguments, bounds) = generics.split_for_impl();
    let visibility = visibility(item);
    let rules = rules.iter().map(rule);
    quote! {
        #[allow(single_use_lifetimes)]
        impl #parameters #name #arguments #bounds {
            /// RBAC rules of `#[kb::rbac(..)]`.
            #[allow(dead_code)]
            #visibility const RULES: &'static [::kb::RbacRule] = &[#(#rules),*];
        }
    }
}

fn rule(read: &RbacRule) -> TokenStream {
    let rule = &read.rule;
    let [groups, resources, resource_names, verbs, urls] = [
        &rule.groups,
        &rule.resources,
        &rule.resource_names,
        &rule.verbs,
        &rule.urls,
    ]
    .map(|list| quote!(&[#(#list),*]));
    let [namespace, role_name, reason] =
        [&rule.namespace, &rule.role_name, &rule.reason].map(|text| {
            if let Some(text) = text {
                quote!(::core::option::Option::Some(#text))
            } else {
                quote!(::core::option::Option::None)
            }
        });
    quote! {
        ::kb::RbacRule {
            groups: #groups,
            resources: #resources,
            resource_names: #resource_names,
            verbs: #verbs,
            urls: #urls,
            namespace: #namespace,
            role_name: #role_name,
            reason: #reason,
        }
    }
}
