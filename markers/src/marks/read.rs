//! Parses the markers of an attribute.

use proc_macro2::{TokenStream, TokenTree};
use syn::parse::ParseStream;
use syn::{Attribute, Ident, Meta, Token};

use super::parsed::{MarkerEntry, ParsedMarkers, Target};
use super::table::{Marker, Reader, marker};
use super::unknown::unknown;
use crate::attribute::{self, Argument};
use crate::errors::{Errors, error_with_help};

/// Parses and removes every `#[kb(...)]` attribute.
pub(crate) fn read(
    attributes: &mut Vec<Attribute>,
    target: Target,
    errors: &mut Errors,
) -> ParsedMarkers {
    let mut markers = ParsedMarkers::new(target);
    attributes.retain(|attribute| {
        let is_kb = attribute.path().is_ident("kb");
        if is_kb {
            read_attribute(attribute, &mut markers, errors);
        }
        !is_kb
    });
    markers
}

fn read_attribute(attribute: &Attribute, markers: &mut ParsedMarkers, errors: &mut Errors) {
    if !matches!(attribute.meta, Meta::List(_)) {
        return errors.at_with_help(
            attribute,
            "`kb` requires arguments",
            "use `#[kb(minimum = 1)]`, or remove it",
        );
    }
    let before = errors.count();
    let outcome = attribute.parse_args_with(|input: ParseStream| {
        read_list(input, markers, errors);
        Ok(())
    });
    // An error inside of parentheses may leave tokens, which syn would report again.
    if errors.count() == before {
        errors.take(outcome);
    }
}

/// Parses markers until the end.
pub(super) fn read_list(input: ParseStream, markers: &mut ParsedMarkers, errors: &mut Errors) {
    attribute::each(input, errors, &mut |name, input, errors| {
        read_mark(name, input, markers, errors)
    });
}

/// Parses a marker after its name.
pub(crate) fn read_mark(
    name: &Ident,
    input: ParseStream,
    markers: &mut ParsedMarkers,
    errors: &mut Errors,
) -> syn::Result<()> {
    let Some(marker) = marker(&name.to_string()) else {
        return Err(unknown(name, markers.target));
    };
    if !marker.targets.contains(&markers.target) {
        return Err(wrong_target(name, marker, markers.target));
    }
    let again = !marker.repeats && markers.find(marker.name).is_some();
    if again {
        errors.at(name, format!("duplicate marker `{name}`"));
    }
    let before = input.fork();
    let argument = Argument {
        name,
        usage: marker.usage,
        input,
    };
    read_value(marker, &argument, markers, errors)?;
    if !again {
        markers.entries.push(MarkerEntry {
            name: marker.name,
            ident: name.clone(),
            value: tokens_between(&before, input),
        });
    }
    Ok(())
}

fn read_value(
    marker: &Marker,
    argument: &Argument,
    markers: &mut ParsedMarkers,
    errors: &mut Errors,
) -> syn::Result<()> {
    match marker.reader {
        Reader::Flag(slot) => *slot(markers) = argument.flag()?,
        Reader::Number(slot) => *slot(markers) = Some(argument.number()?),
        Reader::Count(slot) => *slot(markers) = Some(argument.unsigned()?),
        Reader::Text(slot) => *slot(markers) = Some(argument.text()?.value()),
        Reader::Custom(read) => read(markers, argument, errors)?,
    }
    Ok(())
}

/// Returns the tokens between two positions, without a leading `=`.
fn tokens_between(from: ParseStream, to: ParseStream) -> TokenStream {
    let mut tokens = TokenStream::new();
    let _ = from.parse::<Option<Token![=]>>();
    while from.cursor() != to.cursor() {
        let Ok(token) = from.parse::<TokenTree>() else {
            break;
        };
        tokens.extend([token]);
    }
    tokens
}

fn wrong_target(name: &Ident, marker: &Marker, target: Target) -> syn::Error {
    let here = match target {
        Target::Kind => "on a kind",
        Target::Type => "on a type",
        Target::Field => "on a field",
        Target::Content => "on the content of a newtype",
        Target::Element => "on elements",
    };
    let there = if marker.targets.contains(&Target::Field) {
        "on a field"
    } else {
        "on a type"
    };
    let problem = format!("`{name}` applies {there}, not {here}");
    match (target, marker.name) {
        (Target::Type, "column" | "scale") => error_with_help(
            name,
            problem,
            "use `#[kb::resource(..)]` for paths that are not fields",
        ),
        _ => syn::Error::new_spanned(name, problem),
    }
}
