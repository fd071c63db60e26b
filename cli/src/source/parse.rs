//! Parses a file with bounded nesting.
//!
//! syn recurses for delimiters and also for nesting without them: `&&&T`, `Option<Option<..>>`, `!!!x`, `a = b = c`, method chains.
//! An upper bound of the nesting is therefore computed iteratively before parsing: the number of tokens that may enclose a token.
//! Commas, semicolons and a block followed by an item or statement reset it at their level. Files that pass parse on a stack of
//! [`STACK_SIZE`].

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree, token_stream::IntoIter};

use super::Diagnostic;
use crate::plan::RelPath;

/// Limit of nested tokens. The deepest of the hand-written functions we checked has 400.
const MAX_NESTING: usize = 3000;

/// Stack size of a thread that parses sources: several times what [`MAX_NESTING`] takes in a debug build.
pub(crate) const STACK_SIZE: usize = 256 << 20;

/// Parses a file.
pub(super) fn parse(path: &RelPath, text: &str) -> Result<syn::File, Vec<Diagnostic>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let tokens: TokenStream = match without_shebang(text).parse() {
        Ok(tokens) => tokens,
        Err(error) => return Err(vec![unparsed(path, text, &syn::Error::from(error))]),
    };
    // Every token has at least one byte.
    if text.len() > MAX_NESTING
        && let Some(span) = too_deep(tokens.clone())
    {
        let message = format!("more than {MAX_NESTING} tokens are nested here");
        let help = "split the type or the expression".to_owned();
        return Err(vec![Diagnostic::at(path, text, span, message, Some(help))]);
    }
    syn::parse2(tokens).map_err(|errors| {
        let errors = errors.into_iter();
        errors.map(|error| unparsed(path, text, &error)).collect()
    })
}

fn unparsed(path: &RelPath, text: &str, error: &syn::Error) -> Diagnostic {
    let message = format!("syntax error: {error}");
    Diagnostic::at(path, text, error.span(), message, None)
}

/// Skips a `#!` line but keeps its newline, so that line numbers stay the same.
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

/// A token sequence: a file or a delimited group.
struct Level {
    tokens: IntoIter,
    /// Tokens that enclose the sequence.
    outside: usize,
    /// Tokens of the sequence that may enclose the next one.
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

    /// Counts a token. Returns how many tokens may enclose the next one.
    fn count(&mut self, token: &TokenTree) -> usize {
        let ends = match token {
            TokenTree::Punct(punct) => {
                matches!(punct.as_char(), ',' | ';')
                    || (self.follows_block && punct.as_char() == '#')
            }
            // These continue the expression that the block is part of.
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

/// Returns the span of the first token that exceeds the limit.
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
