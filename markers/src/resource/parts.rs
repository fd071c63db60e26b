//! Parsers of structured arguments: names, columns, scale.

use std::str::FromStr;

use kb_model::api::{ScalePaths, TypeColumn};
use kb_model::{Kind, NameError, Plural};
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{LitStr, Token, Type, bracketed, token};

use crate::attribute::{Argument, KnownArgument, named};
use crate::errors::{Errors, error_with_help};
use crate::marks::{choose, column_format, non_empty, priority};

/// Parses a name of the model.
pub(super) fn name<T: FromStr<Err = NameError>>(text: &LitStr) -> syn::Result<T> {
    text.value()
        .parse()
        .map_err(|error: NameError| error_with_help(text, &error, error.help()))
}

/// Parses a name of the model with its position.
pub(super) fn name_and_token<T: FromStr<Err = NameError>>(
    argument: &Argument,
) -> syn::Result<(T, LitStr)> {
    let text = argument.text()?;
    Ok((name(&text)?, text))
}

/// Parses a name used by kubectl, which follows the rules of plurals.
pub(super) fn label(what: &str, text: &LitStr) -> syn::Result<String> {
    match text.value().parse::<Plural>() {
        Ok(name) => Ok(name.into()),
        Err(error) => {
            let problem = format!("{what} {:?} {}", error.value(), error.problem());
            Err(error_with_help(text, problem, error.help()))
        }
    }
}

/// Parses the list kind, which follows the rules of kinds.
pub(super) fn list_kind(text: &LitStr) -> syn::Result<String> {
    match text.value().parse::<Kind>() {
        Ok(kind) => Ok(kind.into()),
        Err(error) => {
            let problem = format!("list kind {:?} {}", error.value(), error.problem());
            Err(error_with_help(text, problem, error.help()))
        }
    }
}

/// `= ["a", "b"]`.
pub(super) fn labels(
    what: &str,
    argument: &Argument,
    to: &mut Vec<String>,
    errors: &mut Errors,
) -> syn::Result<()> {
    argument.equals()?;
    if !argument.input.peek(token::Bracket) {
        return Err(argument.usage_error(&format!("`{}` expects a list", argument.name)));
    }
    let content;
    bracketed!(content in argument.input);
    for text in Punctuated::<LitStr, Token![,]>::parse_terminated(&content)? {
        if let Some(name) = errors.take(label(what, &text)) {
            add(to, name, &text, errors);
        }
    }
    Ok(())
}

/// Adds a name, unless it is a duplicate.
pub(super) fn add(names: &mut Vec<String>, name: String, at: impl ToTokens, errors: &mut Errors) {
    if names.contains(&name) {
        errors.at(at, format!("duplicate `{name}`"));
    } else {
        names.push(name);
    }
}

/// `= Type`.
pub(super) fn status(argument: &Argument) -> syn::Result<Type> {
    argument.equals()?;
    if let Ok(text) = argument.input.fork().parse::<LitStr>() {
        let help = format!("use `status = {}`", text.value());
        return Err(error_with_help(
            text,
            "expected a type, found a string",
            help,
        ));
    }
    match argument.input.parse()? {
        Type::Path(path) => Ok(Type::Path(path)),
        other => Err(error_with_help(
            other,
            "expected a struct as status",
            format_args!("use `{}`", argument.usage),
        )),
    }
}

/// `scale(spec_replicas = .., status_replicas = .., selector = ..)`.
pub(super) fn scale(argument: &Argument, errors: &mut Errors) -> syn::Result<Option<ScalePaths>> {
    const KNOWN: &[KnownArgument] = &[
        ("spec_replicas", r#"spec_replicas = ".spec.replicas""#),
        ("status_replicas", r#"status_replicas = ".status.replicas""#),
        ("selector", r#"selector = ".status.selector""#),
    ];
    let content = argument.list()?;
    let (mut spec, mut status, mut selector) = (None, None, None);
    let before = errors.count();
    named(
        &content,
        argument.name,
        KNOWN,
        errors,
        &mut |name, value| {
            let text = value.text()?;
            match name {
                "spec_replicas" => spec = Some(path_under(&text, &[".spec."])?),
                "status_replicas" => status = Some(path_under(&text, &[".status."])?),
                _ => selector = Some(path_under(&text, &[".status.", ".spec."])?),
            }
            Ok(())
        },
    );
    if errors.count() > before {
        return Ok(None);
    }
    let (Some(spec_replicas), Some(status_replicas)) = (spec, status) else {
        let problem = "`scale` requires `spec_replicas` and `status_replicas`";
        let help = format!("use `{}`", argument.usage);
        return Err(error_with_help(argument.name, problem, help));
    };
    Ok(Some(ScalePaths {
        spec_replicas,
        status_replicas,
        selector,
    }))
}

fn path_under(text: &LitStr, roots: &[&str]) -> syn::Result<String> {
    let path = text.value();
    if roots.iter().any(|root| path.starts_with(root)) && !path.contains('[') {
        return Ok(path);
    }
    let roots: Vec<String> = roots.iter().map(|root| format!("`{root}`")).collect();
    let problem = format!(
        "path must start with {} and have no indices",
        roots.join(" or ")
    );
    Err(syn::Error::new_spanned(text, problem))
}

/// `column(name = .., type = .., json_path = ..)`.
pub(super) fn column(argument: &Argument, errors: &mut Errors) -> syn::Result<Option<TypeColumn>> {
    const KNOWN: &[KnownArgument] = &[
        ("name", r#"name = "Age""#),
        ("type", r#"type = "date""#),
        ("json_path", r#"json_path = ".metadata.creationTimestamp""#),
        ("description", r#"description = "text""#),
        ("format", r#"format = "int32""#),
        ("priority", "priority = 1"),
    ];
    const TYPES: [(&str, &str); 5] = [
        ("boolean", "boolean"),
        ("date", "date"),
        ("integer", "integer"),
        ("number", "number"),
        ("string", "string"),
    ];
    let content = argument.list()?;
    let (mut heading, mut column_type, mut json_path) = (None, None, None);
    let (mut description, mut format, mut rank) = (None, None, None);
    let before = errors.count();
    named(
        &content,
        argument.name,
        KNOWN,
        errors,
        &mut |name, value| {
            match name {
                "name" => heading = Some(non_empty(&value.text()?)?),
                "type" => column_type = Some(choose(value, &value.word()?, &TYPES)?),
                "json_path" => json_path = Some(json_path_of(&value.text()?)?),
                "description" => description = Some(value.text()?.value()),
                "format" => format = Some(column_format(value)?),
                _ => rank = Some(priority(value)?),
            }
            Ok(())
        },
    );
    if errors.count() > before {
        return Ok(None);
    }
    let (Some(name), Some(column_type), Some(json_path)) = (heading, column_type, json_path) else {
        let problem = "`column` requires `name`, `type` and `json_path`";
        let help = format!("use `{}`, or `#[kb(column)]` on the field", argument.usage);
        return Err(error_with_help(argument.name, problem, help));
    };
    Ok(Some(TypeColumn {
        name,
        column_type: column_type.to_owned(),
        json_path,
        description,
        format,
        priority: rank,
    }))
}

fn json_path_of(text: &LitStr) -> syn::Result<String> {
    let path = non_empty(text)?;
    if path.starts_with('.') {
        return Ok(path);
    }
    let help = format!("use `.{path}`");
    Err(error_with_help(
        text,
        "JSON path must start with a dot",
        help,
    ))
}
