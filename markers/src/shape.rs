//! Reads the shape of structs and newtypes; `variants` reads enums.
//!
//! Rejects types without structural schema: tuples, unit structs, and types serialized as another type.

use kb_model::api::{Field, Shape};
use serde_derive_internals::ast::{self, Container, Data, Style};
use syn::DeriveInput;

use crate::errors::Errors;
use crate::field::{self, Named, Owner};
use crate::marks::{Is, ParsedMarkers, Subject, fit};
use crate::object::{Collected, Marked, MarkedField, Read};
use crate::serde_attrs::Keys;
use crate::type_syntax::Form;
use crate::{one_of, variants};

/// Reads the shape of an item.
pub(crate) fn read(
    container: &Container,
    marked: &Marked,
    collected: &mut Collected,
    errors: &mut Errors,
) -> Read {
    refuse_conversions(container, errors);
    let markers = &marked.own;
    match &container.data {
        Data::Struct(style, fields) => {
            let group = marked.groups.first().map_or(&[][..], Vec::as_slice);
            read_struct(
                container,
                *style,
                fields,
                (markers, group),
                collected,
                errors,
            )
        }
        Data::Enum(variants) => {
            one_of::refuse(markers, "an enum has exactly one variant", errors);
            let shape = variants::read(container, variants, marked, collected, errors);
            let form = match shape {
                Shape::Choice(_) => Form::Text,
                _ => Form::Object,
            };
            fit(markers, subject(container, "an enum", form), errors);
            Read {
                shape,
                one_of: Vec::new(),
                fields: Vec::new(),
            }
        }
    }
}

fn subject<'a>(container: &Container, is: &str, form: Form<'a>) -> Subject<'a> {
    Subject {
        name: format!("`{}`", container.ident),
        is: Is::Words(is.to_owned()),
        form,
    }
}

fn read_struct(
    container: &Container,
    style: Style,
    fields: &[ast::Field],
    (markers, group): (&ParsedMarkers, &[MarkedField]),
    collected: &mut Collected,
    errors: &mut Errors,
) -> Read {
    let keys = Keys::of(&container.original.attrs);
    let owner = Owner {
        variant: None,
        content: format!("the content of `{}`", container.ident),
        has_default: keys.has("default"),
    };
    let transparent = fields
        .iter()
        .zip(group)
        .find(|(field, _)| field.attrs.transparent());
    let newtype = match style {
        Style::Newtype => fields.iter().zip(group).next(),
        _ => transparent,
    };
    let mut named = Vec::new();
    let shape = if let Some((content, content_said)) = newtype {
        let problem = format!("`{}` is a newtype without named fields", container.ident);
        one_of::refuse(markers, &problem, errors);
        fit(
            markers,
            Subject::of(format!("`{}`", container.ident), content.ty),
            errors,
        );
        match field::read(content, content_said, &owner, collected, errors) {
            Some((field, _)) => Shape::Newtype(Box::new(field)),
            None => refuse_empty(container, errors),
        }
    } else {
        fit(
            markers,
            subject(container, "a struct", Form::Object),
            errors,
        );
        match style {
            Style::Struct => {
                let read;
                (read, named) = read_fields(fields, group, &owner, collected, errors);
                Shape::Struct(read)
            }
            Style::Unit => refuse_empty(container, errors),
            Style::Tuple | Style::Newtype => {
                refuse_tuple(&container.ident, fields.len(), errors);
                Shape::Opaque
            }
        }
    };
    let one_of = match shape {
        Shape::Struct(_) => one_of::resolve(&markers.selected, &named, errors),
        _ => Vec::new(),
    };
    Read {
        shape,
        one_of,
        fields: named,
    }
}

fn refuse_empty(container: &Container, errors: &mut Errors) -> Shape<usize> {
    let ident = &container.ident;
    let problem = format!("`{ident}` is a unit struct, which serializes as `null`");
    errors.helped(ident, problem, format_args!("use `struct {ident} {{}}`"));
    Shape::Opaque
}

pub(crate) fn refuse_tuple(ident: &syn::Ident, fields: usize, errors: &mut Errors) {
    let problem = if fields == 0 {
        format!("`{ident}` is an empty tuple struct, which has no schema")
    } else {
        format!("`{ident}` is a tuple, which has no schema: list elements must have a single type")
    };
    errors.helped(
        ident,
        problem,
        format_args!("name its fields: `{ident} {{ .. }}`"),
    );
}

pub(crate) fn read_fields(
    fields: &[ast::Field],
    group: &[MarkedField],
    owner: &Owner,
    collected: &mut Collected,
    errors: &mut Errors,
) -> (Vec<Field<usize>>, Vec<Named>) {
    let (mut read, mut others): (Vec<_>, Vec<Named>) = (Vec::new(), Vec::new());
    for (source, marked) in fields.iter().zip(group) {
        let Some((field, named)) = field::read(source, marked, owner, collected, errors) else {
            continue;
        };
        let name = &named.name;
        if !name.is_empty() && others.iter().any(|other| other.name == *name) {
            errors.at(&source.member, format!("duplicate JSON name `{name}`"));
        }
        read.push(field);
        others.push(named);
    }
    (read, others)
}

/// Rejects conversions, with which another type is serialized.
fn refuse_conversions(container: &Container, errors: &mut Errors) {
    let keys = Keys::of(&container.original.attrs);
    if let Some(word) = keys.find(&["from", "try_from", "into"]) {
        let problem = format!("`{word}` serializes another type, whose schema is unknown");
        let help = "add the JSON type: `#[kb(schema_type = \"string\")]`";
        errors.helped(word, problem, help);
    }
    refuse_remote(&keys, errors);
    if matches!(container.data, Data::Struct(..))
        && let Some(word) = keys.find(&["tag"])
    {
        let problem = "a tag on a struct adds a property that is missing in the schema";
        errors.helped(word, problem, "use a field");
    }
}

fn refuse_remote(keys: &Keys, errors: &mut Errors) {
    if let Some(word) = keys.find(&["remote"]) {
        errors.helped(
            word,
            "`remote` types have no schema",
            "remove kb's attribute, and add `schema_type` to the field that uses the type",
        );
    }
}

/// Checks a type whose markers define its schema.
pub(crate) fn opaque(input: &DeriveInput, markers: &ParsedMarkers, errors: &mut Errors) {
    refuse_remote(&Keys::of(&input.attrs), errors);
    let problem = format!(
        "the markers of `{}` define its schema, so it has no fields",
        input.ident
    );
    one_of::refuse(markers, &problem, errors);
    let subject = Subject {
        name: format!("`{}`", input.ident),
        is: Is::Words("a type".to_owned()),
        form: Form::Unknown,
    };
    fit(markers, subject, errors);
}
