//! One field: its serde attributes and its markers into the model's [`Field`].

use kb_model::api::{Default, Field, Presence};
use proc_macro2::Ident;
use serde_derive_internals::ast;
use serde_derive_internals::name::MultiName;
use serde_json::Value;
use syn::spanned::Spanned;
use syn::{Member, Type, parse_quote};

use crate::default;
use crate::docs::docs;
use crate::errors::Errors;
use crate::item::{Expression, FieldPlace};
use crate::marks::{Place, Said, Subject, agree, fit};
use crate::object::{Collected, MarkedField};
use crate::serde_attrs::{Keys, WITH, default_function};
use crate::unsupported;
use crate::written_type::{Form, form, is_always_there, is_option};

/// Where a field stands.
pub(crate) struct Owner<'a> {
    /// The variant, in an enum.
    pub(crate) variant: Option<&'a Ident>,
    /// What an error calls the field if it has no name.
    pub(crate) content: String,
    /// Whether `#[serde(default)]` stands on the struct.
    pub(crate) has_default: bool,
}

/// How a field is called, for rules that name fields.
pub(crate) struct Named {
    /// Its Rust name.
    pub(crate) ident: Option<Ident>,
    /// Its name on the wire; empty if it is flattened.
    pub(crate) name: String,
    /// Whether it is known that it has to be there.
    pub(crate) must_be_there: bool,
    /// Whether its properties are those of the parent.
    pub(crate) flatten: bool,
}

/// Reads a field; none if serde leaves it out in both directions.
pub(crate) fn read(
    source: &ast::Field,
    MarkedField { said, keys }: &MarkedField,
    owner: &Owner,
    collected: &mut Collected,
    errors: &mut Errors,
) -> Option<(Field<usize>, Named)> {
    let attrs = &source.attrs;
    let ident = match &source.member {
        Member::Named(ident) => Some(ident.clone()),
        Member::Unnamed(_) => None,
    };
    let called = ident
        .as_ref()
        .map_or_else(|| owner.content.clone(), |ident| format!("`{ident}`"));
    if attrs.skip_serializing() && attrs.skip_deserializing() {
        unused(said, &format!("{called} is skipped"), errors);
        return None;
    }
    agree(said, errors);
    check_type(source.ty, said, keys, &called, errors);
    if attrs.flatten() {
        check_flattened(said, &called, errors);
    }
    let is_named = said.place == Place::Field && !attrs.flatten();
    let name = if is_named {
        wire_name(attrs.name(), &source.member, errors)
    } else {
        String::new()
    };
    if is_named && name.is_empty() {
        errors.at(&source.member, "a property needs a name");
    }
    let presence = presence(said, keys, owner, source);
    let ty = reference(source.ty, said, collected);
    let field = Field {
        name,
        docs: docs(&source.original.attrs),
        ty,
        presence,
        flatten: attrs.flatten(),
        allow_float: said.flags.allow_float,
        immutable: said.flags.immutable,
        default: read_default(source, said, owner, ident.as_ref(), collected, errors),
        marks: said.marks(),
        columns: said.columns.clone(),
        scale: said.scale,
        selectable: said.flags.selectable,
        lossy: said.lossy.clone(),
    };
    collected.fields.push(FieldPlace {
        name: field.name.clone(),
        field: ident.as_ref().map_or_else(|| source.ty.span(), Ident::span),
        ty: source.ty.span(),
        marks: said.places(),
    });
    let must_be_there = match presence {
        Presence::Required => true,
        Presence::Optional => false,
        Presence::ByType => ty.is_none() || is_always_there(source.ty),
    };
    let named = Named {
        ident,
        name: field.name.clone(),
        must_be_there,
        flatten: field.flatten,
    };
    Some((field, named))
}

/// Adds an error for each marker on something that has no schema.
pub(crate) fn unused(said: &Said, because: &str, errors: &mut Errors) {
    for written in &said.written {
        errors.at(
            &written.ident,
            format!("`{}` says nothing: {because}", written.name),
        );
    }
}

/// The one name of a field or a variant on the wire.
pub(crate) fn wire_name(
    name: &MultiName,
    at: &impl quote::ToTokens,
    errors: &mut Errors,
) -> String {
    let (written, read) = (name.serialize_name(), name.deserialize_name());
    if written.value != read.value {
        let problem = format!(
            "it is written as `{}` and read as `{}`, and a schema has one name",
            written.value, read.value
        );
        let help = format!("write `#[serde(rename = \"{}\")]`", written.value);
        errors.helped(at, problem, help);
    }
    written.value.clone()
}

/// What can be seen of the type: whether it has a schema, and whether the marks suit it.
fn check_type(ty: &Type, said: &Said, keys: &Keys, called: &str, errors: &mut Errors) {
    let replaced = said.replaces_type() || said.flags.json_schema;
    if let Some(with) = keys.find(&WITH)
        && !replaced
    {
        let problem = format!("what `{with}` writes has a schema that only its author knows");
        let help = "say the JSON type: `#[kb(schema_type = \"string\")]`";
        errors.helped(with, problem, help);
    } else if !replaced {
        unsupported::check(ty, said.flags.allow_float, errors);
    }
    if said.flags.allow_float && !may_have_float(ty) {
        unneeded_float(said, called, errors);
    }
    fit(said, Subject::of(called.to_owned(), ty), errors);
}

fn may_have_float(ty: &Type) -> bool {
    match form(ty) {
        Form::Bool | Form::Integer(_) | Form::Text => false,
        Form::List(Some(element)) => may_have_float(element),
        Form::Map(Some((_, value))) => may_have_float(value),
        _ => true,
    }
}

fn unneeded_float(said: &Said, called: &str, errors: &mut Errors) {
    if let Some(written) = said.find("allow_float") {
        errors.at(
            &written.ident,
            format!("`allow_float` says nothing: {called} has no float"),
        );
    }
}

/// A flattened field is no property: what is said of a property cannot be said of it.
fn check_flattened(said: &Said, called: &str, errors: &mut Errors) {
    const OF_PROPERTIES: [&str; 9] = [
        "default",
        "required",
        "optional",
        "nullable",
        "immutable",
        "selectable",
        "column",
        "scale",
        "lossy",
    ];
    for written in &said.written {
        if OF_PROPERTIES.contains(&written.name) {
            let problem = format!(
                "`{}` needs a property, and {called} is flattened into its parent",
                written.name
            );
            errors.helped(
                &written.ident,
                problem,
                "write it on the fields of its type",
            );
        }
    }
}

fn presence(said: &Said, keys: &Keys, owner: &Owner, source: &ast::Field) -> Presence {
    let skipped = source.attrs.skip_serializing() || source.attrs.skip_deserializing();
    let defaulted = keys.has("default") || owner.has_default;
    // Where the type is not looked at, nobody else will see the `Option`.
    let unseen = said.replaces_type() || said.flags.json_schema;
    if said.place != Place::Field {
        Presence::ByType
    } else if said.flags.required {
        Presence::Required
    } else if said.flags.optional || defaulted || skipped || (unseen && is_option(source.ty)) {
        Presence::Optional
    } else {
        Presence::ByType
    }
}

/// The position of the type, if it is looked at.
///
/// `int_or_string` alone is what the type of that name is. With `schemaless` it is nothing but the keyword.
fn reference(ty: &Type, said: &Said, collected: &mut Collected) -> Option<usize> {
    if said.plain().int_or_string && !said.flags.schemaless {
        let ty = parse_quote!(::kb::k8s_openapi::apimachinery::pkg::util::intstr::IntOrString);
        return Some(collected.reference(&ty, false));
    }
    (!said.replaces_type()).then(|| collected.reference(ty, said.flags.json_schema))
}

fn read_default(
    source: &ast::Field,
    said: &Said,
    owner: &Owner,
    ident: Option<&Ident>,
    collected: &mut Collected,
    errors: &mut Errors,
) -> Option<Default> {
    let expression = said.default.as_ref()?;
    let value = default::value(expression, form(source.ty));
    if value == Some(Value::Null) && !said.plain().nullable {
        let problem = "`None` is no default: a field that is absent is `None` already";
        errors.helped(expression, problem, "leave it out");
        return None;
    }
    let position = collected.expressions.len();
    collected.expressions.push(Expression {
        expression: expression.clone(),
        ty: source.ty.clone(),
        function: default_function(owner.variant, ident?),
    });
    Some(value.map_or(Default::Expression(position), Default::Value))
}
