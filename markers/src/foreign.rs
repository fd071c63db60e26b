//! Rejects attributes of other crates that kb replaces, and attributes that make the schema depend on the build.
//!
//! kube's and schemars' attributes would have no effect, so they are errors that show kb's equivalent. Attributes of garde and validator concern
//! runtime values and are allowed.

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::{Attribute, Meta};

use crate::errors::Errors;

const ATTRIBUTES: [&str; 3] = ["kube", "schemars", "x_kube"];

/// Words in those attributes, with kb's equivalent.
#[rustfmt::skip] // One row a word.
const EQUIVALENTS: &[(&str, &str)] = &[
    ("group", "`group = \"..\"` in `#[kb::resource(..)]`"),
    ("version", "`version = \"..\"` in `#[kb::resource(..)]`"),
    ("kind", "`kind = \"..\"` in `#[kb::resource(..)]`"),
    ("plural", "`plural = \"..\"` in `#[kb::resource(..)]`"),
    ("singular", "`singular = \"..\"` in `#[kb::resource(..)]`"),
    ("shortname", "`short_name = \"..\"` in `#[kb::resource(..)]`"),
    ("category", "`category = \"..\"` in `#[kb::resource(..)]`"),
    ("namespaced", "nothing: kinds are namespaced unless `#[kb::resource(scope = Cluster)]` is set"),
    ("status", "`status = TYPE` in `#[kb::resource(..)]`"),
    ("scale", "`#[kb(scale(replicas))]` on the fields, or `scale(..)` in `#[kb::resource(..)]`"),
    ("printcolumn", "`#[kb(column)]` on the field, or `column(..)` in `#[kb::resource(..)]`"),
    ("selectable", "`#[kb(selectable)]` on the field"),
    ("annotation", "`annotations(\"KEY\" = \"VALUE\")` in `#[kb::resource(..)]`"),
    ("label", "`labels(\"KEY\" = \"VALUE\")` in `#[kb::resource(..)]`"),
    ("storage", "`storage` in `#[kb::resource(..)]`"),
    ("served", "`served = false` in `#[kb::resource(..)]`"),
    ("deprecated", "`deprecated` in `#[kb::resource(..)]`"),
    ("validation", "`#[kb(cel(\"RULE\", message = \"..\"))]`"),
    ("rule", "`#[kb(cel(\"RULE\", message = \"..\"))]`"),
    ("merge_strategy", "`#[kb(list_type = \"..\")]`, `#[kb(list_map_key = \"..\")]` or `#[kb(map_type = \"..\")]`"),
    ("range", "`#[kb(minimum = 1, maximum = 10)]`"),
    ("length", "`#[kb(min_length = 1, max_length = 63)]`, or `min_items`, `max_items` for a list"),
    ("regex", "`#[kb(pattern = \"..\")]`"),
    ("pattern", "`#[kb(pattern = \"..\")]`"),
    ("email", "`#[kb(format = \"email\")]`"),
    ("url", "`#[kb(format = \"uri\")]`"),
    ("inner", "`#[kb(items(..))]`, or `#[kb(values(..))]` for a map"),
    ("title", "`#[kb(title = \"..\")]`"),
    ("description", "a doc comment"),
    ("example", "`#[kb(example = ..)]`"),
    ("default", "`#[kb(default = ..)]`"),
    ("required", "`#[kb(required)]`"),
    ("rename", "`#[serde(rename = \"..\")]`"),
    ("rename_all", "`#[serde(rename_all = \"..\")]`"),
    ("skip", "`#[serde(skip)]`"),
    ("flatten", "`#[serde(flatten)]`"),
    ("with", "`#[kb(schema_type = \"..\")]`, or `#[kb(json_schema)]` for the schema of the type itself"),
    ("schema_with", "`#[kb(schema_type = \"..\")]`, or `#[kb(schemaless)]`"),
    ("extend", "the marker of that keyword, such as `#[kb(list_type = \"set\")]`"),
];

/// Reports kube's and schemars' attributes.
pub(crate) fn reject(attributes: &[Attribute], errors: &mut Errors) {
    for attribute in attributes {
        let Some(name) = ATTRIBUTES
            .iter()
            .find(|name| attribute.path().is_ident(name))
        else {
            continue;
        };
        let words = match &attribute.meta {
            Meta::List(list) => first_words(list.tokens.clone()),
            _ => Vec::new(),
        };
        if words.is_empty() {
            errors.at_with_help(
                attribute,
                format!("`#[{name}(..)]` has no effect: kb generates the schema"),
                "remove it",
            );
        }
        for word in words {
            let problem = format!("`#[{name}({word} ..)]` has no effect: kb generates the schema");
            let equivalent = EQUIVALENTS.iter().find(|(known, _)| word == known);
            match equivalent {
                Some((_, kb)) => errors.at_with_help(word, problem, format_args!("use {kb}")),
                None => errors.at_with_help(word, problem, "remove it"),
            }
        }
    }
}

/// Reports `cfg` on fields and variants: a CRD must not depend on the build.
pub(crate) fn reject_cfg(attributes: &[Attribute], what: &str, errors: &mut Errors) {
    for attribute in attributes {
        let path = attribute.path();
        let is_conditional = match &attribute.meta {
            Meta::List(list) if path.is_ident("cfg_attr") => {
                let text = list.tokens.to_string();
                ["kb", "serde"].iter().any(|name| text.contains(name))
            }
            _ => path.is_ident("cfg"),
        };
        if is_conditional {
            errors.at(
                attribute,
                format!("a conditionally compiled {what} would make the CRD depend on the build configuration"),
            );
        }
    }
}

/// Returns the first word of each argument.
pub(crate) fn first_words(tokens: TokenStream) -> Vec<Ident> {
    let mut words = Vec::new();
    let mut at_start = true;
    for token in tokens {
        match token {
            TokenTree::Ident(word) if at_start => {
                words.push(word);
                at_start = false;
            }
            TokenTree::Punct(comma) => at_start = comma.as_char() == ',',
            _ => at_start = false,
        }
    }
    words
}
