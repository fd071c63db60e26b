//! `#[kb::rbac(...)]`: a rule of the operator's role.
//!
//! A list is a string with `;` between its entries, or strings in brackets. What a rule may say is model's to know; here are the
//! arguments, and from a problem in a rule back to the token that it was written in.

use kb_model::rbac::{self, Argument, Place, Problem, Rule};
use proc_macro2::{Span, TokenStream};
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Attribute, Ident, Item, LitStr, Path, Token, bracketed, token};

use crate::attribute::{self, Known};
use crate::errors::{Errors, helped};

const KNOWN: &[Known] = &[
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

/// A rule under `#[kb::rbac(...)]`, read and checked.
#[derive(Clone, Debug)]
pub struct RbacRule {
    /// What it says; the core group is empty.
    pub rule: Rule,
    /// What stands for the rule as a whole.
    whole: Span,
    written: Vec<Written>,
}

/// An argument, as it is written.
#[derive(Clone, Debug)]
struct Written {
    argument: Argument,
    name: Ident,
    /// The text of each entry; of an argument that is no list, its value.
    texts: Vec<LitStr>,
}

/// Reads the tokens in the parentheses of `#[kb::rbac(...)]`. `whole` is where the attribute stands: what is missing is said there.
pub fn read_rbac(args: TokenStream, whole: Span) -> syn::Result<RbacRule> {
    let mut errors = Errors::default();
    let mut read = RbacRule {
        rule: Rule::default(),
        whole,
        written: Vec::new(),
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
    /// Where a part of the rule is written.
    pub fn span(&self, place: Place) -> Span {
        let (argument, index) = match place {
            Place::Rule => return self.whole,
            Place::Argument(argument) => (argument, None),
            Place::Entry(argument, index) => (argument, Some(index)),
        };
        let mut written = self.written.iter();
        let Some(written) = written.find(|written| written.argument == argument) else {
            return self.whole;
        };
        // Of a text, the text is meant; of a list, all of it, for which its name stands.
        let is_text = self.rule.list(argument).is_empty();
        let index = index.or(is_text.then_some(0));
        let text = index.and_then(|index| written.texts.get(index));
        text.map_or(written.name.span(), LitStr::span)
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
        self.written.push(Written {
            argument: which,
            name: argument.name.clone(),
            texts,
        });
        Ok(())
    }

    /// The problem at its token.
    fn error(&self, problem: &Problem) -> syn::Error {
        let text = format!("{}\nhelp: {}", problem.message, problem.help);
        syn::Error::new(self.span(problem.place), text)
    }
}

/// `= "text"`.
fn text(argument: &attribute::Argument, to: &mut Option<String>) -> syn::Result<Vec<LitStr>> {
    let text = argument.text()?;
    *to = Some(text.value());
    Ok(vec![text])
}

/// `= "a;b"` or `= ["a", "b"]`: the text of each entry.
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
        return Err(argument.wrong(&format!("`{which}` needs a string")));
    }
    let text: LitStr = argument.input.parse()?;
    to.extend(text.value().split(';').map(|entry| entry.trim().to_owned()));
    // Alone, nothing is the core group. Beside others it is rather a `;` too many, and would allow much.
    if which == Argument::Groups && to.len() > 1 && to.iter().any(String::is_empty) {
        let problem = "an entry of `groups` is empty";
        let help = "write `core` if the core group is meant";
        return Err(helped(text, problem, help));
    }
    Ok(vec![text; to.len()])
}

/// Whether a path is that of the attribute: `kb::rbac`, `::kb::rbac`, or `rbac` where it is imported.
pub fn is_rbac(path: &Path) -> bool {
    let names: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
    match names.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["kb", "rbac"] => true,
        ["rbac"] => path.leading_colon.is_none(),
        _ => false,
    }
}

/// The tokens in the parentheses of an attribute.
pub fn arguments_of(attribute: &Attribute) -> TokenStream {
    match &attribute.meta {
        syn::Meta::List(list) => list.tokens.clone(),
        _ => TokenStream::new(),
    }
}

/// What `#[kb::rbac(...)]` may stand on; the error is shown at `whole`.
pub fn check_rbac_item(item: &Item, whole: Span) -> syn::Result<()> {
    match item {
        Item::Struct(_) | Item::Enum(_) | Item::Fn(_) | Item::Impl(_) | Item::Mod(_) => Ok(()),
        _ => Err(syn::Error::new(
            whole,
            "`#[kb::rbac(..)]` stands on a struct, an enum, a fn, an impl or a mod\n\
             help: put it on the code that needs the permission",
        )),
    }
}
