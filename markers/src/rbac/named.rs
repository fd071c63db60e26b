//! Named arguments: `groups = "apps", resources = "deployments", verbs = "get;list"`.
//!
//! A list is a string with `;` as separator, or an array of strings.

use kb_model::rbac::Argument;
use syn::parse::ParseStream;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Ident, LitStr, Token, bracketed, token};

use super::rule::{Part, RbacRule};
use crate::attribute::{self, KnownArgument};
use crate::errors::{Errors, error_with_help};

pub(super) const KNOWN: &[KnownArgument] = &[
    ("groups", r#"groups = "apps""#),
    (
        "resources",
        r#"resources = "deployments;deployments/status""#,
    ),
    ("resource_names", r#"resource_names = "settings""#),
    ("verbs", r#"verbs = "get;list;watch""#),
    ("urls", r#"urls = "/metrics""#),
    ("namespace", r#"namespace = "shop-system""#),
    ("role_name", r#"role_name = "secret-reader""#),
    ("reason", r#"reason = "Deployments are watched.""#),
];

/// Returns the argument with this name.
pub(super) fn known(name: &str) -> Option<Argument> {
    Argument::ALL.into_iter().find(|known| known.name() == name)
}

/// Parses all arguments.
pub(super) fn read(input: ParseStream, owner: &Ident, rule: &mut RbacRule, errors: &mut Errors) {
    attribute::named(input, owner, KNOWN, errors, &mut |name, argument| {
        known(name).map_or(Ok(()), |which| rule.take(which, argument))
    });
}

impl RbacRule {
    /// Parses the value of an argument.
    pub(super) fn take(
        &mut self,
        which: Argument,
        argument: &attribute::Argument,
    ) -> syn::Result<()> {
        let rule = &mut self.rule;
        let texts = match which {
            Argument::Groups => list(which, argument, &mut rule.groups)?,
            Argument::Resources => list(which, argument, &mut rule.resources)?,
            Argument::ResourceNames => list(which, argument, &mut rule.resource_names)?,
            Argument::Verbs => list(which, argument, &mut rule.verbs)?,
            Argument::Urls => list(which, argument, &mut rule.urls)?,
            Argument::Namespace => text(argument, &mut rule.namespace)?,
            Argument::RoleName => text(argument, &mut rule.role_name)?,
            Argument::Reason => text(argument, &mut rule.reason)?,
        };
        self.parts.push(Part {
            argument: which,
            whole: argument.name.span(),
            entries: texts.iter().map(Spanned::span).collect(),
        });
        Ok(())
    }
}

/// `= "text"`.
fn text(argument: &attribute::Argument, to: &mut Option<String>) -> syn::Result<Vec<LitStr>> {
    let text = argument.text()?;
    *to = Some(text.value());
    Ok(vec![text])
}

/// `= "a;b"` or `= ["a", "b"]`.
fn list(
    which: Argument,
    argument: &attribute::Argument,
    to: &mut Vec<String>,
) -> syn::Result<Vec<LitStr>> {
    argument.equals()?;
    if argument.input.peek(token::Bracket) {
        let content;
        bracketed!(content in argument.input);
        let texts = Punctuated::<LitStr, Token![,]>::parse_terminated(&content)?;
        to.extend(texts.iter().map(|text| text.value().trim().to_owned()));
        return Ok(texts.into_iter().collect());
    }
    if !argument.input.peek(LitStr) {
        return Err(argument.usage_error(&format!("`{which}` expects a string")));
    }
    let text: LitStr = argument.input.parse()?;
    to.extend(text.value().split(';').map(|entry| entry.trim().to_owned()));
    // An empty string alone is the core group. Among others it is likely a stray `;`, which would grant too much.
    if which == Argument::Groups && to.len() > 1 && to.iter().any(String::is_empty) {
        let problem = "empty entry in `groups`";
        let help = "use `core` for the core group";
        return Err(error_with_help(text, problem, help));
    }
    Ok(vec![text; to.len()])
}
