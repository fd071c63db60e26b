//! `at_most_one_of(a, b)` etc.: maps Rust field names to JSON names.

use kb_model::api::OneOf;
use syn::ext::IdentExt;

use crate::attribute::Word;
use crate::did_you_mean::did_you_mean;
use crate::errors::Errors;
use crate::field::FieldName;
use crate::marks::{OneOfRule, ParsedMarkers};

/// Returns the rules with JSON names.
pub(crate) fn resolve(
    one_of_rules: &[OneOfRule],
    fields: &[FieldName],
    errors: &mut Errors,
) -> Vec<OneOf> {
    let rules = one_of_rules.iter().map(|rule| {
        let mut names: Vec<String> = Vec::new();
        for word in &rule.fields {
            if let Some(name) = name_of(word, fields, errors) {
                if names.contains(&name) {
                    errors.at(&word.token, format!("duplicate `{name}`"));
                }
                names.push(name);
            }
        }
        OneOf {
            kind: rule.kind,
            fields: names,
        }
    });
    rules.collect()
}

/// Reports rules on types without fields.
pub(crate) fn reject(markers: &ParsedMarkers, because: &str, errors: &mut Errors) {
    for rule in &markers.one_of_rules {
        errors.at(
            &rule.marker,
            format!("`{}` requires a struct: {because}", rule.marker),
        );
    }
}

fn name_of(word: &Word, fields: &[FieldName], errors: &mut Errors) -> Option<String> {
    if word.quoted && word.text.contains('.') {
        let problem = "field names must not contain dots";
        errors.at_with_help(
            &word.token,
            problem,
            "move it to the type that declares the field",
        );
        return None;
    }
    let found = fields.iter().find(|field| {
        if word.quoted {
            field.name == word.text
        } else {
            field
                .ident
                .as_ref()
                .is_some_and(|ident| ident.unraw() == word.text)
        }
    });
    let Some(found) = found else {
        // Names of flattened fields are unknown here.
        if word.quoted && fields.iter().any(|field| field.flatten) {
            return Some(word.text.clone());
        }
        unknown(word, fields, errors);
        return None;
    };
    if found.flatten {
        let problem = format!("`{}` is flattened and therefore not a property", word.text);
        errors.at(&word.token, problem);
    } else if found.required {
        let problem = format!(
            "`{}` is required, but one-of fields must be optional",
            word.text
        );
        let help = "use `Option`, or add `#[kb(optional)]`";
        errors.at_with_help(&word.token, problem, help);
    }
    Some(found.name.clone())
}

fn unknown(word: &Word, fields: &[FieldName], errors: &mut Errors) {
    let problem = format!("no field `{}` on this type", word.text);
    let names: Vec<String> = fields
        .iter()
        .filter_map(|field| match &field.ident {
            _ if word.quoted => Some(field.name.clone()),
            Some(ident) => Some(ident.unraw().to_string()),
            None => None,
        })
        .collect();
    match did_you_mean(&word.text, names.iter().map(String::as_str)) {
        Some(help) => errors.at_with_help(&word.token, problem, help),
        None => errors.at(&word.token, problem),
    }
}
