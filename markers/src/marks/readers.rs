//! Parsers of structured marker values.

use kb_model::api::{Column, ExternalDocs, ListType, MapType, OneOfKind, ScalePart, SchemaType};
use syn::bracketed;
use syn::{LitStr, token};

use super::parsed::{OneOfRule, ParsedMarkers, Target};
use super::read::read_list;
use super::{format, pattern, rule};
use crate::attribute::{Argument, KnownArgument, Word, expect_comma, named, skip_to_comma};
use crate::did_you_mean::did_you_mean;
use crate::errors::{Errors, error_with_help};
use crate::json_literal;

type ReadResult = syn::Result<()>;

pub(super) fn pattern(
    markers: &mut ParsedMarkers,
    argument: &Argument,
    errors: &mut Errors,
) -> ReadResult {
    let text = argument.text()?;
    errors.take(pattern::check(&text));
    markers.plain_mut().pattern = Some(text.value());
    Ok(())
}

pub(super) fn format(
    markers: &mut ParsedMarkers,
    argument: &Argument,
    errors: &mut Errors,
) -> ReadResult {
    let text = argument.text()?;
    errors.take(format::check(&text));
    markers.plain_mut().format = Some(text.value());
    Ok(())
}

pub(super) fn lossy(
    markers: &mut ParsedMarkers,
    argument: &Argument,
    errors: &mut Errors,
) -> ReadResult {
    let reason = argument.text()?;
    if reason.value().trim().is_empty() {
        let help = "explain why objects can lose this field in the other version";
        errors.at_with_help(&reason, "`lossy` requires a reason", help);
    }
    markers.lossy = Some(reason.value());
    Ok(())
}

pub(super) fn enum_values(
    markers: &mut ParsedMarkers,
    argument: &Argument,
    errors: &mut Errors,
) -> ReadResult {
    argument.equals()?;
    if !argument.input.peek(token::Bracket) {
        return Err(argument.usage_error("`enum` expects a list"));
    }
    let content;
    let bracket = bracketed!(content in argument.input);
    let values = json_literal::list(&content)?;
    if values.is_empty() {
        errors.push(syn::Error::new(
            bracket.span.join(),
            "`enum` requires at least one value",
        ));
    }
    markers.plain_mut().enum_values = values;
    Ok(())
}

pub(super) fn example(
    markers: &mut ParsedMarkers,
    argument: &Argument,
    _: &mut Errors,
) -> ReadResult {
    argument.equals()?;
    markers.plain_mut().example = Some(json_literal::value(argument.input)?);
    Ok(())
}

pub(super) fn external_docs(
    markers: &mut ParsedMarkers,
    argument: &Argument,
    errors: &mut Errors,
) -> ReadResult {
    const KNOWN: &[KnownArgument] = &[
        ("url", r#"url = "https://..""#),
        ("description", r#"description = "text""#),
    ];
    let mut url = None;
    let mut description = None;
    if argument.input.peek(token::Paren) {
        let content = argument.list()?;
        named(
            &content,
            argument.name,
            KNOWN,
            errors,
            &mut |name, value| {
                let text = value.text()?;
                match name {
                    "url" => url = Some(text),
                    _ => description = Some(text.value()),
                }
                Ok(())
            },
        );
    } else {
        url = Some(argument.text()?);
    }
    let Some(url) = url else {
        let problem = "`external_docs` requires a URL";
        let help = format!("use `{}`", argument.usage);
        return Err(error_with_help(argument.name, problem, help));
    };
    if !is_url(&url.value()) {
        let problem = format!("invalid URL {:?}", url.value());
        errors.at_with_help(
            &url,
            problem,
            "use a URL such as `https://example.com/docs`",
        );
    }
    markers.plain_mut().external_docs = Some(ExternalDocs {
        url: url.value(),
        description,
    });
    Ok(())
}

/// Returns whether a string looks like a URL: a scheme, and no characters that need escaping.
fn is_url(text: &str) -> bool {
    let scheme = text.split_once(':').map_or("", |(scheme, _)| scheme);
    scheme.starts_with(|any: char| any.is_ascii_alphabetic())
        && scheme
            .chars()
            .all(|any| any.is_ascii_alphanumeric() || "+-.".contains(any))
        && text.len() > scheme.len() + 1
        && !text.contains(|any: char| any.is_whitespace() || any.is_control())
}

/// Parses one of several words, with a suggestion for unknown ones.
pub(crate) fn choose<T: Copy>(
    argument: &Argument,
    word: &Word,
    known: &[(&'static str, T)],
) -> syn::Result<T> {
    if let Some((_, value)) = known.iter().find(|(name, _)| *name == word.text) {
        return Ok(*value);
    }
    let names = || known.iter().map(|(name, _)| *name);
    let help = did_you_mean(&word.text, names()).unwrap_or_else(|| {
        let all: Vec<String> = names().map(|name| format!("`{name}`")).collect();
        format!("expected one of {}", all.join(", "))
    });
    let problem = format!("invalid value `{1}` for `{0}`", argument.name, word.text);
    Err(error_with_help(&word.token, problem, help))
}

pub(super) fn schema_type(
    markers: &mut ParsedMarkers,
    argument: &Argument,
    _: &mut Errors,
) -> ReadResult {
    let known = [
        ("array", SchemaType::Array),
        ("boolean", SchemaType::Boolean),
        ("integer", SchemaType::Integer),
        ("number", SchemaType::Number),
        ("object", SchemaType::Object),
        ("string", SchemaType::String),
    ];
    markers.plain_mut().schema_type = Some(choose(argument, &argument.word()?, &known)?);
    Ok(())
}

pub(super) fn list_type(
    markers: &mut ParsedMarkers,
    argument: &Argument,
    _: &mut Errors,
) -> ReadResult {
    let known = [
        ("atomic", ListType::Atomic),
        ("map", ListType::Map),
        ("set", ListType::Set),
    ];
    markers.plain_mut().list_type = Some(choose(argument, &argument.word()?, &known)?);
    Ok(())
}

pub(super) fn list_map_key(
    markers: &mut ParsedMarkers,
    argument: &Argument,
    errors: &mut Errors,
) -> ReadResult {
    let key = argument.text()?;
    let keys = &mut markers.plain_mut().list_map_keys;
    if key.value().is_empty() {
        errors.at(&key, "key must not be empty");
    } else if keys.contains(&key.value()) {
        errors.at(&key, format!("duplicate key `{}`", key.value()));
    } else {
        keys.push(key.value());
    }
    Ok(())
}

pub(super) fn map_type(
    markers: &mut ParsedMarkers,
    argument: &Argument,
    _: &mut Errors,
) -> ReadResult {
    let known = [("atomic", MapType::Atomic), ("granular", MapType::Granular)];
    markers.plain_mut().map_type = Some(choose(argument, &argument.word()?, &known)?);
    Ok(())
}

pub(super) fn items(
    markers: &mut ParsedMarkers,
    argument: &Argument,
    errors: &mut Errors,
) -> ReadResult {
    markers.items = Some(Box::new(element(argument, errors)?));
    Ok(())
}

pub(super) fn values(
    markers: &mut ParsedMarkers,
    argument: &Argument,
    errors: &mut Errors,
) -> ReadResult {
    markers.values = Some(Box::new(element(argument, errors)?));
    Ok(())
}

fn element(argument: &Argument, errors: &mut Errors) -> syn::Result<ParsedMarkers> {
    let mut markers = ParsedMarkers::new(Target::Element);
    read_list(&argument.list()?, &mut markers, errors);
    Ok(markers)
}

pub(super) fn cel(
    markers: &mut ParsedMarkers,
    argument: &Argument,
    errors: &mut Errors,
) -> ReadResult {
    let rule = rule::read(argument, errors)?;
    markers.plain_mut().rules.extend(rule);
    Ok(())
}

pub(super) fn at_most_one_of(
    markers: &mut ParsedMarkers,
    argument: &Argument,
    errors: &mut Errors,
) -> ReadResult {
    one_of(OneOfKind::AtMostOne, markers, argument, errors)
}

pub(super) fn exactly_one_of(
    markers: &mut ParsedMarkers,
    argument: &Argument,
    errors: &mut Errors,
) -> ReadResult {
    one_of(OneOfKind::ExactlyOne, markers, argument, errors)
}

pub(super) fn at_least_one_of(
    markers: &mut ParsedMarkers,
    argument: &Argument,
    errors: &mut Errors,
) -> ReadResult {
    one_of(OneOfKind::AtLeastOne, markers, argument, errors)
}

fn one_of(
    kind: OneOfKind,
    markers: &mut ParsedMarkers,
    argument: &Argument,
    errors: &mut Errors,
) -> ReadResult {
    let content = argument.list()?;
    let mut fields = Vec::new();
    while !content.is_empty() {
        let word = Word::read(&content).ok_or_else(|| content.error("expected a field name"));
        let outcome = word.and_then(|word| {
            fields.push(word);
            expect_comma(&content)
        });
        if errors.take(outcome).is_none() {
            skip_to_comma(&content);
        }
    }
    if fields.is_empty() {
        let problem = format!("`{}` requires field names", argument.name);
        let help = format!("use `{}`", argument.usage);
        errors.at_with_help(argument.name, problem, help);
    }
    markers.one_of_rules.push(OneOfRule {
        kind,
        marker: argument.name.clone(),
        fields,
    });
    Ok(())
}

pub(super) fn default(
    markers: &mut ParsedMarkers,
    argument: &Argument,
    _: &mut Errors,
) -> ReadResult {
    argument.equals()?;
    markers.default = Some(argument.input.parse()?);
    Ok(())
}

pub(super) fn column(
    markers: &mut ParsedMarkers,
    argument: &Argument,
    errors: &mut Errors,
) -> ReadResult {
    const KNOWN: &[KnownArgument] = &[
        ("name", r#"name = "Ready""#),
        ("description", r#"description = "text""#),
        ("format", r#"format = "int32""#),
        ("priority", "priority = 1"),
    ];
    let mut column = Column::default();
    if argument.input.peek(token::Paren) {
        let content = argument.list()?;
        named(
            &content,
            argument.name,
            KNOWN,
            errors,
            &mut |name, value| {
                match name {
                    "name" => column.name = Some(non_empty(&value.text()?)?),
                    "description" => column.description = Some(value.text()?.value()),
                    "format" => column.format = Some(column_format(value)?),
                    _ => column.priority = Some(priority(value)?),
                }
                Ok(())
            },
        );
        markers.columns.push(column);
    } else if argument.flag()? {
        markers.columns.push(column);
    }
    Ok(())
}

/// Parses the format of a printer column.
pub(crate) fn column_format(argument: &Argument) -> syn::Result<String> {
    let known = [
        "int32",
        "int64",
        "float",
        "double",
        "byte",
        "date",
        "date-time",
        "password",
    ];
    let known = known.map(|name| (name, name));
    choose(argument, &argument.word()?, &known).map(str::to_owned)
}

/// Parses the priority of a printer column.
pub(crate) fn priority(argument: &Argument) -> syn::Result<i32> {
    let priority = argument.unsigned()?;
    i32::try_from(priority)
        .map_err(|_| syn::Error::new_spanned(argument.name, "priority out of range"))
}

/// Parses a non-empty string.
pub(crate) fn non_empty(text: &LitStr) -> syn::Result<String> {
    match text.value() {
        empty if empty.trim().is_empty() => {
            Err(syn::Error::new_spanned(text, "string must not be empty"))
        }
        non_empty => Ok(non_empty),
    }
}

pub(super) fn scale(
    markers: &mut ParsedMarkers,
    argument: &Argument,
    _: &mut Errors,
) -> ReadResult {
    let content = argument.list()?;
    let Some(word) = Word::read(&content) else {
        return Err(argument.usage_error("`scale` expects `replicas` or `selector`"));
    };
    expect_comma(&content)?;
    let known = [
        ("replicas", ScalePart::Replicas),
        ("selector", ScalePart::Selector),
    ];
    markers.scale = Some(choose(argument, &word, &known)?);
    if content.is_empty() {
        Ok(())
    } else {
        Err(content.error("`scale` on a field takes one argument"))
    }
}
