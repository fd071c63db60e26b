//! Goes through the markers of an attribute, with the table at hand.

use proc_macro2::{TokenStream, TokenTree};
use syn::parse::ParseStream;
use syn::{Attribute, Ident, Meta, Token};

use super::markers::{Marker, Reader, marker};
use super::said::{Place, Said, Written};
use super::unknown::unknown;
use crate::attribute::{self, Argument};
use crate::errors::{Errors, helped};

/// Reads every `#[kb(...)]` among these attributes, and leaves the others.
pub(crate) fn read(attributes: &mut Vec<Attribute>, place: Place, errors: &mut Errors) -> Said {
    let mut said = Said::new(place);
    attributes.retain(|attribute| {
        let ours = attribute.path().is_ident("kb");
        if ours {
            read_attribute(attribute, &mut said, errors);
        }
        !ours
    });
    said
}

fn read_attribute(attribute: &Attribute, said: &mut Said, errors: &mut Errors) {
    if !matches!(attribute.meta, Meta::List(_)) {
        return errors.helped(
            attribute,
            "`kb` needs arguments",
            "write `#[kb(minimum = 1)]`, or leave it out",
        );
    }
    let before = errors.count();
    let outcome = attribute.parse_args_with(|input: ParseStream| {
        read_list(input, said, errors);
        Ok(())
    });
    // An error inside a list may leave tokens behind, and syn complains of them again.
    if errors.count() == before {
        errors.take(outcome);
    }
}

/// Reads markers until the end.
pub(super) fn read_list(input: ParseStream, said: &mut Said, errors: &mut Errors) {
    attribute::each(input, errors, &mut |name, input, errors| {
        read_mark(name, input, said, errors)
    });
}

/// Reads one marker, whose name has been taken.
pub(crate) fn read_mark(
    name: &Ident,
    input: ParseStream,
    said: &mut Said,
    errors: &mut Errors,
) -> syn::Result<()> {
    let Some(marker) = marker(&name.to_string()) else {
        return Err(unknown(name, said.place));
    };
    if !marker.places.contains(&said.place) {
        return Err(misplaced(name, marker, said.place));
    }
    let again = !marker.repeats && said.find(marker.name).is_some();
    if again {
        errors.at(name, format!("`{name}` is said twice"));
    }
    let before = input.fork();
    let argument = Argument {
        name,
        usage: marker.usage,
        input,
    };
    read_value(marker, &argument, said, errors)?;
    if !again {
        said.written.push(Written {
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
    said: &mut Said,
    errors: &mut Errors,
) -> syn::Result<()> {
    match marker.reader {
        Reader::Flag(slot) => *slot(said) = argument.flag()?,
        Reader::Number(slot) => *slot(said) = Some(argument.number()?),
        Reader::Count(slot) => *slot(said) = Some(argument.unsigned()?),
        Reader::Text(slot) => *slot(said) = Some(argument.text()?.value()),
        Reader::Own(read) => read(said, argument, errors)?,
    }
    Ok(())
}

/// The tokens between two positions, without the `=` they begin with.
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
    let problem = format!("`{name}` stands {there}, not {here}");
    match (place, marker.name) {
        (Place::Type, "column" | "scale") => helped(
            name,
            problem,
            "for what no field is, write it in `#[kb::resource(..)]`",
        ),
        _ => syn::Error::new_spanned(name, problem),
    }
}
