//! What `#[cfg(...)]` means where kb-rs reads: nothing is tested, and features are cargo's business.

use proc_macro2::TokenStream;
use syn::{Attribute, Meta, Token, punctuated::Punctuated};

/// Whether an item is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Presence {
    /// It is.
    Here,
    /// It is not.
    Absent,
    /// Only cargo knows: this predicate decides.
    Unknown,
}

/// What the `cfg` attributes of an item say together, with the first that only cargo can decide.
pub(super) fn presence(attributes: &[Attribute]) -> (Presence, Option<&Attribute>) {
    let mut unknown = None;
    for attribute in attributes {
        if !attribute.path().is_ident("cfg") {
            continue;
        }
        match predicate_of(attribute) {
            Presence::Here => {}
            Presence::Absent => return (Presence::Absent, None),
            Presence::Unknown => unknown = unknown.or(Some(attribute)),
        }
    }
    match unknown {
        None => (Presence::Here, None),
        unknown => (Presence::Unknown, unknown),
    }
}

/// The text of an attribute, for messages.
pub(super) fn text_of(attribute: &Attribute) -> String {
    let text = match &attribute.meta {
        Meta::List(list) => format!("{}({})", path_text(&list.path), tidy(&list.tokens)),
        meta => path_text(meta.path()),
    };
    format!("#[{text}]")
}

/// A path as people write it.
pub(super) fn path_text(path: &syn::Path) -> String {
    let segments: Vec<_> = path.segments.iter().map(|s| s.ident.to_string()).collect();
    let root = if path.leading_colon.is_some() {
        "::"
    } else {
        ""
    };
    format!("{root}{}", segments.join("::"))
}

/// Tokens as people write them.
pub(super) fn tidy(tokens: &TokenStream) -> String {
    let text = tokens.to_string();
    [
        (" (", "("),
        ("( ", "("),
        (" )", ")"),
        (" ,", ","),
        (" :: ", "::"),
        (" : ", ": "),
        (" . ", "."),
        (" !", "!"),
    ]
    .iter()
    .fold(text, |text, (from, to)| text.replace(from, to))
}

/// What a `cfg` or the predicate of a `cfg_attr` says.
fn predicate_of(attribute: &Attribute) -> Presence {
    attribute
        .parse_args::<Predicate>()
        .map_or(Presence::Unknown, |predicate| predicate.0)
}

/// `cfg_attr(predicate, attributes)`: whether they apply, and what they are.
pub(super) fn conditional(attribute: &Attribute) -> Option<(Presence, Vec<Meta>)> {
    if !attribute.path().is_ident("cfg_attr") {
        return None;
    }
    attribute
        .parse_args_with(|input: syn::parse::ParseStream<'_>| {
            let predicate: Predicate = input.parse()?;
            let _: Option<Token![,]> = input.parse()?;
            let metas = Punctuated::<Meta, Token![,]>::parse_terminated(input)?;
            Ok((predicate.0, metas.into_iter().collect()))
        })
        .ok()
}

/// `test`, `not(test)`, `all(..)`, `any(..)`, `feature = ".."` and so on.
struct Predicate(Presence);

impl syn::parse::Parse for Predicate {
    fn parse(input: syn::parse::ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(syn::LitBool) {
            let literal: syn::LitBool = input.parse()?;
            return Ok(Self(known(literal.value)));
        }
        let meta: Meta = input.parse()?;
        let value = match &meta {
            Meta::Path(path)
                if ["test", "doc", "doctest"]
                    .iter()
                    .any(|name| path.is_ident(name)) =>
            {
                Presence::Absent
            }
            Meta::List(list) => {
                let parts: Vec<Presence> = list
                    .parse_args_with(Punctuated::<Predicate, Token![,]>::parse_terminated)?
                    .into_iter()
                    .map(|part| part.0)
                    .collect();
                combined(&list.path, &parts)
            }
            _ => Presence::Unknown,
        };
        Ok(Self(value))
    }
}

fn combined(operator: &syn::Path, parts: &[Presence]) -> Presence {
    let has = |presence| parts.contains(&presence);
    if operator.is_ident("not") {
        match parts {
            [Presence::Here] => Presence::Absent,
            [Presence::Absent] => Presence::Here,
            _ => Presence::Unknown,
        }
    } else if operator.is_ident("all") {
        match () {
            () if has(Presence::Absent) => Presence::Absent,
            () if has(Presence::Unknown) => Presence::Unknown,
            () => Presence::Here,
        }
    } else if operator.is_ident("any") {
        match () {
            () if has(Presence::Here) => Presence::Here,
            () if has(Presence::Unknown) => Presence::Unknown,
            () => Presence::Absent,
        }
    } else {
        Presence::Unknown
    }
}

fn known(value: bool) -> Presence {
    if value {
        Presence::Here
    } else {
        Presence::Absent
    }
}
