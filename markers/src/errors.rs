//! The errors of one item, collected.
//!
//! A reader goes on after an error, so that a user sees all of them at once. The form of a message is decided here: the problem,
//! and below it, if there is advice, a line that starts with `help: `.

use std::fmt::Display;

use quote::ToTokens;

/// Everything that is wrong with an item.
#[derive(Default)]
pub(crate) struct Errors(Vec<syn::Error>);

impl Errors {
    /// Adds an error that was made elsewhere.
    pub(crate) fn push(&mut self, error: syn::Error) {
        self.0.push(error);
    }

    /// Adds a problem with these tokens.
    pub(crate) fn at(&mut self, tokens: impl ToTokens, problem: impl Display) {
        self.push(syn::Error::new_spanned(tokens, problem));
    }

    /// Adds a problem with these tokens, and what to do about it.
    pub(crate) fn helped(
        &mut self,
        tokens: impl ToTokens,
        problem: impl Display,
        help: impl Display,
    ) {
        self.push(helped(tokens, problem, help));
    }

    /// Keeps the error of a result, if it is one.
    pub(crate) fn take<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.push(error)).ok()
    }

    /// How many there are so far.
    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    /// All of them and one more, as one.
    pub(crate) fn with(self, last: syn::Error) -> syn::Error {
        match self.finish() {
            Ok(()) => last,
            Err(mut all) => {
                all.combine(last);
                all
            }
        }
    }

    /// All of them as one.
    pub(crate) fn finish(self) -> syn::Result<()> {
        let all = self.0.into_iter().reduce(|mut all, next| {
            all.combine(next);
            all
        });
        all.map_or(Ok(()), Err)
    }
}

/// An error at these tokens, with what to do about it.
pub(crate) fn helped(
    tokens: impl ToTokens,
    problem: impl Display,
    help: impl Display,
) -> syn::Error {
    syn::Error::new_spanned(tokens, format!("{problem}\nhelp: {help}"))
}
