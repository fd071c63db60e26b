//! Parses the arguments of `#[kb::resource(...)]`.

use kb_model::api::{Deprecation, ScalePaths, Scope, TypeColumn};
use kb_model::{ApiGroup, Kind, Plural, Version};
use proc_macro2::TokenStream;
use syn::parse::{ParseStream, Parser};
use syn::{Ident, LitStr, Token, Type};

use super::{metadata, parts};
use crate::attribute::{self, Argument, KnownArgument};
use crate::did_you_mean::did_you_mean;
use crate::docs::clean_text;
use crate::errors::{Errors, error_with_help};
use crate::marks::{ParsedMarkers, Target, choose, names, read_mark};

const KNOWN: &[KnownArgument] = &[
    ("group", r#"group = "batch.example.com""#),
    ("version", r#"version = "v1alpha1""#),
    ("kind", r#"kind = "AppService""#),
    ("plural", r#"plural = "appservices""#),
    ("singular", r#"singular = "appservice""#),
    ("list_kind", r#"list_kind = "AppServiceList""#),
    ("short_name", r#"short_name = "as""#),
    ("short_names", r#"short_names = ["as", "apps"]"#),
    ("category", r#"category = "all""#),
    ("categories", r#"categories = ["all", "apps"]"#),
    ("scope", "scope = Cluster"),
    ("status", "status = AppServiceStatus"),
    ("status_subresource", "status_subresource"),
    ("optional_spec", "optional_spec"),
    ("no_spec", "no_spec"),
    (
        "scale",
        r#"scale(spec_replicas = ".spec.replicas", status_replicas = ".status.replicas")"#,
    ),
    (
        "column",
        r#"column(name = "Age", type = "date", json_path = ".metadata.creationTimestamp")"#,
    ),
    ("storage", "storage"),
    ("served", "served = false"),
    ("deprecated", r#"deprecated = "use v1""#),
    ("annotations", r#"annotations("KEY" = "VALUE")"#),
    ("labels", r#"labels("KEY" = "VALUE")"#),
    ("doc", r#"doc = "Description of the kind.""#),
    ("default", "default = false"),
];

/// Repeatable arguments.
const REPEATED: [&str; 5] = ["short_name", "category", "column", "annotations", "labels"];

/// Arguments of kube and controller-gen, with kb's equivalent.
const EQUIVALENTS: &[(&str, &str)] = &[
    (
        "namespaced",
        "remove it; kinds are namespaced unless `scope = Cluster` is set",
    ),
    ("cluster", "use `scope = Cluster`"),
    ("shortname", "use `short_name`"),
    (
        "printcolumn",
        "use `column`, or `#[kb(column)]` on the field",
    ),
    ("path", "use `plural`"),
    ("annotation", "use `annotations(\"KEY\" = \"VALUE\")`"),
    ("label", "use `labels(\"KEY\" = \"VALUE\")`"),
    ("validation", "use `cel(\"RULE\", message = \"..\")`"),
    ("selectable", "use `#[kb(selectable)]` on the field"),
    ("derive", "use `#[derive(..)]` on the struct"),
    ("crates", "remove it; kb does not use it"),
    ("root", "remove it; the Rust type has the name of the kind"),
];

/// Parsed arguments.
#[expect(clippy::struct_excessive_bools, reason = "each one is an argument")]
pub(super) struct Arguments {
    pub(super) group: Option<(ApiGroup, LitStr)>,
    pub(super) version: Option<Version>,
    pub(super) kind: Option<(Kind, LitStr)>,
    pub(super) plural: Option<Plural>,
    pub(super) singular: Option<String>,
    pub(super) list_kind: Option<String>,
    pub(super) short_names: Vec<String>,
    pub(super) categories: Vec<String>,
    pub(super) scope: Scope,
    pub(super) status: Option<Type>,
    pub(super) status_subresource: Option<bool>,
    pub(super) optional_spec: bool,
    pub(super) no_spec: bool,
    pub(super) scale: Option<ScalePaths>,
    pub(super) columns: Vec<TypeColumn>,
    pub(super) storage: Option<bool>,
    pub(super) served: bool,
    pub(super) deprecated: Option<Deprecation>,
    pub(super) annotations: Vec<(String, String)>,
    pub(super) labels: Vec<(String, String)>,
    pub(super) doc: Option<String>,
    pub(super) default: bool,
    /// Markers of the whole object.
    pub(super) markers: ParsedMarkers,
    /// Argument names, in order.
    names: Vec<Ident>,
}

impl Arguments {
    pub(super) fn read(tokens: TokenStream, errors: &mut Errors) -> Self {
        let mut arguments = Self::new();
        let before = errors.count();
        let outcome = (|input: ParseStream| {
            attribute::each(input, errors, &mut |name, input, errors| {
                arguments.read_one(name, input, errors)
            });
            Ok(())
        })
        .parse2(tokens);
        // An error inside of parentheses may leave tokens, which syn would report again.
        if errors.count() == before {
            errors.take(outcome);
        }
        arguments
    }

    fn new() -> Self {
        Self {
            group: None,
            version: None,
            kind: None,
            plural: None,
            singular: None,
            list_kind: None,
            short_names: Vec::new(),
            categories: Vec::new(),
            scope: Scope::default(),
            status: None,
            status_subresource: None,
            optional_spec: false,
            no_spec: false,
            scale: None,
            columns: Vec::new(),
            storage: None,
            served: true,
            deprecated: None,
            annotations: Vec::new(),
            labels: Vec::new(),
            doc: None,
            default: true,
            markers: ParsedMarkers::new(Target::Kind),
            names: Vec::new(),
        }
    }

    /// Returns the position of an argument, even if its value is invalid.
    pub(super) fn find(&self, name: &str) -> Option<&Ident> {
        self.names.iter().find(|known| *known == name)
    }

    fn read_one(
        &mut self,
        name: &Ident,
        input: ParseStream,
        errors: &mut Errors,
    ) -> syn::Result<()> {
        if names(Target::Kind).any(|marker| name == marker) {
            return read_mark(name, input, &mut self.markers, errors);
        }
        let Some((known, usage)) = KNOWN.iter().find(|(known, _)| name == known) else {
            return Err(unknown(name));
        };
        if self.find(known).is_some() && !REPEATED.contains(known) {
            errors.at(name, format!("duplicate argument `{name}`"));
        }
        self.names.push(name.clone());
        self.read_value(known, &Argument { name, usage, input }, errors)
    }

    fn read_value(
        &mut self,
        name: &str,
        argument: &Argument,
        errors: &mut Errors,
    ) -> syn::Result<()> {
        match name {
            "group" => self.group = Some(parts::name_and_token(argument)?),
            "version" => self.version = Some(parts::name(&argument.text()?)?),
            "kind" => self.kind = Some(parts::name_and_token(argument)?),
            "plural" => self.plural = Some(parts::name(&argument.text()?)?),
            "singular" => self.singular = Some(parts::label("singular", &argument.text()?)?),
            "list_kind" => self.list_kind = Some(parts::list_kind(&argument.text()?)?),
            "short_name" => {
                let name = parts::label("short name", &argument.text()?)?;
                parts::add(&mut self.short_names, name, argument.name, errors);
            }
            "short_names" => parts::labels("short name", argument, &mut self.short_names, errors)?,
            "category" => {
                let name = parts::label("category", &argument.text()?)?;
                parts::add(&mut self.categories, name, argument.name, errors);
            }
            "categories" => parts::labels("category", argument, &mut self.categories, errors)?,
            "scope" => {
                let known = [
                    ("Namespaced", Scope::Namespaced),
                    ("Cluster", Scope::Cluster),
                ];
                self.scope = choose(argument, &argument.word()?, &known)?;
            }
            "status" => self.status = Some(parts::status(argument)?),
            "status_subresource" => self.status_subresource = Some(argument.flag()?),
            "optional_spec" => self.optional_spec = argument.flag()?,
            "no_spec" => self.no_spec = argument.flag()?,
            "scale" => self.scale = parts::scale(argument, errors)?,
            "column" => self.columns.extend(parts::column(argument, errors)?),
            "storage" => self.storage = Some(argument.flag()?),
            "served" => self.served = argument.flag()?,
            "deprecated" => self.deprecated = deprecation(argument)?,
            "annotations" => metadata::annotations(argument, &mut self.annotations, errors)?,
            "labels" => metadata::labels(argument, &mut self.labels, errors)?,
            "default" => self.default = argument.flag()?,
            _ => self.doc = Some(clean_text(&argument.text()?.value())),
        }
        Ok(())
    }
}

/// `deprecated`, `deprecated = true` or `deprecated = "warning"`.
fn deprecation(argument: &Argument) -> syn::Result<Option<Deprecation>> {
    let is_text = argument.input.peek(Token![=]) && argument.input.peek2(LitStr);
    if is_text {
        let warning = Some(argument.text()?.value());
        return Ok(Some(Deprecation { warning }));
    }
    let flag = argument.flag()?;
    Ok(flag.then_some(Deprecation { warning: None }))
}

fn unknown(name: &Ident) -> syn::Error {
    let text = name.to_string();
    let problem = format!("unknown argument `{text}`");
    if let Some((_, help)) = EQUIVALENTS.iter().find(|(word, _)| *word == text) {
        return error_with_help(name, problem, help);
    }
    let known = KNOWN
        .iter()
        .map(|(name, _)| *name)
        .chain(names(Target::Kind));
    let help = did_you_mean(&text, known)
        .unwrap_or_else(|| "use `#[kb(..)]` for markers of the spec and its fields".to_owned());
    error_with_help(name, problem, help)
}
