//! CEL rules: `cel("self.a < self.b", message = "a must be below b")`.
//!
//! The API server checks the expression. Its rules for the other arguments are checked here.

use kb_model::api::{Reason, Rule};
use syn::LitStr;

use super::readers::choose;
use crate::attribute::{Argument, KnownArgument, expect_comma, named};
use crate::errors::{Errors, error_with_help};

const KNOWN: &[KnownArgument] = &[
    ("rule", r#"rule = "self.a < self.b""#),
    ("message", r#"message = "a must be below b""#),
    (
        "message_expression",
        r#"message_expression = "'at most ' + string(self.b)""#,
    ),
    ("reason", r#"reason = "FieldValueInvalid""#),
    ("field_path", r#"field_path = ".a""#),
    ("optional_old_self", "optional_old_self"),
];

const REASONS: [(&str, Reason); 4] = [
    ("FieldValueInvalid", Reason::FieldValueInvalid),
    ("FieldValueForbidden", Reason::FieldValueForbidden),
    ("FieldValueRequired", Reason::FieldValueRequired),
    ("FieldValueDuplicate", Reason::FieldValueDuplicate),
];

/// Parses a rule, or returns `None` after reporting errors.
pub(super) fn read(argument: &Argument, errors: &mut Errors) -> syn::Result<Option<Rule>> {
    let content = argument.list()?;
    let before = errors.count();
    let mut rule: Option<LitStr> = None;
    if content.peek(LitStr) {
        rule = Some(content.parse()?);
        expect_comma(&content)?;
    }
    let mut parts = empty();
    let mut message: Option<LitStr> = None;
    named(
        &content,
        argument.name,
        KNOWN,
        errors,
        &mut |name, value| {
            match name {
                "rule" if rule.is_some() => {
                    return Err(syn::Error::new_spanned(
                        value.name,
                        "duplicate argument `rule`",
                    ));
                }
                "rule" => rule = Some(value.text()?),
                "message" => message = Some(value.text()?),
                "message_expression" => parts.message_expression = Some(non_empty(value)?),
                "reason" => parts.reason = Some(choose(value, &value.word()?, &REASONS)?),
                "field_path" => parts.field_path = Some(field_path(value)?),
                _ => parts.optional_old_self = Some(value.flag()?),
            }
            Ok(())
        },
    );
    let Some(rule) = rule else {
        if errors.count() > before {
            return Ok(None);
        }
        let help = format!("use `{}`", argument.usage);
        return Err(error_with_help(
            argument.name,
            "`cel` requires a rule",
            help,
        ));
    };
    if rule.value().trim().is_empty() {
        errors.at(&rule, "rule must not be empty");
    }
    check_lines(&rule, message.as_ref(), errors);
    parts.rule = rule.value();
    parts.message = message.map(|message| message.value());
    Ok(Some(parts))
}

fn empty() -> Rule {
    Rule {
        rule: String::new(),
        message: None,
        message_expression: None,
        reason: None,
        field_path: None,
        optional_old_self: None,
    }
}

fn non_empty(value: &Argument) -> syn::Result<String> {
    super::readers::non_empty(&value.text()?)
}

fn field_path(value: &Argument) -> syn::Result<String> {
    let path = value.text()?;
    if path.value().starts_with(['.', '[']) {
        return Ok(path.value());
    }
    let help = format!("use `field_path = \".{}\"`", path.value());
    Err(error_with_help(
        path,
        "field path must start with a dot",
        help,
    ))
}

/// The API server shows the rule if there is no message, so a multi-line rule needs one. Messages are single-line.
fn check_lines(rule: &LitStr, message: Option<&LitStr>, errors: &mut Errors) {
    let has_lines = |text: &LitStr| text.value().contains(['\n', '\r']);
    match message {
        None if has_lines(rule) => errors.at_with_help(
            rule,
            "a multi-line rule requires a message",
            "add `message = \"..\"`",
        ),
        Some(message) if has_lines(message) => errors.at(message, "message must be a single line"),
        Some(message) if message.value().trim().is_empty() => {
            errors.at(message, "message must not be empty");
        }
        _ => {}
    }
}
