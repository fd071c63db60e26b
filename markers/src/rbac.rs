//! `#[kb::rbac(...)]`: a rule of the manager role.
//!
//! A list is a string with `;` as separator, or an array of strings. The model validates rules; this module parses arguments and maps problems
//! back to tokens.

use kb_model::rbac::{self, Argument, Location, Problem, Rule};
use proc_macro2::{Span, TokenStream};
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Attribute, Ident, Item, LitStr, Path, Token, bracketed, token};

use crate::attribute::{self, KnownArgument};
use crate::errors::{Errors, error_with_help};

const KNOWN: &[KnownArgument] = &[
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

/// A parsed and validated rule.
#[derive(Clone, Debug)]
pub struct RbacRule {
    /// Rule; the core group is the empty string.
    pub rule: Rule,
    /// Span of the rule.
    whole: Span,
    arguments: Vec<ArgumentTokens>,
}

/// An argument.
#[derive(Clone, Debug)]
struct ArgumentTokens {
    argument: Argument,
    name: Ident,
    /// Entries, or the single value of a non-list argument.
    texts: Vec<LitStr>,
}

/// Parses the tokens of `#[kb::rbac(...)]`. Missing arguments are reported at `whole`.
pub fn read_rbac(args: TokenStream, whole: Span) -> syn::Result<RbacRule> {
    let mut errors = Errors::default();
    let mut read = RbacRule {
        rule: Rule::default(),
        whole,
        arguments: Vec::new(),
    };
    let owner = Ident::new("rbac", whole);
    let parse = |input: ParseStream| {
        attribute::named(input, &owner, KNOWN, &mut errors, &mut |name, argument| {
            let known = Argument::ALL.into_iter().find(|known| known.name() == name);
            known.map_or(Ok(()), |which| read.take(which, argument))
        });
        Ok(())
    };
    parse.parse2(args)?;
    errors.finish()?;
    let mut errors = Errors::default();
    for problem in rbac::check(&read.rule) {
        errors.push(read.error(&problem));
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
        let mut arguments = self.arguments.iter();
        let Some(tokens) = arguments.find(|tokens| tokens.argument == argument) else {
            return self.whole;
        };
        // Points to the string, or to the name of a list argument.
        let is_text = self.rule.list(argument).is_empty();
        let index = index.or(is_text.then_some(0));
        let text = index.and_then(|index| tokens.texts.get(index));
        text.map_or(tokens.name.span(), LitStr::span)
    }

    fn take(&mut self, which: Argument, argument: &attribute::Argument) -> syn::Result<()> {
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
        self.arguments.push(ArgumentTokens {
            argument: which,
            name: argument.name.clone(),
            texts,
        });
        Ok(())
    }

    /// Creates an error at the token of a problem.
    fn error(&self, problem: &Problem) -> syn::Error {
        let text = format!("{}\nhelp: {}", problem.message, problem.help);
        syn::Error::new(self.span(problem.location), text)
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

/// Returns whether a path is that of the attribute: `kb::rbac`, `::kb::rbac`, or an imported `rbac`.
pub fn is_rbac(path: &Path) -> bool {
    let names: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
    match names.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["kb", "rbac"] => true,
        ["rbac"] => path.leading_colon.is_none(),
        _ => false,
    }
}

/// Returns the tokens of an attribute's parentheses.
pub fn arguments_of(attribute: &Attribute) -> TokenStream {
    match &attribute.meta {
        syn::Meta::List(list) => list.tokens.clone(),
        _ => TokenStream::new(),
    }
}

/// Checks the item that `#[kb::rbac(...)]` is attached to. Errors are reported at `whole`.
pub fn check_rbac_item(item: &Item, whole: Span) -> syn::Result<()> {
    match item {
        Item::Struct(_) | Item::Enum(_) | Item::Fn(_) | Item::Impl(_) | Item::Mod(_) => Ok(()),
        _ => Err(syn::Error::new(
            whole,
            "`#[kb::rbac(..)]` applies only to structs, enums, functions, impl blocks and modules\n\
             help: move it to the code that uses the permission",
        )),
    }
}
