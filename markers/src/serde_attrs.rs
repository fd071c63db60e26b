//! serde attributes: the user's, and those added by kb.
//!
//! kb's conventions (camelCase, absent instead of null, defaults) become serde attributes on the item, and serde's own parser determines the
//! names. So serialization and schema have a single source. The user's attributes are unchanged.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use serde_derive_internals::attr::RenameRule;
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::token::{Bracket, Paren};
use syn::{
    AttrStyle, Attribute, Data, DeriveInput, Field, Fields, Generics, LitStr, MacroDelimiter, Meta,
    MetaList, Token, Variant,
};

use crate::errors::Errors;
use crate::foreign::first_words;
use crate::marks::ParsedMarkers;
use crate::object::{MarkedField, MarkedItem};
use crate::type_syntax::{is_never_option, is_option, mentions_parameter};

/// Words of the `#[serde(...)]` attributes of an item or field.
pub(crate) struct Keys(Vec<Ident>);

impl Keys {
    pub(crate) fn of(attributes: &[Attribute]) -> Self {
        let lists = attributes
            .iter()
            .filter_map(|attribute| match &attribute.meta {
                Meta::List(list) if list.path.is_ident("serde") => Some(list.tokens.clone()),
                _ => None,
            });
        Self(lists.flat_map(first_words).collect())
    }

    /// Returns the position of one of these words.
    pub(crate) fn find(&self, names: &[&str]) -> Option<&Ident> {
        let mut keys = self.0.iter();
        keys.find(|key| names.iter().any(|name| key == name))
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.find(&[name]).is_some()
    }
}

/// Words that delegate a field to a function, whose output is unknown.
pub(crate) const WITH: [&str; 3] = ["with", "serialize_with", "deserialize_with"];

/// Adds kb's renaming rules to an item.
pub(crate) fn complete_names(input: &mut DeriveInput) {
    let keys = Keys::of(&input.attrs);
    if keys.has("transparent") {
        return;
    }
    for (key, applies) in renames(&input.data) {
        if applies && !keys.has(key) {
            let key = Ident::new(key, Span::call_site());
            input.attrs.push(serde(quote!(#key = "camelCase")));
        }
    }
}

/// Adds kb's defaults and `skip_serializing_if` to fields. They do not affect the schema, so serde's parser does not see them.
pub(crate) fn complete_fields(input: &mut DeriveInput, marked: &MarkedItem, errors: &mut Errors) {
    let keys = Keys::of(&input.attrs);
    let transparent = keys.has("transparent");
    let owner = Owner {
        ident: input.ident.clone(),
        generics: input.generics.clone(),
        has_default: keys.has("default"),
    };
    let mut bound = false;
    for ((variant, fields), group) in groups(&mut input.data).zip(&marked.groups) {
        let named = matches!(fields, Fields::Named(_)) && !transparent;
        for (field, marked) in fields.iter_mut().zip(group) {
            if named {
                let attributes = added_attributes(field, marked, variant.as_ref(), &owner, errors);
                bound |= attributes.needs_bound;
                field.attrs.extend(attributes.added);
            }
        }
    }
    if bound && !keys.has("bound") {
        input.attrs.push(owner.bound());
    }
}

/// Builds `#[serde(TOKENS)]` from tokens. Parsing it would take most of the time of reading an item.
fn serde(tokens: TokenStream) -> Attribute {
    Attribute {
        pound_token: Token![#](Span::call_site()),
        style: AttrStyle::Outer,
        bracket_token: Bracket::default(),
        meta: Meta::List(MetaList {
            path: Ident::new("serde", Span::call_site()).into(),
            delimiter: MacroDelimiter::Paren(Paren::default()),
            tokens,
        }),
    }
}

/// Returns kb's renaming rules for an item of this shape.
fn renames(data: &Data) -> [(&'static str, bool); 2] {
    let (fields, variants) = match data {
        Data::Struct(data) => (matches!(data.fields, Fields::Named(_)), false),
        Data::Enum(data) => {
            let has_data = |variant: &Variant| !matches!(variant.fields, Fields::Unit);
            let any = data.variants.iter().any(has_data);
            (any, any)
        }
        Data::Union(_) => (false, false),
    };
    [("rename_all", fields), ("rename_all_fields", variants)]
}

/// Returns the fields of an item, by variant; a struct has one group.
pub(crate) fn groups(
    data: &mut Data,
) -> Box<dyn Iterator<Item = (Option<Ident>, &mut Fields)> + '_> {
    match data {
        Data::Struct(data) => Box::new([(None, &mut data.fields)].into_iter()),
        Data::Enum(data) => Box::new(
            data.variants
                .iter_mut()
                .map(|variant| (Some(variant.ident.clone()), &mut variant.fields)),
        ),
        Data::Union(_) => Box::new(std::iter::empty()),
    }
}

/// The item that contains the fields.
struct Owner {
    ident: Ident,
    generics: Generics,
    /// Whether it has `#[serde(default)]`: absent fields then come from its default.
    has_default: bool,
}

impl Owner {
    /// Returns the path of an associated function as a string.
    fn function(&self, name: &Ident) -> LitStr {
        let (_, arguments, _) = self.generics.split_for_impl();
        let arguments = arguments.as_turbofish();
        let ident = &self.ident;
        let path: TokenStream = quote!(#ident #arguments :: #name);
        LitStr::new(&path.to_string().replace(' ', ""), Span::call_site())
    }

    /// Returns the bounds on type parameters required by `is_absent`.
    fn bound(&self) -> Attribute {
        let parameters = self.generics.type_params().map(|parameter| {
            let name = &parameter.ident;
            format!("{name}: ::kb::__private::serde::Serialize + ::kb::Schema")
        });
        let bound = parameters.collect::<Vec<_>>().join(", ");
        serde(quote!(bound(serialize = #bound)))
    }
}

/// Attributes added to a field.
struct AddedAttributes {
    added: Vec<Attribute>,
    needs_bound: bool,
}

fn added_attributes(
    field: &Field,
    MarkedField { markers, keys }: &MarkedField,
    variant: Option<&Ident>,
    owner: &Owner,
    errors: &mut Errors,
) -> AddedAttributes {
    let mut added = Vec::new();
    let mut needs_bound = false;
    if keys.find(&["skip", "flatten"]).is_none() {
        let default = default(field, markers, keys, variant, owner, errors);
        let skip = skip_serializing_if(field, markers, keys, owner);
        reject_one_way(field, markers, keys, owner, errors);
        needs_bound =
            matches!(skip, Some(IS_ABSENT)) && mentions_parameter(&field.ty, &owner.generics);
        added.extend(default);
        added.extend(skip.map(|path| {
            // A type without schema is reported elsewhere.
            let path = LitStr::new(path, field.ty.span());
            serde(quote!(skip_serializing_if = #path))
        }));
    }
    AddedAttributes { added, needs_bound }
}

fn default(
    field: &Field,
    markers: &ParsedMarkers,
    keys: &Keys,
    variant: Option<&Ident>,
    owner: &Owner,
    errors: &mut Errors,
) -> Option<Attribute> {
    let serde_default = keys.find(&["default"]);
    if let (Some(_), Some(name)) = (&markers.default, &field.ident) {
        if let Some(serde_default) = serde_default {
            let problem = "`#[kb(default)]` conflicts with `#[serde(default)]`";
            errors.at_with_help(
                serde_default,
                problem,
                "remove one of them; `#[kb(default)]` also sets serde's default",
            );
            return None;
        }
        let path = owner.function(&default_function(variant, name));
        return Some(serde(quote!(default = #path)));
    }
    let optional = markers.flags.optional && !is_option(&field.ty);
    // serde treats an absent `Option` as `None`, unless a function deserializes it.
    let read_by_function = is_option(&field.ty) && keys.find(&WITH).is_some();
    // A field that is never serialized is absent when deserialized.
    let is_needed = optional || read_by_function || keys.has("skip_serializing");
    if serde_default.is_some() || owner.has_default || !is_needed {
        return None;
    }
    Some(if mentions_parameter(&field.ty, &owner.generics) {
        // A path avoids serde's `Default` bound on the parameter.
        serde(quote!(default = "::core::default::Default::default"))
    } else {
        serde(quote!(default))
    })
}

/// Checks that a field which is sometimes skipped can be deserialized without it.
fn reject_one_way(
    field: &Field,
    markers: &ParsedMarkers,
    keys: &Keys,
    owner: &Owner,
    errors: &mut Errors,
) {
    let Some(skip) = keys.find(&["skip_serializing_if"]) else {
        return;
    };
    let is_readable = is_option(&field.ty)
        || markers.flags.optional
        || markers.default.is_some()
        || keys.has("default")
        || owner.has_default;
    if !is_readable {
        errors.at_with_help(
            skip,
            "a field that is skipped when serializing cannot be required",
            "add `#[kb(optional)]`",
        );
    }
}

const IS_NONE: &str = "::core::option::Option::is_none";
const IS_DEFAULT: &str = "::kb::__private::is_default";
const IS_ABSENT: &str = "::kb::Schema::is_absent";

/// Returns when a field is skipped in serialization.
fn skip_serializing_if(
    field: &Field,
    markers: &ParsedMarkers,
    keys: &Keys,
    owner: &Owner,
) -> Option<&'static str> {
    let decided = keys
        .find(&["skip_serializing_if", "skip_serializing"])
        .is_some();
    if decided || markers.flags.required {
        return None;
    }
    if is_option(&field.ty) {
        return Some(IS_NONE);
    }
    if markers.flags.optional {
        // With a custom default, a skipped value would come back as that default.
        let plain =
            markers.default.is_none() && !owner.has_default && !default_has_path(&field.attrs);
        let plain = plain && !mentions_parameter(&field.ty, &owner.generics);
        return plain.then_some(IS_DEFAULT);
    }
    let uses_type =
        !markers.replaces_type() && !markers.flags.json_schema && keys.find(&WITH).is_none();
    // It may be an alias of an `Option`.
    (uses_type && !is_never_option(&field.ty)).then_some(IS_ABSENT)
}

fn default_has_path(attributes: &[Attribute]) -> bool {
    let mut found = false;
    for attribute in attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("serde"))
    {
        // serde's parser reports errors later.
        let _ = attribute.parse_nested_meta(|meta| {
            if meta.input.peek(Token![=]) {
                found |= meta.path.is_ident("default");
                meta.value()?.parse::<syn::Lit>()?;
            } else if meta.input.peek(Paren) {
                meta.input.parse::<proc_macro2::Group>()?;
            }
            Ok(())
        });
    }
    found
}

/// Returns the associated function that returns the default of a field.
pub(crate) fn default_function(variant: Option<&Ident>, field: &Ident) -> Ident {
    let field = field.unraw();
    match variant {
        None => format_ident!("__kb_default_{field}"),
        Some(variant) => {
            let variant = RenameRule::from_str("snake_case").map_or_else(
                |_| variant.unraw().to_string(),
                |rule| rule.apply_to_variant(&variant.unraw().to_string()),
            );
            // Two underscores: `git` + `repo_url` differs from `git_repo` + `url`.
            format_ident!("__kb_default_{variant}__{field}")
        }
    }
}
