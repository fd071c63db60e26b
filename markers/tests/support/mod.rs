//! Test helpers: parse source text and return the result or the errors.
#![allow(dead_code, reason = "each test uses a part of it")]

use std::fmt::Write;

use kb_markers::{KbAttribute, Object, ResourceItem, kb_attribute, read_object, read_resource};
use kb_model::api::{Field, Marks, Shape};
use proc_macro2::TokenStream;
use serde::Serialize;
use serde_json::Value;
use syn::{Attribute, Item, Meta};

/// Reads an item with `#[kb::object]`, which may be omitted.
pub(crate) fn object(source: &str) -> Object {
    match try_object(source) {
        Ok(object) => object,
        Err(error) => panic!("{}\n{source}", show(error)),
    }
}

/// Reads an item with `#[kb::resource(...)]`.
pub(crate) fn resource(source: &str) -> ResourceItem {
    let (args, item) = item(source);
    match read_resource(args, item) {
        Ok(resource) => resource,
        Err(error) => panic!("{}\n{source}", show(error)),
    }
}

/// Returns the errors of an item: message and token.
pub(crate) fn errors(source: &str) -> Vec<(String, String)> {
    let (args, item, attribute) = parts(source);
    let outcome = match attribute {
        Some(KbAttribute::Resource) => read_resource(args, item).map(|_| ()),
        _ => read_object(args, item).map(|_| ()),
    };
    let Err(error) = outcome else {
        panic!("no errors in {source}");
    };
    each(error)
}

/// Checks that an item has exactly these errors (token and message), in any order.
#[track_caller]
pub(crate) fn assert_rejected(source: &str, expected: &[(&str, &str)]) {
    let mut found: Vec<(String, String)> = errors(source)
        .into_iter()
        .map(|(message, token)| (token, message))
        .collect();
    let mut expected: Vec<(String, String)> = expected
        .iter()
        .map(|(token, message)| ((*token).to_owned(), (*message).to_owned()))
        .collect();
    found.sort();
    expected.sort();
    assert_eq!(found, expected, "{source}");
}

/// Returns the field of a struct with these markers.
pub(crate) fn field(marks: &str, ty: &str) -> Field<usize> {
    let object = object(&format!("struct Foo {{ #[kb({marks})] x: {ty} }}"));
    match object.def.shape {
        Shape::Struct(mut fields) => fields.remove(0),
        other => panic!("{other:?}"),
    }
}

/// Returns the marks of a field with these markers.
pub(crate) fn marks(marks: &str, ty: &str) -> Marks {
    field(marks, ty).marks
}

/// Checks a table of errors: source, token, problem and help of each row. With `UPDATE_GOLDENS`, rewrites it.
#[expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test reads and writes its own files"
)]
pub(crate) fn check_errors(file: &str, item: impl Fn(&str) -> String) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(file);
    let committed = std::fs::read_to_string(&path).unwrap();
    let mut actual = String::new();
    for line in committed.lines() {
        if line.is_empty() || line.starts_with("# ") {
            actual.push_str(line);
        } else {
            let source = line.split('\t').next().unwrap_or_default();
            let found = errors(&item(source));
            let expected = line.split('\t').nth(1);
            let at_token = found
                .iter()
                .find(|(_, token)| Some(token.as_str()) == expected);
            let (message, token) = at_token.unwrap_or(&found[0]);
            let message = message.replace("\nhelp: ", "\t");
            let _ = write!(actual, "{source}\t{token}\t{message}");
        }
        actual.push('\n');
    }
    if std::env::var_os("UPDATE_GOLDENS").is_some() {
        std::fs::write(path, actual).unwrap();
    } else {
        assert_eq!(
            committed, actual,
            "to update: UPDATE_GOLDENS=1 cargo test -p kb-markers"
        );
    }
}

/// Returns the rows of a table with `N` columns.
pub(crate) fn columns<const N: usize>(text: &str) -> impl Iterator<Item = [&str; N]> {
    lines(text).map(|columns| {
        let row = columns.try_into();
        row.unwrap_or_else(|columns| panic!("a row has {N} columns: {columns:?}"))
    })
}

/// Returns the rows of a table, skipping empty lines and comments.
fn lines(text: &str) -> impl Iterator<Item = Vec<&str>> {
    let lines = text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with("# "));
    lines.map(|line| line.split('\t').collect())
}

/// Serializes a part of the model.
pub(crate) fn json(part: &impl Serialize) -> Value {
    serde_json::to_value(part).expect("the model is JSON")
}

/// Parses expected JSON.
pub(crate) fn parse(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Returns the fields of a struct.
pub(crate) fn fields(source: &str) -> Vec<Field<usize>> {
    match object(source).def.shape {
        Shape::Struct(fields) => fields,
        other => panic!("{other:?}"),
    }
}

/// Returns the resulting item as a string of tokens.
pub(crate) fn item_text(source: &str) -> String {
    let item = object(source).item;
    quote::ToTokens::to_token_stream(&item).to_string()
}

fn try_object(source: &str) -> syn::Result<Object> {
    let (args, item) = item(source);
    read_object(args, item)
}

fn item(source: &str) -> (TokenStream, Item) {
    let (args, item, _) = parts(source);
    (args, item)
}

fn parts(source: &str) -> (TokenStream, Item, Option<KbAttribute>) {
    let mut item: Item = syn::parse_str(source).unwrap_or_else(|error| panic!("{error}\n{source}"));
    let mut none = Vec::new();
    let attributes: &mut Vec<Attribute> = match &mut item {
        Item::Struct(item) => &mut item.attrs,
        Item::Enum(item) => &mut item.attrs,
        Item::Union(item) => &mut item.attrs,
        Item::Type(item) => &mut item.attrs,
        Item::Fn(item) => &mut item.attrs,
        _ => &mut none,
    };
    let position = attributes
        .iter()
        .position(|attribute| kb_attribute(attribute).is_some());
    let Some(attribute) = position.map(|position| attributes.remove(position)) else {
        return (TokenStream::new(), item, None);
    };
    let args = match &attribute.meta {
        Meta::List(list) => list.tokens.clone(),
        _ => TokenStream::new(),
    };
    (args, item, kb_attribute(&attribute))
}

fn each(error: syn::Error) -> Vec<(String, String)> {
    let each = error.into_iter().map(|error| {
        let token = error.span().source_text().unwrap_or_default();
        (error.to_string(), token)
    });
    each.collect()
}

fn show(error: syn::Error) -> String {
    let lines = each(error)
        .into_iter()
        .map(|(message, token)| format!("{message}\n  at {token}"));
    lines.collect::<Vec<_>>().join("\n")
}
