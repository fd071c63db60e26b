//! Reads a field: serde attributes and markers into the model's [`Field`].

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
use crate::item::{Expression, FieldSpans};
use crate::marks::{ParsedMarkers, Subject, Target, check_conflicts, check_fit};
use crate::object::{Collector, MarkedField};
use crate::serde_attrs::{Keys, WITH, default_function};
use crate::type_syntax::{Form, form, is_never_option, is_option};
use crate::unsupported;

/// Context of a field.
pub(crate) struct Owner<'a> {
    /// Variant of an enum.
    pub(crate) variant: Option<&'a Ident>,
    /// Name in messages if the field has none.
    pub(crate) content: String,
    /// Whether the struct has `#[serde(default)]`.
    pub(crate) has_default: bool,
}

/// Names of a field, for rules that refer to fields.
pub(crate) struct FieldName {
    /// Rust name.
    pub(crate) ident: Option<Ident>,
    /// JSON name; empty if flattened.
    pub(crate) name: String,
    /// Whether it is known to be required.
    pub(crate) required: bool,
    /// Whether it is flattened.
    pub(crate) flatten: bool,
}

/// Reads a field. Returns `None` if serde skips it in both directions.
pub(crate) fn read(
    source: &ast::Field,
    MarkedField { markers, keys }: &MarkedField,
    owner: &Owner,
    collector: &mut Collector,
    errors: &mut Errors,
) -> Option<(Field<usize>, FieldName)> {
    let attrs = &source.attrs;
    let ident = match &source.member {
        Member::Named(ident) => Some(ident.clone()),
        Member::Unnamed(_) => None,
    };
    let label = ident
        .as_ref()
        .map_or_else(|| owner.content.clone(), |ident| format!("`{ident}`"));
    if attrs.skip_serializing() && attrs.skip_deserializing() {
        report_unused(markers, &format!("{label} is skipped"), errors);
        return None;
    }
    check_conflicts(markers, errors);
    check_type(source.ty, markers, keys, &label, errors);
    if attrs.flatten() {
        check_flattened(markers, &label, errors);
    }
    let is_named = markers.target == Target::Field && !attrs.flatten();
    let name = if is_named {
        wire_name(attrs.name(), &source.member, errors)
    } else {
        String::new()
    };
    if is_named && name.is_empty() {
        errors.at(&source.member, "property name must not be empty");
    }
    let presence = presence(markers, keys, owner, source);
    let ty = reference(source.ty, markers, collector);
    let field = Field {
        name,
        docs: docs(&source.original.attrs),
        ty,
        presence,
        flatten: attrs.flatten(),
        allow_float: markers.flags.allow_float,
        immutable: markers.flags.immutable,
        default: read_default(source, markers, owner, ident.as_ref(), collector, errors),
        marks: markers.marks(),
        columns: markers.columns.clone(),
        scale: markers.scale,
        selectable: markers.flags.selectable,
        lossy: markers.lossy.clone(),
    };
    collector.fields.push(FieldSpans {
        name: field.name.clone(),
        field: ident.as_ref().map_or_else(|| source.ty.span(), Ident::span),
        ty: source.ty.span(),
        marks: markers.spans(),
    });
    let required = match presence {
        Presence::Required => true,
        Presence::Optional => false,
        Presence::ByType => ty.is_none() || is_never_option(source.ty),
    };
    let named = FieldName {
        ident,
        name: field.name.clone(),
        required,
        flatten: field.flatten,
    };
    Some((field, named))
}

/// Reports markers on something without a schema.
pub(crate) fn report_unused(markers: &ParsedMarkers, because: &str, errors: &mut Errors) {
    for entry in &markers.entries {
        errors.at(
            &entry.ident,
            format!("`{}` has no effect: {because}", entry.name),
        );
    }
}

/// Returns the JSON name of a field or variant, which must be the same in both directions.
pub(crate) fn wire_name(
    name: &MultiName,
    at: &impl quote::ToTokens,
    errors: &mut Errors,
) -> String {
    let (serialized, deserialized) = (name.serialize_name(), name.deserialize_name());
    if serialized.value != deserialized.value {
        let problem = format!(
            "serialized as `{}` but deserialized as `{}`; a property has a single name",
            serialized.value, deserialized.value
        );
        let help = format!("use `#[serde(rename = \"{}\")]`", serialized.value);
        errors.at_with_help(at, problem, help);
    }
    serialized.value.clone()
}

/// Checks that the type has a schema and fits the markers.
fn check_type(ty: &Type, markers: &ParsedMarkers, keys: &Keys, label: &str, errors: &mut Errors) {
    let replaced = markers.replaces_type() || markers.flags.json_schema;
    if let Some(with) = keys.find(&WITH)
        && !replaced
    {
        let problem =
            format!("the schema of a type with a custom serializer (`{with}`) is unknown");
        let help = "add the JSON type: `#[kb(schema_type = \"string\")]`";
        errors.at_with_help(with, problem, help);
    } else if !replaced {
        unsupported::check(ty, markers.flags.allow_float, errors);
    }
    if markers.flags.allow_float && !may_have_float(ty) {
        report_unneeded_float(markers, label, errors);
    }
    check_fit(markers, Subject::of(label.to_owned(), ty), errors);
}

fn may_have_float(ty: &Type) -> bool {
    match form(ty) {
        Form::Bool | Form::Integer(_) | Form::Text => false,
        Form::List(Some(element)) => may_have_float(element),
        Form::Map(Some((_, value))) => may_have_float(value),
        _ => true,
    }
}

fn report_unneeded_float(markers: &ParsedMarkers, label: &str, errors: &mut Errors) {
    if let Some(entry) = markers.find("allow_float") {
        errors.at(
            &entry.ident,
            format!("`allow_float` has no effect: {label} contains no float"),
        );
    }
}

/// Rejects markers of properties on a flattened field.
fn check_flattened(markers: &ParsedMarkers, label: &str, errors: &mut Errors) {
    const PROPERTY_MARKERS: [&str; 9] = [
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
    for entry in &markers.entries {
        if PROPERTY_MARKERS.contains(&entry.name) {
            let problem = format!(
                "`{}` requires a property, but {label} is flattened into its parent",
                entry.name
            );
            errors.at_with_help(&entry.ident, problem, "move it to the fields of its type");
        }
    }
}

fn presence(markers: &ParsedMarkers, keys: &Keys, owner: &Owner, source: &ast::Field) -> Presence {
    let skipped = source.attrs.skip_serializing() || source.attrs.skip_deserializing();
    let has_default = keys.has("default") || owner.has_default;
    // The type is ignored, so `Option` must be detected here.
    let ignores_type = markers.replaces_type() || markers.flags.json_schema;
    if markers.target != Target::Field {
        Presence::ByType
    } else if markers.flags.required {
        Presence::Required
    } else if markers.flags.optional
        || has_default
        || skipped
        || (ignores_type && is_option(source.ty))
    {
        Presence::Optional
    } else {
        Presence::ByType
    }
}

/// Returns the index of the type, unless it is ignored.
///
/// `int_or_string` alone replaces the type. With `schemaless` it is only the keyword.
fn reference(ty: &Type, markers: &ParsedMarkers, collector: &mut Collector) -> Option<usize> {
    if markers.plain().int_or_string && !markers.flags.schemaless {
        let ty = parse_quote!(::kb::k8s_openapi::apimachinery::pkg::util::intstr::IntOrString);
        return Some(collector.reference(&ty, false));
    }
    (!markers.replaces_type()).then(|| collector.reference(ty, markers.flags.json_schema))
}

fn read_default(
    source: &ast::Field,
    markers: &ParsedMarkers,
    owner: &Owner,
    ident: Option<&Ident>,
    collector: &mut Collector,
    errors: &mut Errors,
) -> Option<Default> {
    let expression = markers.default.as_ref()?;
    let value = default::value(expression, form(source.ty));
    if value == Some(Value::Null) && !markers.plain().nullable {
        let problem = "`None` is already the default of an absent field";
        errors.at_with_help(expression, problem, "remove it");
        return None;
    }
    let position = collector.expressions.len();
    collector.expressions.push(Expression {
        expression: expression.clone(),
        ty: source.ty.clone(),
        function: default_function(owner.variant, ident?),
    });
    Some(value.map_or(Default::Expression(position), Default::Value))
}
