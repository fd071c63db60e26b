//! The compact form: `"apps/deployments": get, list, reason = "to read Deployments"`.
//!
//! It is not a list of meta items, so rustfmt keeps it on one line. Parsing continues after every error, with what was likely meant, so that all
//! errors are reported together.

use kb_model::rbac::{Argument, Subject};
use proc_macro2::{Span, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Ident, LitStr, Token};

use super::named::{self, KNOWN};
use super::rule::{Part, RbacRule};
use crate::attribute::{self, KnownArgument};
use crate::errors::{Errors, error_with_help};

/// Arguments that the subject and the verbs replace.
const REPLACED: [Argument; 4] = [
    Argument::Groups,
    Argument::Resources,
    Argument::Verbs,
    Argument::Urls,
];

const SEPARATE: &str = "separate verbs with `,`";

/// Returns whether the arguments are in the compact form, even if they are not well-formed.
pub(super) fn is_compact(input: ParseStream) -> bool {
    input.peek(LitStr) || is_unquoted(input) || late_subject(input).is_some()
}

/// Parses a rule. After errors in its subject, the rule is only good for checking the other parts.
pub(super) fn read(
    input: ParseStream,
    owner: &Ident,
    rule: &mut RbacRule,
    errors: &mut Errors,
) -> syn::Result<()> {
    let literal = literal(input, errors)?;
    let subject = literal.value().parse();
    rule.set_subject(subject.as_ref().ok(), &literal);
    if let Err(problem) = subject {
        errors.at_with_help(&literal, &problem.message, &problem.help);
    }
    let mut verbs = Verbs {
        literal,
        words: Vec::new(),
        has_named: false,
    };
    verbs.colon(input, errors);
    verbs.read(input, errors);
    let known: Vec<KnownArgument> = KNOWN
        .iter()
        .filter(|(name, _)| !REPLACED.iter().any(|replaced| replaced.name() == *name))
        .copied()
        .collect();
    attribute::named_or(
        input,
        &known,
        errors,
        &mut |name, input| {
            let error = verbs.unexpected(name, input);
            error.unwrap_or_else(|| attribute::unknown_argument(owner, name, &known))
        },
        &mut |name, argument| named::known(name).map_or(Ok(()), |which| rule.take(which, argument)),
    );
    verbs.finish(rule, errors);
    Ok(())
}

/// `core/pods: get`, `/metrics: get`.
fn is_unquoted(input: ParseStream) -> bool {
    if input.peek(Token![/]) {
        return true;
    }
    let fork = input.fork();
    let Ok(name) = Ident::parse_any(&fork) else {
        return false;
    };
    let follows = fork.peek(Token![/])
        || fork.peek(Token![.])
        || fork.peek(Token![-])
        || fork.peek(Token![:]);
    follows && named::known(&name.to_string()).is_none()
}

/// Returns a subject after the first argument: `reason = "to show logs", "core/pods/log": get`.
fn late_subject(input: ParseStream) -> Option<LitStr> {
    let fork = input.fork();
    while !fork.is_empty() {
        attribute::skip_to_comma(&fork);
        if fork.peek(LitStr) && fork.peek2(Token![:]) {
            return fork.parse().ok();
        }
    }
    None
}

/// Parses the string before the colon.
fn literal(input: ParseStream, errors: &mut Errors) -> syn::Result<LitStr> {
    if input.peek(LitStr) {
        return input.parse();
    }
    if !is_unquoted(input)
        && let Some(late) = late_subject(input)
    {
        let help = "write the named arguments after the verbs";
        return Err(error_with_help(late, "the resource must come first", help));
    }
    let (mut tokens, mut text) = (TokenStream::new(), String::new());
    while !input.is_empty() && !input.peek(Token![:]) && !input.peek(Token![,]) {
        let token: TokenTree = input.parse()?;
        text.push_str(&token.to_string());
        tokens.extend([token]);
    }
    let help = format!("use `\"{text}\"`");
    let error = error_with_help(tokens, "the resource must be a string", help);
    let literal = LitStr::new(&text, error.span());
    errors.push(error);
    Ok(literal)
}

impl RbacRule {
    /// Sets group and resource, or the URL. Any resource replaces an invalid one.
    fn set_subject(&mut self, subject: Option<&Subject>, literal: &LitStr) {
        let any = Subject::resource("*", "*");
        let subject = match subject.unwrap_or(&any) {
            Subject::Resource { group, resource } => {
                self.rule.groups.push(group.clone());
                self.rule.resources.push(resource.clone());
                &[Argument::Groups, Argument::Resources][..]
            }
            Subject::Url(url) => {
                self.rule.urls.push(url.clone());
                &[Argument::Urls]
            }
        };
        self.parts.extend(subject.iter().map(|argument| Part {
            argument: *argument,
            whole: literal.span(),
            entries: vec![literal.span()],
        }));
    }
}

/// Verbs of a rule.
struct Verbs {
    /// Subject of the rule.
    literal: LitStr,
    words: Vec<(String, Span)>,
    /// Whether there is also an argument `verbs`.
    has_named: bool,
}

impl Verbs {
    /// Parses the colon after the subject.
    fn colon(&self, input: ParseStream, errors: &mut Errors) {
        // Without any token, the verbs are missing, too.
        if !input.peek(Token![:]) && !input.is_empty() {
            let help = format!("use `{}`", self.usage());
            errors.at_with_help(next(input), "expected `:` after the resource", help);
        }
        if [":", ",", ";", "="].contains(&&*next(input).to_string()) {
            skip_one(input);
        }
    }

    /// Parses verbs up to the first named argument.
    fn read(&mut self, input: ParseStream, errors: &mut Errors) {
        let mut has_semicolon = false;
        while !input.is_empty() && !is_argument(input) {
            if !self.verb(input, errors) {
                attribute::skip_to_comma(input);
                continue;
            }
            if input.peek(Token![;]) {
                if !has_semicolon {
                    errors.at_with_help(next(input), "expected `,`, found `;`", SEPARATE);
                }
                has_semicolon = true;
                skip_one(input);
            } else if input.peek(Token![,]) {
                skip_one(input);
            } else if !input.is_empty() {
                errors.at_with_help(next(input), "expected `,`", SEPARATE);
            }
        }
    }

    /// Parses a verb; returns whether there is one.
    fn verb(&mut self, input: ParseStream, errors: &mut Errors) -> bool {
        if input.peek(LitStr) {
            return self.quoted(input, errors);
        }
        if input.peek(Token![*]) {
            let span = input.span();
            skip_one(input);
            self.push("*".to_owned(), span, errors);
            return true;
        }
        let Ok(word) = Ident::parse_any(input) else {
            let help = "use words such as `get, list, watch`";
            errors.at_with_help(next(input), "expected a verb", help);
            return false;
        };
        let (mut text, mut span) = (word.unraw().to_string(), word.span());
        // `impersonate-on:user-info:list`.
        while (input.peek(Token![-]) || input.peek(Token![:])) && input.peek2(Ident::peek_any) {
            for _ in 0..2 {
                text.push_str(&next(input).to_string());
                // rustc joins spans only on nightly.
                span = span.join(input.span()).unwrap_or(span);
                skip_one(input);
            }
        }
        self.push(text, span, errors);
        true
    }

    /// `"get"`, `"get;list"`, or another rule.
    fn quoted(&mut self, input: ParseStream, errors: &mut Errors) -> bool {
        let Ok(literal) = input.parse::<LitStr>() else {
            return false;
        };
        let text = literal.value();
        if input.peek(Token![:]) || text.contains('/') {
            let help = "use one marker per resource";
            errors.at_with_help(literal, "expected a verb, found another resource", help);
            while !input.is_empty() {
                skip_one(input);
            }
            return true;
        }
        let words: Vec<&str> = text
            .split(|c: char| c == ';' || c == ',' || c.is_whitespace())
            .filter(|word| !word.is_empty())
            .collect();
        let help = match words[..] {
            [] => "remove it".to_owned(),
            _ => format!("use `{}`", words.join(", ")),
        };
        errors.at_with_help(&literal, "expected a verb, found a string", help);
        for word in words {
            self.push(word.to_owned(), literal.span(), errors);
        }
        true
    }

    fn push(&mut self, word: String, span: Span, errors: &mut Errors) {
        if self.words.iter().any(|(known, _)| *known == word) {
            let text = format!("duplicate verb `{word}`\nhelp: remove it");
            return errors.push(syn::Error::new(span, text));
        }
        self.words.push((word, span));
    }

    /// Returns the error for an argument that the compact form does not have, unless it is unknown in both forms.
    fn unexpected(&mut self, name: &Ident, input: ParseStream) -> Option<syn::Error> {
        let known = named::known(&name.to_string());
        if let Some(argument) = known.filter(|known| REPLACED.contains(known)) {
            let problem = format!("`{argument}` conflicts with the compact form");
            if argument == Argument::Verbs {
                self.has_named = true;
                let help = format!("use `{}`", self.usage());
                return Some(error_with_help(name, problem, help));
            }
            let help = "remove it, or use only named arguments";
            return Some(error_with_help(name, problem, help));
        }
        if input.peek(Token![=]) {
            return None;
        }
        self.words.push((name.to_string(), name.span()));
        let problem = format!("expected an argument, found `{name}`");
        Some(error_with_help(
            name,
            problem,
            "write verbs before the named arguments",
        ))
    }

    /// Stores the verbs.
    fn finish(self, rule: &mut RbacRule, errors: &mut Errors) {
        let Some((_, first)) = self.words.first() else {
            if !self.has_named {
                let help = format!("use `{}`", self.usage());
                errors.push(error_with_help(self.literal, "missing verbs", help));
            }
            return;
        };
        let last = self.words.last().and_then(|(_, last)| first.join(*last));
        let whole = last.unwrap_or(*first);
        let (words, entries) = self.words.into_iter().unzip();
        rule.rule.verbs = words;
        rule.parts.push(Part {
            argument: Argument::Verbs,
            whole,
            entries,
        });
    }

    /// Returns an example with this subject.
    fn usage(&self) -> String {
        let text = self.literal.value();
        let verbs = if text.starts_with('/') {
            "get"
        } else {
            "get, list, watch"
        };
        format!("{text:?}: {verbs}")
    }
}

/// Returns whether a named argument follows.
fn is_argument(input: ParseStream) -> bool {
    let fork = input.fork();
    Ident::parse_any(&fork)
        .is_ok_and(|name| fork.peek(Token![=]) || named::known(&name.to_string()).is_some())
}

/// Returns the next token, or none at the end.
fn next(input: ParseStream) -> TokenStream {
    let token = input.fork().parse::<TokenTree>();
    token.into_iter().collect()
}

fn skip_one(input: ParseStream) {
    // Fails only at the end.
    let _ = input.parse::<TokenTree>();
}
