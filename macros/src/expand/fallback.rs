//! Expansion of an item with errors.
//!
//! Without the item, every use of it would be another error. So it is generated without the attributes of kb, with stubs of the
//! traits it would have; they are never called, because the crate does not compile. If kind and status are known, the root type
//! is generated too.

use kb_model::api::{Marks, Resource, Scope, SpecLayout};
use kb_model::{Kind, Plural};
use proc_macro2::{TokenStream, TokenTree};
use quote::quote;
use syn::{Attribute, Item, Type, visit_mut::VisitMut};

use super::{
    attributes_mut, declaration, derives, derives::Derives, resource::visibility, root::Root,
};

/// Returns the errors and the item of an `#[kb::object]`.
pub(crate) fn object(error: &syn::Error, mut item: Item) -> TokenStream {
    let errors = error.to_compile_error();
    let by_hand = by_hand(&mut item);
    let stubs = stubs(&mut item, &by_hand);
    quote! { #errors #item #stubs }
}

/// Returns the errors, the item and the root type of a `#[kb::resource]`.
pub(crate) fn resource(error: &syn::Error, arguments: &TokenStream, item: Item) -> TokenStream {
    let root = root(arguments, &item).unwrap_or_default();
    let object = object(error, item);
    quote! { #object #root }
}

/// Traits that the item derives or probably implements manually.
struct ByHand {
    derives: Derives,
    serde: bool,
}

fn by_hand(item: &mut Item) -> ByHand {
    let attributes = attributes_mut(item).map(std::mem::take).unwrap_or_default();
    let converts = attributes
        .iter()
        .any(|attribute| derives::has_serde_argument(attribute, &["from", "into", "try_from"]));
    let opaque = attributes.iter().any(says_schema_type);
    let by_hand = ByHand {
        derives: Derives::of(&attributes),
        serde: opaque && !converts,
    };
    if let Some(place) = attributes_mut(item) {
        *place = attributes;
    }
    by_hand
}

fn says_schema_type(attribute: &Attribute) -> bool {
    let tokens = match &attribute.meta {
        syn::Meta::List(list) if list.path.is_ident("kb") => list.tokens.clone(),
        _ => return false,
    };
    tokens
        .into_iter()
        .any(|token| matches!(token, TokenTree::Ident(name) if name == "schema_type"))
}

/// Strips the item and returns the stubs.
fn stubs(item: &mut Item, by_hand: &ByHand) -> TokenStream {
    let derives = &by_hand.derives;
    let derives_serde = derives.has("Serialize") || derives.has("Deserialize");
    Strip {
        serde: !derives_serde,
        default: !derives.has("Default"),
    }
    .visit_item_mut(item);
    if let Some(attributes) = attributes_mut(item) {
        derives::complete(attributes, false);
    }
    let Some((name, generics)) = declaration(item) else {
        return TokenStream::new();
    };
    let (parameters, arguments, bounds) = generics.split_for_impl();
    let mut with_lifetime = generics.clone();
    with_lifetime.params.insert(0, syn::parse_quote!('de));
    let (de_parameters, ..) = with_lifetime.split_for_impl();
    let serialize = (!by_hand.serde && !derives.has("Serialize")).then(|| {
        quote! {
            impl #parameters ::kb::__private::serde::Serialize for #name #arguments #bounds {
                fn serialize<S: ::kb::__private::serde::Serializer>(&self, _: S) -> ::core::result::Result<S::Ok, S::Error> {
                    ::core::unreachable!()
                }
            }
        }
    });
    let deserialize = (!by_hand.serde && !derives.has("Deserialize")).then(|| {
        quote! {
            impl #de_parameters ::kb::__private::serde::Deserialize<'de> for #name #arguments #bounds {
                fn deserialize<D: ::kb::__private::serde::Deserializer<'de>>(_: D) -> ::core::result::Result<Self, D::Error> {
                    ::core::unreachable!()
                }
            }
        }
    });
    let default = (!derives.has("Default")).then(|| {
        quote! {
            impl #parameters ::core::default::Default for #name #arguments #bounds {
                fn default() -> Self {
                    ::core::unreachable!()
                }
            }
        }
    });
    quote! {
        #serialize
        #deserialize
        #default
        impl #parameters ::kb::Schema for #name #arguments #bounds {
            const FORM: ::kb::schema::Form = ::kb::schema::Form::Unknown;
            fn schema_type(_: &mut ::kb::schema::Registry) -> ::kb::schema::Type {
                ::core::unreachable!()
            }
        }
        impl #parameters ::kb::schema::MapKey for #name #arguments #bounds {}
    }
}

/// Removes the attributes that only the expansion of kb understands.
struct Strip {
    serde: bool,
    default: bool,
}

impl Strip {
    fn attributes(&self, attributes: &mut Vec<Attribute>) {
        attributes.retain(|attribute| {
            let is = |name: &str| attribute.path().is_ident(name);
            let foreign = is("kube") || is("schemars") || is("x_kube");
            let stripped =
                is("kb") || foreign || self.serde && is("serde") || self.default && is("default");
            !stripped
        });
    }
}

impl VisitMut for Strip {
    fn visit_item_struct_mut(&mut self, item: &mut syn::ItemStruct) {
        self.attributes(&mut item.attrs);
        item.fields
            .iter_mut()
            .for_each(|field| self.attributes(&mut field.attrs));
    }

    fn visit_item_enum_mut(&mut self, item: &mut syn::ItemEnum) {
        self.attributes(&mut item.attrs);
        for variant in &mut item.variants {
            self.attributes(&mut variant.attrs);
            variant
                .fields
                .iter_mut()
                .for_each(|field| self.attributes(&mut field.attrs));
        }
    }

    fn visit_item_union_mut(&mut self, item: &mut syn::ItemUnion) {
        self.attributes(&mut item.attrs);
        item.fields
            .named
            .iter_mut()
            .for_each(|field| self.attributes(&mut field.attrs));
    }
}

/// Generates the root type, if the arguments contain the kind.
fn root(arguments: &TokenStream, item: &Item) -> Option<TokenStream> {
    let (spec, generics) = declaration(item)?;
    let kind: Kind = literal(arguments, "kind")?.parse().ok()?;
    if spec == kind.as_str() || !generics.params.is_empty() {
        return None;
    }
    let status: Option<Type> =
        argument(arguments, "status").and_then(|tokens| syn::parse2(tokens).ok());
    let group = literal(arguments, "group").and_then(|group| group.parse().ok());
    let version = literal(arguments, "version").and_then(|version| version.parse().ok());
    let plural: Plural = kind.plural();
    let resource = Resource {
        group: group.or_else(|| "invalid.example.com".parse().ok())?,
        version: version.or_else(|| "v1".parse().ok())?,
        singular: kind.lower(),
        list_kind: format!("{kind}List"),
        plural,
        kind,
        short_names: Vec::new(),
        categories: Vec::new(),
        scope: Scope::Namespaced,
        docs: String::new(),
        marks: Marks::default(),
        spec: 0,
        spec_layout: SpecLayout::Required,
        status: status.as_ref().map(|_| 1),
        status_subresource: false,
        scale: None,
        columns: Vec::new(),
        storage: None,
        served: true,
        deprecated: None,
        annotations: std::collections::BTreeMap::new(),
        labels: std::collections::BTreeMap::new(),
    };
    let root = Root {
        visibility: visibility(item),
        spec,
        status: status.as_ref(),
        resource: &resource,
    };
    Some(root.tokens())
}

fn literal(arguments: &TokenStream, name: &str) -> Option<String> {
    let value = syn::parse2::<syn::LitStr>(argument(arguments, name)?);
    value.ok().map(|value| value.value())
}

/// Returns the tokens between `name =` and the next comma.
fn argument(arguments: &TokenStream, name: &str) -> Option<TokenStream> {
    let tokens: Vec<TokenTree> = arguments.clone().into_iter().collect();
    let is_comma =
        |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ',');
    let mut parts = tokens.split(is_comma);
    parts.find_map(|part| match part {
        [TokenTree::Ident(said), TokenTree::Punct(equals), value @ ..]
            if said == name && equals.as_char() == '=' =>
        {
            Some(value.iter().cloned().collect())
        }
        _ => None,
    })
}
