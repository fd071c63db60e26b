//! Parses the markers of an attribute.

use proc_macro2::{TokenStream, TokenTree};
use syn::parse::ParseStream;
use syn::{Attribute, Ident, Meta, Token};

use super::parsed::{ParsedMarkers, Place, Written};
use super::table::{Marker, Reader, marker};
use super::unknown::unknown;
use crate::attribute::{self, Argument};
use crate::errors::{Errors, helped};

/// Parses and removes every `#[kb(...)]` attribute.
pub(crate) fn read(
    attributes: &mut Vec<Attribute>,
    place: Place,
    errors: &mut Errors,
) -> ParsedMarkers {
    let mut markers = ParsedMarkers::new(place);
    attributes.retain(|attribute| {
        let ours = attribute.path().is_ident("kb");
        if ours {
            read_attribute(attribute, &mut markers, errors);
        }
        !ours
    });
    markers
}

fn read_attribute(attribute: &Attribute, markers: &mut ParsedMarkers, errors: &mut Errors) {
    if !matches!(attribute.meta, Meta::List(_)) {
        return errors.helped(
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
        return Err(unknown(name, markers.place));
    };
    if !marker.places.contains(&markers.place) {
        return Err(misplaced(name, marker, markers.place));
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
        markers.written.push(Written {
            name: marker.name,
            ident: name.clone(),
            value: taken(&before, input),
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
        Reader::Own(read) => read(markers, argument, errors)?,
    }
    Ok(())
}

/// Returns the tokens between two positions, without a leading `=`.
fn taken(from: ParseStream, to: ParseStream) -> TokenStream {
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

fn misplaced(name: &Ident, marker: &Marker, place: Place) -> syn::Error {
    let here = match place {
        Place::Kind => "on a kind",
        Place::Type => "on a type",
        Place::Field => "on a field",
        Place::Content => "on the content of a newtype",
        Place::Element => "on elements",
    };
    let there = if marker.places.contains(&Place::Field) {
        "on a field"
    } else {
        "on a type"
    };
    let problem = format!("`{name}` applies {there}, not {here}");
    match (place, marker.name) {
        (Place::Type, "column" | "scale") => helped(
            name,
            problem,
            "use `#[kb::resource(..)]` for paths that are not fields",
        ),
        _ => syn::Error::new_spanned(name, problem),
    }
}
