//! Evaluates `#[cfg(...)]` for a build without tests. Features and targets are known only to cargo.

use proc_macro2::TokenStream;
use syn::{Attribute, Meta, Token, punctuated::Punctuated};

/// State of a `cfg` predicate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum CfgState {
    /// The item is compiled.
    Enabled,
    /// The item is not compiled.
    Disabled,
    /// Only cargo knows.
    Unknown,
}

/// Evaluates the `cfg` attributes of an item. Also returns the first one that only cargo can evaluate.
pub(super) fn state(attributes: &[Attribute]) -> (CfgState, Option<&Attribute>) {
    let mut unknown = None;
    for attribute in attributes {
        if !attribute.path().is_ident("cfg") {
            continue;
        }
        match predicate_of(attribute) {
            CfgState::Enabled => {}
            CfgState::Disabled => return (CfgState::Disabled, None),
            CfgState::Unknown => unknown = unknown.or(Some(attribute)),
        }
    }
    match unknown {
        None => (CfgState::Enabled, None),
        unknown => (CfgState::Unknown, unknown),
    }
}

/// Returns the text of an attribute for messages.
pub(super) fn text_of(attribute: &Attribute) -> String {
    let text = match &attribute.meta {
        Meta::List(list) => format!("{}({})", path_text(&list.path), tidy(&list.tokens)),
        meta => path_text(meta.path()),
    };
    format!("#[{text}]")
}

/// Formats a path as in source code.
pub(super) fn path_text(path: &syn::Path) -> String {
    let segments: Vec<_> = path.segments.iter().map(|s| s.ident.to_string()).collect();
    let root = if path.leading_colon.is_some() {
        "::"
    } else {
        ""
    };
    format!("{root}{}", segments.join("::"))
}

/// Formats tokens as in source code.
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

/// Evaluates the predicate of a `cfg`.
fn predicate_of(attribute: &Attribute) -> CfgState {
    attribute
        .parse_args::<Predicate>()
        .map_or(CfgState::Unknown, |predicate| predicate.0)
}

/// Returns the state and the attributes of a `cfg_attr`.
pub(super) fn conditional(attribute: &Attribute) -> Option<(CfgState, Vec<Meta>)> {
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
struct Predicate(CfgState);

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
                CfgState::Disabled
            }
            Meta::List(list) => {
                let parts: Vec<CfgState> = list
                    .parse_args_with(Punctuated::<Predicate, Token![,]>::parse_terminated)?
                    .into_iter()
                    .map(|part| part.0)
                    .collect();
                combined(&list.path, &parts)
            }
            _ => CfgState::Unknown,
        };
        Ok(Self(value))
    }
}

fn combined(operator: &syn::Path, parts: &[CfgState]) -> CfgState {
    let has = |presence| parts.contains(&presence);
    if operator.is_ident("not") {
        match parts {
            [CfgState::Enabled] => CfgState::Disabled,
            [CfgState::Disabled] => CfgState::Enabled,
            _ => CfgState::Unknown,
        }
    } else if operator.is_ident("all") {
        match () {
            () if has(CfgState::Disabled) => CfgState::Disabled,
            () if has(CfgState::Unknown) => CfgState::Unknown,
            () => CfgState::Enabled,
        }
    } else if operator.is_ident("any") {
        match () {
            () if has(CfgState::Enabled) => CfgState::Enabled,
            () if has(CfgState::Unknown) => CfgState::Unknown,
            () => CfgState::Disabled,
        }
    } else {
        CfgState::Unknown
    }
}

fn known(value: bool) -> CfgState {
    if value {
        CfgState::Enabled
    } else {
        CfgState::Disabled
    }
}
