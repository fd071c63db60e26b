//! Parsers of structured marker values.

use kb_model::api::{Column, ExternalDocs, ListType, MapType, OneOfKind, ScalePart, SchemaType};
use syn::bracketed;
use syn::{LitStr, token};

use super::parsed::{ParsedMarkers, Place, Selected};
use super::read::read_list;
use super::{format, pattern, rule};
use crate::attribute::{Argument, Known, Word, end, named, skip};
use crate::did_you_mean::did_you_mean;
use crate::errors::{Errors, helped};
use crate::json_literal;

type Read = syn::Result<()>;

pub(super) fn pattern(
    markers: &mut ParsedMarkers,
    argument: &Argument,
    errors: &mut Errors,
) -> Read {
    let text = argument.text()?;
    errors.take(pattern::check(&text));
    markers.plain_mut().pattern = Some(text.value());
    Ok(())
}

pub(super) fn format(
    markers: &mut ParsedMarkers,
    argument: &Argument,
    errors: &mut Errors,
) -> Read {
    let text = argument.text()?;
    errors.take(format::check(&text));
    markers.plain_mut().format = Some(text.value());
    Ok(())
}

pub(super) fn lossy(markers: &mut ParsedMarkers, argument: &Argument, errors: &mut Errors) -> Read {
    let reason = argument.text()?;
    if reason.value().trim().is_empty() {
        let help = "explain why objects can lose this field in the other version";
        errors.helped(&reason, "`lossy` requires a reason", help);
    }
    markers.lossy = Some(reason.value());
    Ok(())
}

pub(super) fn enum_values(
    markers: &mut ParsedMarkers,
    argument: &Argument,
    errors: &mut Errors,
) -> Read {
    argument.equals()?;
    if !argument.input.peek(token::Bracket) {
        return Err(argument.wrong("`enum` expects a list"));
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

pub(super) fn example(markers: &mut ParsedMarkers, argument: &Argument, _: &mut Errors) -> Read {
    argument.equals()?;
    markers.plain_mut().example = Some(json_literal::value(argument.input)?);
    Ok(())
}

pub(super) fn external_docs(
    markers: &mut ParsedMarkers,
    argument: &Argument,
    errors: &mut Errors,
) -> Read {
    const KNOWN: &[Known] = &[
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
        return Err(helped(argument.name, problem, help));
    };
    if !is_address(&url.value()) {
        let problem = format!("invalid URL {:?}", url.value());
        errors.helped(
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
fn is_address(text: &str) -> bool {
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
    Err(helped(&word.token, problem, help))
}

pub(super) fn schema_type(
    markers: &mut ParsedMarkers,
    argument: &Argument,
    _: &mut Errors,
) -> Read {
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

pub(super) fn list_type(markers: &mut ParsedMarkers, argument: &Argument, _: &mut Errors) -> Read {
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
) -> Read {
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

pub(super) fn map_type(markers: &mut ParsedMarkers, argument: &Argument, _: &mut Errors) -> Read {
    let known = [("atomic", MapType::Atomic), ("granular", MapType::Granular)];
    markers.plain_mut().map_type = Some(choose(argument, &argument.word()?, &known)?);
    Ok(())
}

pub(super) fn items(markers: &mut ParsedMarkers, argument: &Argument, errors: &mut Errors) -> Read {
    markers.items = Some(Box::new(element(argument, errors)?));
    Ok(())
}

pub(super) fn values(
    markers: &mut ParsedMarkers,
    argument: &Argument,
    errors: &mut Errors,
) -> Read {
    markers.values = Some(Box::new(element(argument, errors)?));
    Ok(())
}

fn element(argument: &Argument, errors: &mut Errors) -> syn::Result<ParsedMarkers> {
    let mut markers = ParsedMarkers::new(Place::Element);
    read_list(&argument.list()?, &mut markers, errors);
    Ok(markers)
}

pub(super) fn cel(markers: &mut ParsedMarkers, argument: &Argument, errors: &mut Errors) -> Read {
    let rule = rule::read(argument, errors)?;
    markers.plain_mut().rules.extend(rule);
    Ok(())
}

pub(super) fn at_most_one_of(
    markers: &mut ParsedMarkers,
    argument: &Argument,
    errors: &mut Errors,
) -> Read {
    selected(OneOfKind::AtMostOne, markers, argument, errors)
}

pub(super) fn exactly_one_of(
    markers: &mut ParsedMarkers,
    argument: &Argument,
    errors: &mut Errors,
) -> Read {
    selected(OneOfKind::ExactlyOne, markers, argument, errors)
}

pub(super) fn at_least_one_of(
    markers: &mut ParsedMarkers,
    argument: &Argument,
    errors: &mut Errors,
) -> Read {
    selected(OneOfKind::AtLeastOne, markers, argument, errors)
}

fn selected(
    kind: OneOfKind,
    markers: &mut ParsedMarkers,
    argument: &Argument,
    errors: &mut Errors,
) -> Read {
    let content = argument.list()?;
    let mut fields = Vec::new();
    while !content.is_empty() {
        let word = Word::read(&content).ok_or_else(|| content.error("expected a field name"));
        let outcome = word.and_then(|word| {
            fields.push(word);
            end(&content)
        });
        if errors.take(outcome).is_none() {
            skip(&content);
        }
    }
    if fields.is_empty() {
        let problem = format!("`{}` requires field names", argument.name);
        let help = format!("use `{}`", argument.usage);
        errors.helped(argument.name, problem, help);
    }
    markers.selected.push(Selected {
        kind,
        marker: argument.name.clone(),
        fields,
    });
    Ok(())
}

pub(super) fn default(markers: &mut ParsedMarkers, argument: &Argument, _: &mut Errors) -> Read {
    argument.equals()?;
    markers.default = Some(argument.input.parse()?);
    Ok(())
}

pub(super) fn column(
    markers: &mut ParsedMarkers,
    argument: &Argument,
    errors: &mut Errors,
) -> Read {
    const KNOWN: &[Known] = &[
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
                    "name" => column.name = Some(filled(&value.text()?)?),
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
pub(crate) fn filled(text: &LitStr) -> syn::Result<String> {
    match text.value() {
        empty if empty.trim().is_empty() => {
            Err(syn::Error::new_spanned(text, "string must not be empty"))
        }
        filled => Ok(filled),
    }
}

pub(super) fn scale(markers: &mut ParsedMarkers, argument: &Argument, _: &mut Errors) -> Read {
    let content = argument.list()?;
    let Some(word) = Word::read(&content) else {
        return Err(argument.wrong("`scale` expects `replicas` or `selector`"));
    };
    end(&content)?;
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
