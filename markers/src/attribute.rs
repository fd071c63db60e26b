//! Parses attribute arguments into names and values.
//!
//! An argument is `name`, `name = VALUE` or `name(...)`. The caller requests the kind of value from [`Argument`], whose errors show the usage.
//! After an error, parsing continues after the next comma.

use proc_macro2::{TokenStream, TokenTree};
use serde_json::Number;
use syn::ext::IdentExt;
use syn::parse::discouraged::Speculative;
use syn::parse::{ParseBuffer, ParseStream};
use syn::{Ident, LitBool, LitStr, Token, parenthesized, token};

use crate::did_you_mean::did_you_mean;
use crate::errors::{Errors, error_with_help};
use crate::json_literal;

/// Name and usage of an argument.
pub(crate) type KnownArgument = (&'static str, &'static str);

/// An argument whose name was parsed.
pub(crate) struct Argument<'a> {
    /// Name.
    pub(crate) name: &'a Ident,
    /// Usage, such as `minimum = 1`.
    pub(crate) usage: &'static str,
    /// Tokens after the name.
    pub(crate) input: ParseStream<'a>,
}

/// Parses arguments until the end. `read` parses what follows a name, up to the comma.
pub(crate) fn each(
    input: ParseStream,
    errors: &mut Errors,
    read: &mut dyn FnMut(&Ident, ParseStream, &mut Errors) -> syn::Result<()>,
) {
    while !input.is_empty() {
        let outcome = Ident::parse_any(input)
            .map_err(|error| syn::Error::new(error.span(), "expected a name"))
            .and_then(|name| read(&name.unraw(), input, errors))
            .and_then(|()| expect_comma(input));
        if let Err(error) = outcome {
            errors.push(error);
            skip_to_comma(input);
        }
    }
}

/// Parses arguments with known names, each at most once.
pub(crate) fn named(
    input: ParseStream,
    owner: &Ident,
    known: &[KnownArgument],
    errors: &mut Errors,
    read: &mut dyn FnMut(&'static str, &Argument) -> syn::Result<()>,
) {
    let mut unknown = |name: &Ident, _: ParseStream| unknown_argument(owner, name, known);
    named_or(input, known, errors, &mut unknown, read);
}

/// Parses arguments with known names, each at most once. `unknown` creates the error for another name.
pub(crate) fn named_or(
    input: ParseStream,
    known: &[KnownArgument],
    errors: &mut Errors,
    unknown: &mut dyn FnMut(&Ident, ParseStream) -> syn::Error,
    read: &mut dyn FnMut(&'static str, &Argument) -> syn::Result<()>,
) {
    let mut seen: Vec<&str> = Vec::new();
    each(input, errors, &mut |name, input, errors| {
        let Some((known_name, usage)) = known.iter().find(|(known, _)| name == known) else {
            return Err(unknown(name, input));
        };
        if seen.contains(known_name) {
            errors.at(name, format!("duplicate argument `{name}`"));
        }
        seen.push(known_name);
        read(known_name, &Argument { name, usage, input })
    });
}

/// Creates the error for an argument with another name.
pub(crate) fn unknown_argument(owner: &Ident, name: &Ident, known: &[KnownArgument]) -> syn::Error {
    let names = || known.iter().map(|(name, _)| *name);
    let help = did_you_mean(&name.to_string(), names()).unwrap_or_else(|| {
        let all: Vec<String> = names().map(|name| format!("`{name}`")).collect();
        format!("expected one of {}", all.join(", "))
    });
    error_with_help(name, format!("`{owner}` has no argument `{name}`"), help)
}

/// Parses the comma after an argument, unless it is the last.
pub(crate) fn expect_comma(input: ParseStream) -> syn::Result<()> {
    if input.is_empty() {
        return Ok(());
    }
    match input.parse::<Token![,]>() {
        Ok(_) => Ok(()),
        Err(error) => Err(syn::Error::new(error.span(), "expected a comma")),
    }
}

/// Skips to the next comma.
pub(crate) fn skip_to_comma(input: ParseStream) {
    while !input.is_empty() {
        if input.parse::<Token![,]>().is_ok() || input.parse::<TokenTree>().is_err() {
            return;
        }
    }
}

impl Argument<'_> {
    /// `name`, `name = true` or `name = false`.
    pub(crate) fn flag(&self) -> syn::Result<bool> {
        if self.input.peek(token::Paren) {
            return Err(self.usage_error(&format!("`{}` takes no arguments", self.name)));
        }
        if self.input.parse::<Option<Token![=]>>()?.is_none() {
            return Ok(true);
        }
        if !self.input.peek(LitBool) {
            return Err(self.usage_error(&format!("`{}` expects `true` or `false`", self.name)));
        }
        Ok(self.input.parse::<LitBool>()?.value)
    }

    /// `= "text"`.
    pub(crate) fn text(&self) -> syn::Result<LitStr> {
        self.equals()?;
        if !self.input.peek(LitStr) {
            return Err(self.usage_error(&format!("`{}` expects a string", self.name)));
        }
        self.input.parse()
    }

    /// `= "word"` or `= word`.
    pub(crate) fn word(&self) -> syn::Result<Word> {
        self.equals()?;
        Word::read(self.input)
            .ok_or_else(|| self.usage_error(&format!("`{}` expects an identifier", self.name)))
    }

    /// `= 1`, `= -1`, `= 1.5`: a number that a double, as in the API server, represents exactly.
    pub(crate) fn number(&self) -> syn::Result<Number> {
        self.equals()?;
        let ahead = self.input.fork();
        let number = json_literal::number(&ahead)?;
        if number
            .as_ref()
            .is_some_and(|number| !json_literal::is_exact(number))
        {
            let problem = "number exceeds 2^53, the limit of exact numbers in the API server";
            let help = "remove it, or use a CEL rule: `cel(\"self < ..\")`";
            return Err(error_with_help(self.rest(), problem, help));
        }
        self.input.advance_to(&ahead);
        number.ok_or_else(|| self.usage_error(&format!("`{}` expects a number", self.name)))
    }

    /// `= 1`.
    pub(crate) fn unsigned(&self) -> syn::Result<u64> {
        self.equals()?;
        if self.input.peek(Token![-]) {
            let problem = format!("`{}` must not be negative", self.name);
            return Err(self.usage_error(&problem));
        }
        let ahead = self.input.fork();
        let whole = json_literal::number(&ahead)?.and_then(|number| number.as_u64());
        let Some(whole) = whole else {
            return Err(self.usage_error(&format!("`{}` expects an integer", self.name)));
        };
        self.input.advance_to(&ahead);
        Ok(whole)
    }

    /// Returns the tokens in parentheses.
    pub(crate) fn list(&self) -> syn::Result<ParseBuffer<'_>> {
        if !self.input.peek(token::Paren) {
            return Err(self.usage_error(&format!("`{}` requires arguments", self.name)));
        }
        let content;
        parenthesized!(content in self.input);
        Ok(content)
    }

    /// Parses the `=` before a value.
    pub(crate) fn equals(&self) -> syn::Result<()> {
        if self.input.parse::<Option<Token![=]>>()?.is_some() {
            return Ok(());
        }
        let problem = format!("`{}` requires a value", self.name);
        Err(error_with_help(
            self.name,
            problem,
            format_args!("use `{}`", self.usage),
        ))
    }

    /// Creates an error with the usage, at the next tokens or at the name.
    pub(crate) fn usage_error(&self, problem: &str) -> syn::Error {
        error_with_help(self.rest(), problem, format_args!("use `{}`", self.usage))
    }

    /// Returns the tokens up to the next comma, or the name if there are none.
    fn rest(&self) -> TokenStream {
        let mut tokens = TokenStream::new();
        let fork = self.input.fork();
        while !fork.is_empty() && !fork.peek(Token![,]) {
            let Ok(token) = fork.parse::<TokenTree>() else {
                break;
            };
            tokens.extend([token]);
        }
        if tokens.is_empty() {
            tokens.extend([TokenTree::Ident(self.name.clone())]);
        }
        tokens
    }
}

/// A word, optionally quoted.
pub(crate) struct Word {
    /// Word.
    pub(crate) text: String,
    /// Token.
    pub(crate) token: TokenTree,
    /// Whether it is quoted.
    pub(crate) quoted: bool,
}

impl Word {
    /// Parses the next token, if it is a word.
    pub(crate) fn read(input: ParseStream) -> Option<Self> {
        if input.peek(LitStr) {
            let text: LitStr = input.parse().ok()?;
            return Some(Self {
                text: text.value(),
                token: TokenTree::Literal(text.token()),
                quoted: true,
            });
        }
        let ident = Ident::parse_any(input).ok()?;
        Some(Self {
            text: ident.unraw().to_string(),
            token: TokenTree::Ident(ident),
            quoted: false,
        })
    }
}
