//! Suggestions for unknown markers.

use syn::Ident;

use super::parsed::Target;
use super::table::names;
use crate::did_you_mean::did_you_mean;
use crate::errors::error_with_help;

/// Attributes of kube, schemars, serde and controller-gen, with kb's equivalent.
const EQUIVALENTS: &[(&str, &str)] = &[
    ("min", "use `minimum`"),
    ("max", "use `maximum`"),
    ("range", "use `minimum = 1, maximum = 10`"),
    (
        "length",
        "use `min_length`, `max_length`, or for a list `min_items`, `max_items`",
    ),
    ("regex", "use `pattern = \"..\"`"),
    ("validation", "use `cel(\"RULE\", message = \"..\")`"),
    ("rule", "use `cel(\"RULE\", message = \"..\")`"),
    ("x_validation", "use `cel(\"RULE\", message = \"..\")`"),
    ("printcolumn", "use `column`"),
    ("print_column", "use `column`"),
    ("type", "use `schema_type = \"string\"`"),
    ("inner", "use `items(..)`, or for a map `values(..)`"),
    ("description", "use a doc comment: `/// ..`"),
    ("doc", "use a doc comment: `/// ..`"),
    ("rename", "use `#[serde(rename = \"..\")]`"),
    ("rename_all", "use `#[serde(rename_all = \"..\")]`"),
    ("skip", "use `#[serde(skip)]`"),
    ("flatten", "use `#[serde(flatten)]`"),
    (
        "with",
        "use `#[serde(with = \"..\")]`, and the JSON type: `#[kb(schema_type = \"string\")]`",
    ),
];

/// Creates the error for an unknown marker.
pub(super) fn unknown(name: &Ident, target: Target) -> syn::Error {
    let text = name.to_string();
    if text == "unique_items" {
        let problem = "the API server does not support `uniqueItems`";
        return error_with_help(name, problem, "use `list_type = \"set\"`");
    }
    let problem = format!("unknown marker `{text}`");
    let equivalent = EQUIVALENTS.iter().find(|(word, _)| *word == text);
    if let Some((_, help)) = equivalent {
        return error_with_help(name, problem, help);
    }
    match did_you_mean(&text, names(target)) {
        Some(help) => error_with_help(name, problem, help),
        None => syn::Error::new_spanned(name, problem),
    }
}
