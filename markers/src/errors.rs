//! Collects the errors of an item.
//!
//! Reading continues after an error, so that users see all of them. A message is the problem, followed by an optional line that starts with
//! `help: `.

use std::fmt::Display;

use quote::ToTokens;

/// Errors of an item.
#[derive(Default)]
pub(crate) struct Errors(Vec<syn::Error>);

impl Errors {
    /// Adds an existing error.
    pub(crate) fn push(&mut self, error: syn::Error) {
        self.0.push(error);
    }

    /// Adds an error at these tokens.
    pub(crate) fn at(&mut self, tokens: impl ToTokens, problem: impl Display) {
        self.push(syn::Error::new_spanned(tokens, problem));
    }

    /// Adds an error at these tokens, with a hint.
    pub(crate) fn at_with_help(
        &mut self,
        tokens: impl ToTokens,
        problem: impl Display,
        help: impl Display,
    ) {
        self.push(error_with_help(tokens, problem, help));
    }

    /// Collects the error of a result.
    pub(crate) fn take<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.push(error)).ok()
    }

    /// Returns the number of errors so far.
    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    /// Combines all errors and one more.
    pub(crate) fn with(self, last: syn::Error) -> syn::Error {
        match self.finish() {
            Ok(()) => last,
            Err(mut all) => {
                all.combine(last);
                all
            }
        }
    }

    /// Combines all errors.
    pub(crate) fn finish(self) -> syn::Result<()> {
        let all = self.0.into_iter().reduce(|mut all, next| {
            all.combine(next);
            all
        });
        all.map_or(Ok(()), Err)
    }
}

/// Creates an error at these tokens, with a hint.
pub(crate) fn error_with_help(
    tokens: impl ToTokens,
    problem: impl Display,
    help: impl Display,
) -> syn::Error {
    syn::Error::new_spanned(tokens, format!("{problem}\nhelp: {help}"))
}
