//! Reads the shape of structs and newtypes; `variants` reads enums.
//!
//! Rejects types without structural schema: tuples, unit structs, and types serialized as another type.

use kb_model::api::{Field, Shape};
use serde_derive_internals::ast::{self, Container, Data, Style};
use syn::DeriveInput;

use crate::errors::Errors;
use crate::field::{self, FieldName, Owner};
use crate::marks::{ParsedMarkers, Subject, TypePhrase, check_fit};
use crate::object::{Collector, ItemContent, MarkedField, MarkedItem};
use crate::serde_attrs::Keys;
use crate::type_syntax::Form;
use crate::{one_of, variants};

/// Reads the shape of an item.
pub(crate) fn read(
    container: &Container,
    marked: &MarkedItem,
    collector: &mut Collector,
    errors: &mut Errors,
) -> ItemContent {
    reject_conversions(container, errors);
    let markers = &marked.own;
    match &container.data {
        Data::Struct(style, fields) => {
            let group = marked.groups.first().map_or(&[][..], Vec::as_slice);
            read_struct(
                container,
                *style,
                fields,
                (markers, group),
                collector,
                errors,
            )
        }
        Data::Enum(variants) => {
            one_of::reject(markers, "an enum has exactly one variant", errors);
            let shape = variants::read(container, variants, marked, collector, errors);
            let form = match shape {
                Shape::Choice(_) => Form::Text,
                _ => Form::Object,
            };
            check_fit(markers, subject(container, "an enum", form), errors);
            ItemContent {
                shape,
                one_of: Vec::new(),
                fields: Vec::new(),
            }
        }
    }
}

fn subject<'a>(container: &Container, phrase: &str, form: Form<'a>) -> Subject<'a> {
    Subject {
        name: format!("`{}`", container.ident),
        phrase: TypePhrase::Text(phrase.to_owned()),
        form,
    }
}

fn read_struct(
    container: &Container,
    style: Style,
    fields: &[ast::Field],
    (markers, group): (&ParsedMarkers, &[MarkedField]),
    collector: &mut Collector,
    errors: &mut Errors,
) -> ItemContent {
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
    let shape = if let Some((content, marked)) = newtype {
        let problem = format!("`{}` is a newtype without named fields", container.ident);
        one_of::reject(markers, &problem, errors);
        check_fit(
            markers,
            Subject::of(format!("`{}`", container.ident), content.ty),
            errors,
        );
        match field::read(content, marked, &owner, collector, errors) {
            Some((field, _)) => Shape::Newtype(Box::new(field)),
            None => reject_empty(container, errors),
        }
    } else {
        check_fit(
            markers,
            subject(container, "a struct", Form::Object),
            errors,
        );
        match style {
            Style::Struct => {
                let read;
                (read, named) = read_fields(fields, group, &owner, collector, errors);
                Shape::Struct(read)
            }
            Style::Unit => reject_empty(container, errors),
            Style::Tuple | Style::Newtype => {
                reject_tuple(&container.ident, fields.len(), errors);
                Shape::Opaque
            }
        }
    };
    let one_of = match shape {
        Shape::Struct(_) => one_of::resolve(&markers.one_of_rules, &named, errors),
        _ => Vec::new(),
    };
    ItemContent {
        shape,
        one_of,
        fields: named,
    }
}

fn reject_empty(container: &Container, errors: &mut Errors) -> Shape<usize> {
    let ident = &container.ident;
    let problem = format!("`{ident}` is a unit struct, which serializes as `null`");
    errors.at_with_help(ident, problem, format_args!("use `struct {ident} {{}}`"));
    Shape::Opaque
}

pub(crate) fn reject_tuple(ident: &syn::Ident, fields: usize, errors: &mut Errors) {
    let problem = if fields == 0 {
        format!("`{ident}` is an empty tuple struct, which has no schema")
    } else {
        format!("`{ident}` is a tuple, which has no schema: list elements must have a single type")
    };
    errors.at_with_help(
        ident,
        problem,
        format_args!("name its fields: `{ident} {{ .. }}`"),
    );
}

pub(crate) fn read_fields(
    fields: &[ast::Field],
    group: &[MarkedField],
    owner: &Owner,
    collector: &mut Collector,
    errors: &mut Errors,
) -> (Vec<Field<usize>>, Vec<FieldName>) {
    let (mut read, mut others): (Vec<_>, Vec<FieldName>) = (Vec::new(), Vec::new());
    for (source, marked) in fields.iter().zip(group) {
        let Some((field, named)) = field::read(source, marked, owner, collector, errors) else {
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
fn reject_conversions(container: &Container, errors: &mut Errors) {
    let keys = Keys::of(&container.original.attrs);
    if let Some(word) = keys.find(&["from", "try_from", "into"]) {
        let problem = format!("`{word}` serializes another type, whose schema is unknown");
        let help = "add the JSON type: `#[kb(schema_type = \"string\")]`";
        errors.at_with_help(word, problem, help);
    }
    reject_remote(&keys, errors);
    if matches!(container.data, Data::Struct(..))
        && let Some(word) = keys.find(&["tag"])
    {
        let problem = "a tag on a struct adds a property that is missing in the schema";
        errors.at_with_help(word, problem, "use a field");
    }
}

fn reject_remote(keys: &Keys, errors: &mut Errors) {
    if let Some(word) = keys.find(&["remote"]) {
        errors.at_with_help(
            word,
            "`remote` types have no schema",
            "remove kb's attribute, and add `schema_type` to the field that uses the type",
        );
    }
}

/// Checks a type whose markers define its schema.
pub(crate) fn opaque(input: &DeriveInput, markers: &ParsedMarkers, errors: &mut Errors) {
    reject_remote(&Keys::of(&input.attrs), errors);
    let problem = format!(
        "the markers of `{}` define its schema, so it has no fields",
        input.ident
    );
    one_of::reject(markers, &problem, errors);
    let subject = Subject {
        name: format!("`{}`", input.ident),
        phrase: TypePhrase::Text("a type".to_owned()),
        form: Form::Unknown,
    };
    check_fit(markers, subject, errors);
}
