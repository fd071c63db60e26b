//! The arguments of an attribute: tokens into names and values.
//!
//! An argument is `name`, `name = VALUE` or `name(...)`. What a value is, the caller asks for through [`Argument`], which words the
//! errors: they show how the argument is written. After an error the reading goes on behind the next comma.

use proc_macro2::{TokenStream, TokenTree};
use serde_json::Number;
use syn::ext::IdentExt;
use syn::parse::discouraged::Speculative;
use syn::parse::{ParseBuffer, ParseStream};
use syn::{Ident, LitBool, LitStr, Token, parenthesized, token};

use crate::did_you_mean::did_you_mean;
use crate::errors::{Errors, helped};
use crate::json_literal;

/// The name of an argument, and how it is written.
pub(crate) type Known = (&'static str, &'static str);

/// An argument whose name has been read.
pub(crate) struct Argument<'a> {
    /// Its name.
    pub(crate) name: &'a Ident,
    /// How it is written: `minimum = 1`.
    pub(crate) usage: &'static str,
    /// What follows the name.
    pub(crate) input: ParseStream<'a>,
}

/// Reads arguments until the end. `read` takes what follows a name; behind it, a comma or the end must come.
pub(crate) fn each(
    input: ParseStream,
    errors: &mut Errors,
    read: &mut dyn FnMut(&Ident, ParseStream, &mut Errors) -> syn::Result<()>,
) {
    while !input.is_empty() {
        let outcome = Ident::parse_any(input)
            .map_err(|error| syn::Error::new(error.span(), "expected a name"))
            .and_then(|name| read(&name.unraw(), input, errors))
            .and_then(|()| end(input));
        if let Err(error) = outcome {
            errors.push(error);
            skip(input);
        }
    }
}

/// Reads arguments of which each has a known name and comes once.
pub(crate) fn named(
    input: ParseStream,
    owner: &Ident,
    known: &[Known],
    errors: &mut Errors,
    read: &mut dyn FnMut(&'static str, &Argument) -> syn::Result<()>,
) {
    let mut seen: Vec<&str> = Vec::new();
    each(input, errors, &mut |name, input, errors| {
        let Some((known_name, usage)) = known.iter().find(|(known, _)| name == known) else {
            return Err(unknown_argument(owner, name, known));
        };
        if seen.contains(known_name) {
            errors.at(name, format!("`{name}` is said twice"));
        }
        seen.push(known_name);
        read(known_name, &Argument { name, usage, input })
    });
}

fn unknown_argument(owner: &Ident, name: &Ident, known: &[Known]) -> syn::Error {
    let names = || known.iter().map(|(name, _)| *name);
    let help = did_you_mean(&name.to_string(), names()).unwrap_or_else(|| {
        let all: Vec<String> = names().map(|name| format!("`{name}`")).collect();
        format!("it has {}", all.join(", "))
    });
    helped(name, format!("`{owner}` has no argument `{name}`"), help)
}

/// The comma behind an argument, unless it is the last.
pub(crate) fn end(input: ParseStream) -> syn::Result<()> {
    if input.is_empty() {
        return Ok(());
    }
    match input.parse::<Token![,]>() {
        Ok(_) => Ok(()),
        Err(error) => Err(syn::Error::new(error.span(), "expected a comma")),
    }
}

/// Goes on behind the next comma.
pub(crate) fn skip(input: ParseStream) {
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
            return Err(self.wrong(&format!("`{}` takes no arguments", self.name)));
        }
        if self.input.parse::<Option<Token![=]>>()?.is_none() {
            return Ok(true);
        }
        if !self.input.peek(LitBool) {
            return Err(self.wrong(&format!("`{}` is true or false", self.name)));
        }
        Ok(self.input.parse::<LitBool>()?.value)
    }

    /// `= "text"`.
    pub(crate) fn text(&self) -> syn::Result<LitStr> {
        self.equals()?;
        if !self.input.peek(LitStr) {
            return Err(self.wrong(&format!("`{}` needs a string", self.name)));
        }
        self.input.parse()
    }

    /// `= "word"` or `= word`.
    pub(crate) fn word(&self) -> syn::Result<Word> {
        self.equals()?;
        Word::read(self.input).ok_or_else(|| self.wrong(&format!("`{}` needs a word", self.name)))
    }

    /// `= 1`, `= -1`, `= 1.5`: a number that the API server, which has doubles, keeps as it is.
    pub(crate) fn number(&self) -> syn::Result<Number> {
        self.equals()?;
        let ahead = self.input.fork();
        let number = json_literal::number(&ahead)?;
        if number
            .as_ref()
            .is_some_and(|number| !json_literal::is_exact(number))
        {
            let problem = "this is beyond 2^53, where the API server's numbers are not exact";
            let help = "leave it out, or write a rule: `cel(\"self < ..\")`";
            return Err(helped(self.rest(), problem, help));
        }
        self.input.advance_to(&ahead);
        number.ok_or_else(|| self.wrong(&format!("`{}` needs a number", self.name)))
    }

    /// `= 1`.
    pub(crate) fn unsigned(&self) -> syn::Result<u64> {
        self.equals()?;
        if self.input.peek(Token![-]) {
            let problem = format!("`{}` cannot be negative", self.name);
            return Err(self.wrong(&problem));
        }
        let ahead = self.input.fork();
        let whole = json_literal::number(&ahead)?.and_then(|number| number.as_u64());
        let Some(whole) = whole else {
            return Err(self.wrong(&format!("`{}` needs an integer", self.name)));
        };
        self.input.advance_to(&ahead);
        Ok(whole)
    }

    /// The tokens in parentheses.
    pub(crate) fn list(&self) -> syn::Result<ParseBuffer<'_>> {
        if !self.input.peek(token::Paren) {
            return Err(self.wrong(&format!("`{}` needs arguments", self.name)));
        }
        let content;
        parenthesized!(content in self.input);
        Ok(content)
    }

    /// The `=` before a value.
    pub(crate) fn equals(&self) -> syn::Result<()> {
        if self.input.parse::<Option<Token![=]>>()?.is_some() {
            return Ok(());
        }
        let problem = format!("`{}` needs a value", self.name);
        Err(helped(
            self.name,
            problem,
            format_args!("write `{}`", self.usage),
        ))
    }

    /// An error at what follows, or at the name if nothing does, that shows how the argument is written.
    pub(crate) fn wrong(&self, problem: &str) -> syn::Error {
        helped(self.rest(), problem, format_args!("write `{}`", self.usage))
    }

    /// What follows until the next comma, or the name if nothing does.
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

/// A word that may stand in quotes.
pub(crate) struct Word {
    /// The word.
    pub(crate) text: String,
    /// The token.
    pub(crate) token: TokenTree,
    /// Whether it stands in quotes.
    pub(crate) quoted: bool,
}

impl Word {
    /// The next token, if it is one.
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
