//! A rule, and the positions of its parts.

use kb_model::rbac::{self, Argument, Form, Location, Problem, Rule};
use proc_macro2::{Span, TokenStream};
use syn::Ident;
use syn::parse::{ParseStream, Parser};

use super::{compact, named};
use crate::errors::Errors;

/// A parsed and validated rule.
#[derive(Clone, Debug)]
pub struct RbacRule {
    /// Rule; the core group is the empty string.
    pub rule: Rule,
    /// Span of the rule.
    whole: Span,
    pub(super) parts: Vec<Part>,
}

/// Position of an argument, or of what stands for it in the compact form.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) argument: Argument,
    /// Span of the name, the subject or the verbs.
    pub(super) whole: Span,
    /// Spans of the entries, or of the single value of a non-list argument.
    pub(super) entries: Vec<Span>,
}

/// Parses the tokens of `#[kb::rbac(...)]`. Missing arguments are reported at `whole`.
pub fn read_rbac(args: TokenStream, whole: Span) -> syn::Result<RbacRule> {
    if args.is_empty() {
        let text = "missing resource and verbs\n\
                    help: use `#[kb::rbac(\"apps/deployments\": get, list, watch)]`";
        return Err(syn::Error::new(whole, text));
    }
    let mut errors = Errors::default();
    let mut read = RbacRule {
        rule: Rule::default(),
        whole,
        parts: Vec::new(),
    };
    let owner = Ident::new("rbac", whole);
    let parse = |input: ParseStream| {
        if compact::is_compact(input) {
            compact::read(input, &owner, &mut read, &mut errors)?;
            return Ok(Form::Compact);
        }
        named::read(input, &owner, &mut read, &mut errors);
        Ok(Form::Named)
    };
    let form = parse.parse2(args)?;
    // A named argument that was not parsed would be reported as missing.
    if form == Form::Compact || errors.count() == 0 {
        for problem in rbac::check(&read.rule, form) {
            errors.push(read.error(&problem));
        }
    }
    errors.finish()?;
    read.rule = read.rule.canonical();
    Ok(read)
}

impl RbacRule {
    /// Returns the position of a part of the rule.
    pub fn span(&self, location: Location) -> Span {
        let (argument, index) = match location {
            Location::Rule => return self.whole,
            Location::Argument(argument) => (argument, None),
            Location::Entry(argument, index) => (argument, Some(index)),
        };
        let mut parts = self.parts.iter();
        let Some(part) = parts.find(|part| part.argument == argument) else {
            return self.whole;
        };
        // Points to the string, or to the name of a list argument.
        let is_text = self.rule.list(argument).is_empty();
        let index = index.or(is_text.then_some(0));
        let entry = index.and_then(|index| part.entries.get(index));
        entry.copied().unwrap_or(part.whole)
    }

    /// Creates an error at the token of a problem.
    fn error(&self, problem: &Problem) -> syn::Error {
        let text = format!("{}\nhelp: {}", problem.message, problem.help);
        syn::Error::new(self.span(problem.location), text)
    }
}
