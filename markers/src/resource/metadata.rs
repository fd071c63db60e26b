//! Parses annotations and labels, `annotations("KEY" = "VALUE")`, with the API server's rules.

use syn::parse::ParseStream;
use syn::{LitStr, Token};

use crate::attribute::{Argument, expect_comma, skip_to_comma};
use crate::errors::Errors;

type Pairs = Vec<(String, String)>;

/// Parses annotations, whose values are arbitrary strings.
pub(super) fn annotations(
    argument: &Argument,
    to: &mut Pairs,
    errors: &mut Errors,
) -> syn::Result<()> {
    pairs(argument, to, errors, |_| Ok(()))
}

/// Parses labels.
pub(super) fn labels(argument: &Argument, to: &mut Pairs, errors: &mut Errors) -> syn::Result<()> {
    pairs(argument, to, errors, |value| {
        if value.value().is_empty() || is_name(&value.value()) {
            return Ok(());
        }
        let problem = "a label value must be at most 63 letters, digits, '-', '_' and '.', starting and ending with a letter or digit";
        Err(syn::Error::new_spanned(value, problem))
    })
}

fn pairs(
    argument: &Argument,
    to: &mut Pairs,
    errors: &mut Errors,
    check: fn(&LitStr) -> syn::Result<()>,
) -> syn::Result<()> {
    let content = argument.list()?;
    while !content.is_empty() {
        let outcome = pair(argument, &content).and_then(|(key, value)| {
            errors.take(check_key(&key));
            errors.take(check(&value));
            if to.iter().any(|(known, _)| *known == key.value()) {
                errors.at(&key, format!("duplicate key `{}`", key.value()));
            }
            to.push((key.value(), value.value()));
            expect_comma(&content)
        });
        if errors.take(outcome).is_none() {
            skip_to_comma(&content);
        }
    }
    Ok(())
}

fn pair(argument: &Argument, input: ParseStream) -> syn::Result<(LitStr, LitStr)> {
    let pair = |input: ParseStream| {
        let key: LitStr = input.parse()?;
        input.parse::<Token![=]>()?;
        Ok((key, input.parse::<LitStr>()?))
    };
    pair(input).map_err(|error: syn::Error| {
        let help = format!("use `{}`", argument.usage);
        let problem = "expected `\"KEY\" = \"VALUE\"`";
        syn::Error::new(error.span(), format!("{problem}\nhelp: {help}"))
    })
}

/// Checks a key: `NAME` or `DOMAIN/NAME`.
fn check_key(key: &LitStr) -> syn::Result<()> {
    let text = key.value();
    let (domain, name) = text.split_once('/').unwrap_or(("example.com", &text));
    let is_domain = domain.len() <= 253 && domain.parse::<kb_model::Domain>().is_ok();
    if is_domain && is_name(name) {
        return Ok(());
    }
    let problem = format!("invalid key {text:?}");
    let help = "use at most 63 letters, digits, '-', '_' and '.', optionally with a domain as prefix: `example.com/name`";
    Err(syn::Error::new_spanned(
        key,
        format!("{problem}\nhelp: {help}"),
    ))
}

fn is_name(text: &str) -> bool {
    let inner = |c: char| c.is_ascii_alphanumeric() || ['-', '_', '.'].contains(&c);
    let outer = |c: char| c.is_ascii_alphanumeric();
    text.len() <= 63 && text.starts_with(outer) && text.ends_with(outer) && text.chars().all(inner)
}
