//! Parses a file whose nesting is bounded.
//!
//! syn recurses for every delimiter, and also for what nests without one: `&&&T`, `Option<Option<..>>`, `!!!x`, `a = b = c`, a chain of
//! methods. So the tokens are counted before syn sees them, in a loop: from a token outward, those that may be around it. Commas and
//! semicolons end what is nested at their level, and so does a block that an item or a statement follows. What passes this check parses on
//! a stack of [`STACK_SIZE`].

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree, token_stream::IntoIter};

use super::Diagnostic;
use crate::plan::RelPath;

/// The most tokens that may be nested in each other. The largest hand-written function that was looked at has 400.
const MAX_NESTING: usize = 3000;

/// The stack of a thread that parses sources: several times what [`MAX_NESTING`] takes in a debug build.
pub(crate) const STACK_SIZE: usize = 256 << 20;

/// Parses a file; the errors are diagnostics of it.
pub(super) fn parse(path: &RelPath, text: &str) -> Result<syn::File, Vec<Diagnostic>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let tokens: TokenStream = match without_shebang(text).parse() {
        Ok(tokens) => tokens,
        Err(error) => return Err(vec![unparsed(path, text, &syn::Error::from(error))]),
    };
    // A token has at least one byte.
    if text.len() > MAX_NESTING
        && let Some(span) = too_deep(tokens.clone())
    {
        let message = format!("more than {MAX_NESTING} tokens are nested in each other here");
        let help = "split the type or the expression".to_owned();
        return Err(vec![Diagnostic::at(path, text, span, message, Some(help))]);
    }
    syn::parse2(tokens).map_err(|errors| {
        let errors = errors.into_iter();
        errors.map(|error| unparsed(path, text, &error)).collect()
    })
}

fn unparsed(path: &RelPath, text: &str, error: &syn::Error) -> Diagnostic {
    let message = format!("does not parse: {error}");
    Diagnostic::at(path, text, error.span(), message, None)
}

/// The text from the end of a `#!` line on, so that lines keep their numbers.
fn without_shebang(text: &str) -> &str {
    let is_shebang = text
        .strip_prefix("#!")
        .is_some_and(|rest| !rest.trim_start().starts_with('['));
    if is_shebang {
        &text[text.find('\n').unwrap_or(text.len())..]
    } else {
        text
    }
}

/// A token sequence: a file, or what is between two delimiters.
struct Level {
    tokens: IntoIter,
    /// Tokens around the sequence.
    outside: usize,
    /// Tokens in the sequence that may be around the next one.
    run: usize,
    follows_block: bool,
}

impl Level {
    fn new(tokens: TokenStream, outside: usize) -> Self {
        Self {
            tokens: tokens.into_iter(),
            outside,
            run: 0,
            follows_block: false,
        }
    }

    /// Counts a token; gives how many may be around what follows it.
    fn count(&mut self, token: &TokenTree) -> usize {
        let ends = match token {
            TokenTree::Punct(punct) => {
                matches!(punct.as_char(), ',' | ';')
                    || (self.follows_block && punct.as_char() == '#')
            }
            // What begins with one of these goes on with what the block is part of.
            TokenTree::Ident(ident) => {
                self.follows_block && !["as", "else", "if", "in"].iter().any(|word| ident == word)
            }
            TokenTree::Literal(_) => self.follows_block,
            TokenTree::Group(_) => false,
        };
        self.run = if ends { 1 } else { self.run + 1 };
        self.follows_block =
            matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
        self.outside + self.run
    }
}

/// The place of a token that is nested too deep.
fn too_deep(tokens: TokenStream) -> Option<Span> {
    let mut levels = vec![Level::new(tokens, 0)];
    while let Some(level) = levels.last_mut() {
        let Some(token) = level.tokens.next() else {
            levels.pop();
            continue;
        };
        let depth = level.count(&token);
        if depth > MAX_NESTING {
            return Some(token.span());
        }
        if let TokenTree::Group(group) = token {
            levels.push(Level::new(group.stream(), depth));
        }
    }
    None
}
