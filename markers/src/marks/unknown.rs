//! Suggestions for unknown markers.

use syn::Ident;

use super::parsed::Place;
use super::table::names;
use crate::did_you_mean::did_you_mean;
use crate::errors::helped;

/// Attributes of kube, schemars, serde and controller-gen, with kb's equivalent.
const ELSEWHERE: &[(&str, &str)] = &[
    ("min", "write `minimum`"),
    ("max", "write `maximum`"),
    ("range", "write `minimum = 1, maximum = 10`"),
    (
        "length",
        "write `min_length`, `max_length`, or for a list `min_items`, `max_items`",
    ),
    ("regex", "write `pattern = \"..\"`"),
    ("validation", "write `cel(\"RULE\", message = \"..\")`"),
    ("rule", "write `cel(\"RULE\", message = \"..\")`"),
    ("x_validation", "write `cel(\"RULE\", message = \"..\")`"),
    ("printcolumn", "write `column`"),
    ("print_column", "write `column`"),
    ("type", "write `schema_type = \"string\"`"),
    ("inner", "write `items(..)`, or for a map `values(..)`"),
    ("description", "write a doc comment: `/// ..`"),
    ("doc", "write a doc comment: `/// ..`"),
    ("rename", "write `#[serde(rename = \"..\")]`"),
    ("rename_all", "write `#[serde(rename_all = \"..\")]`"),
    ("skip", "write `#[serde(skip)]`"),
    ("flatten", "write `#[serde(flatten)]`"),
    (
        "with",
        "write `#[serde(with = \"..\")]`, and the JSON type: `#[kb(schema_type = \"string\")]`",
    ),
];

/// Creates the error for an unknown marker.
pub(super) fn unknown(name: &Ident, place: Place) -> syn::Error {
    let text = name.to_string();
    if text == "unique_items" {
        let problem = "the API server refuses unique items";
        return helped(name, problem, "write `list_type = \"set\"`");
    }
    let problem = format!("unknown marker `{text}`");
    let elsewhere = ELSEWHERE.iter().find(|(word, _)| *word == text);
    if let Some((_, help)) = elsewhere {
        return helped(name, problem, help);
    }
    match did_you_mean(&text, names(place)) {
        Some(help) => helped(name, problem, help),
        None => syn::Error::new_spanned(name, problem),
    }
}
