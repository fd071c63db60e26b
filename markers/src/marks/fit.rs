//! Checks that markers fit the type they apply to, as far as its syntax tells.

use std::fmt;

use kb_model::api::{ScalePart, SchemaType};
use kb_model::fit::{self, Requirement, format_requirement, requirement};
use serde_json::{Number, Value};
use syn::Type;

use super::parsed::{ParsedMarkers, Place, Written};
use super::table::{Marker, marker};
use crate::default;
use crate::errors::Errors;
use crate::type_syntax::{Form, INTEGERS, form, with_article};

/// Target of markers.
#[derive(Clone)]
pub(crate) struct Subject<'a> {
    /// Name in messages: `` `name` `` or "its elements".
    pub(crate) name: String,
    /// Type in messages: "a String".
    pub(crate) is: Is<'a>,
    /// JSON form.
    pub(crate) form: Form<'a>,
}

/// Type in messages, formatted only when needed.
#[derive(Clone)]
pub(crate) enum Is<'a> {
    /// A Rust type.
    Of(&'a Type),
    /// A description.
    Words(String),
}

impl fmt::Display for Is<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Of(ty) => f.write_str(&with_article(ty)),
            Self::Words(words) => f.write_str(words),
        }
    }
}

impl<'a> Subject<'a> {
    /// Creates the subject for a value of this type.
    pub(crate) fn of(name: String, ty: &'a Type) -> Self {
        Self {
            name,
            is: Is::Of(ty),
            form: form(ty),
        }
    }

    /// Creates the subject for an element or a map value, whose type may not be written.
    fn inner(name: String, ty: Option<&'a Type>) -> Self {
        match ty {
            Some(ty) => Self::of(name, ty),
            None => Self {
                name,
                is: Is::Words("any JSON value".to_owned()),
                form: Form::Any,
            },
        }
    }

    /// Applies the JSON type that markers declare.
    fn declared(self, markers: &ParsedMarkers) -> Self {
        let marks = markers.plain();
        let declared = match marks.schema_type {
            _ if markers.flags.json_schema => Form::Unknown,
            Some(SchemaType::Array) => Form::List(None),
            Some(SchemaType::Boolean) => Form::Bool,
            Some(SchemaType::Integer) => Form::Integer("i64"),
            Some(SchemaType::Number) => Form::Float,
            Some(SchemaType::Object) => Form::OpenObject,
            Some(SchemaType::String) => Form::Text,
            None if marks.int_or_string => Form::IntOrString,
            None if markers.flags.schemaless => Form::Any,
            None => return self,
        };
        let same = |form: Form| matches!(form, Form::Map(_) | Form::Object);
        if self.form.json() == declared.json()
            || matches!(declared, Form::OpenObject) && same(self.form)
        {
            // The declared type is that of the Rust type.
            return self;
        }
        let names = ["schema_type", "int_or_string", "schemaless"];
        let is = match names.iter().find_map(|name| markers.find(name)) {
            Some(written) if written.value.is_empty() => {
                Is::Words(format!("declared `{}`", written.name))
            }
            Some(written) => Is::Words(format!("declared as {}", written.value)),
            None => self.is,
        };
        Self {
            is,
            form: declared,
            ..self
        }
    }
}

/// Reports each marker that does not fit its type, including those of elements and map values.
pub(crate) fn fit(markers: &ParsedMarkers, subject: Subject, errors: &mut Errors) {
    let subject = subject.declared(markers);
    for written in &markers.written {
        let Some(marker) = marker(written.name) else {
            continue;
        };
        let label = match (written.name, markers.scale) {
            ("scale", Some(ScalePart::Replicas)) => "scale(replicas)",
            ("scale", Some(ScalePart::Selector)) => "scale(selector)",
            (name, _) => name,
        };
        let requirement = match &markers.plain().format {
            Some(format) if label == "format" => {
                format_requirement(format).unwrap_or(Requirement::None)
            }
            _ => requirement(label),
        };
        if !accepts(requirement, subject.form) {
            let help = advice(marker, requirement, subject.form);
            misfit(written, label, requirement, &subject, help, errors);
        }
    }
    numbers(markers, &subject, errors);
    values_fit(markers, &subject, errors);
    keys_fit(markers, &subject, errors);
    if let (Some(items), Form::List(element)) = (&markers.items, subject.form) {
        let name = format!("an element of {}", subject.name);
        fit(items, Subject::inner(name, element), errors);
    }
    if let (Some(values), Form::Map(_) | Form::OpenObject) = (&markers.values, subject.form) {
        let name = format!("a value of {}", subject.name);
        let value = match subject.form {
            Form::Map(Some((_, value))) => Some(value),
            _ => None,
        };
        fit(values, Subject::inner(name, value), errors);
    }
}

/// Returns whether a form meets a requirement. Unknown forms are left to the resolver.
fn accepts(requirement: Requirement, form: Form) -> bool {
    form.json().is_none_or(|form| requirement.accepts(form))
}

fn misfit(
    written: &Written,
    label: &str,
    requirement: Requirement,
    subject: &Subject,
    help: Option<String>,
    errors: &mut Errors,
) {
    let (subject, is) = (&subject.name, &subject.is);
    let problem = format!(
        "`{label}` requires {}, but {subject} is {is}",
        requirement.phrase()
    );
    match help {
        Some(help) => errors.helped(&written.ident, problem, help),
        None => errors.at(&written.ident, problem),
    }
}

/// Suggests what the author may have meant.
fn advice(marker: &Marker, requirement: Requirement, found: Form) -> Option<String> {
    let (name, usage) = (marker.name, marker.usage);
    let below = marker.places.contains(&Place::Element);
    match (requirement, found) {
        (Requirement::Scalar, _) => Some(format!(
            "use `{name}(json_path = \"..\")` in `#[kb::resource(..)]` to show a part of it"
        )),
        (_, Form::List(Some(element))) if below && accepts(requirement, form(element)) => {
            Some(format!("use `items({usage})` to validate its elements"))
        }
        (_, Form::Map(Some((_, value)))) if below && accepts(requirement, form(value)) => {
            Some(format!("use `values({usage})` to validate its values"))
        }
        _ if !is_size(name) => None,
        _ => {
            let [least, most] = found.json()?.bounds()?;
            Some(format!("use `{least}` and `{most}`"))
        }
    }
}

/// Returns whether a marker bounds a size.
fn is_size(name: &str) -> bool {
    name.starts_with("min") || name.starts_with("max")
}

/// Checks that bounds of integers are integers within the range of the type.
fn numbers(markers: &ParsedMarkers, subject: &Subject, errors: &mut Errors) {
    let Form::Integer(integer) = subject.form else {
        return;
    };
    let marks = markers.plain();
    for (name, number) in [
        ("minimum", &marks.minimum),
        ("maximum", &marks.maximum),
        ("multiple_of", &marks.multiple_of),
    ] {
        let (Some(number), Some(written)) = (number, markers.find(name)) else {
            continue;
        };
        if number.is_f64() {
            let problem = format!(
                "`{name}` must be an integer, because {} is {}",
                subject.name, subject.is
            );
            errors.at(&written.value, problem);
        } else if name != "multiple_of"
            && let Some((least, most)) = beyond(integer, number)
        {
            let problem =
                format!("{number} is out of range for `{integer}`: expected {least} to {most}");
            errors.at(&written.value, problem);
        }
    }
}

/// Returns the range of the integer type if the number is outside of it.
fn beyond(integer: &str, number: &Number) -> Option<(i128, i128)> {
    let number = number
        .as_i64()
        .map(i128::from)
        .or_else(|| number.as_u64().map(i128::from))?;
    let (_, least, most) = INTEGERS.iter().find(|(name, ..)| *name == integer)?;
    (number < *least || number > *most).then_some((*least, *most))
}

/// Checks that literal values match the type.
fn values_fit(markers: &ParsedMarkers, subject: &Subject, errors: &mut Errors) {
    let marks = markers.plain();
    let default = markers.default.as_ref();
    let default = default.and_then(|default| default::value(default, subject.form));
    let mut check = |name: &str, values: &[Value]| {
        let Some(written) = markers.find(name) else {
            return;
        };
        let wrong = values
            .iter()
            .find(|value| !is_value_of(value, subject.form));
        if let Some(wrong) = wrong {
            let problem = format!(
                "mismatched types: {} is {}, found {wrong}",
                subject.name, subject.is
            );
            errors.at(&written.value, problem);
        }
        let again = |(index, value): &(usize, &Value)| values[..*index].contains(value);
        if let Some((_, value)) = values.iter().enumerate().find(again) {
            errors.at(&written.value, format!("duplicate value {value}"));
        }
    };
    check("enum", &marks.enum_values);
    check("example", marks.example.as_slice());
    check("default", default.as_slice());
}

fn is_value_of(value: &Value, form: Form) -> bool {
    let literal = match value {
        Value::Null => return true,
        Value::Bool(_) => fit::Form::Boolean,
        Value::Number(number) if number.is_f64() => fit::Form::Number,
        Value::Number(_) => fit::Form::Integer,
        Value::String(_) => fit::Form::String,
        Value::Array(_) => fit::Form::List,
        Value::Object(_) => fit::Form::Object,
    };
    form.json().is_none_or(|form| form.admits(literal))
}

/// Checks that elements of a map list are objects.
fn keys_fit(markers: &ParsedMarkers, subject: &Subject, errors: &mut Errors) {
    let (Some(written), Form::List(Some(element))) = (markers.find("list_map_key"), subject.form)
    else {
        return;
    };
    if !accepts(Requirement::Object, form(element)) {
        let is = with_article(element);
        let problem =
            format!("`list_map_key` requires a list of objects, but each element is {is}");
        errors.helped(&written.ident, problem, "use `list_type = \"set\"`");
    }
}
