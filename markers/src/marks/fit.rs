//! Checks that markers fit the type they apply to, as far as its syntax tells.

use std::fmt;

use kb_model::api::{ScalePart, SchemaType};
use kb_model::fit::{self, Requirement, format_requirement, requirement};
use serde_json::{Number, Value};
use syn::Type;

use super::parsed::{MarkerEntry, ParsedMarkers, Target};
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
    pub(crate) phrase: TypePhrase<'a>,
    /// JSON form.
    pub(crate) form: Form<'a>,
}

/// Type in messages, formatted only when needed.
#[derive(Clone)]
pub(crate) enum TypePhrase<'a> {
    /// A Rust type.
    Type(&'a Type),
    /// A description.
    Text(String),
}

impl fmt::Display for TypePhrase<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Type(ty) => f.write_str(&with_article(ty)),
            Self::Text(text) => f.write_str(text),
        }
    }
}

impl<'a> Subject<'a> {
    /// Creates the subject for a value of this type.
    pub(crate) fn of(name: String, ty: &'a Type) -> Self {
        Self {
            name,
            phrase: TypePhrase::Type(ty),
            form: form(ty),
        }
    }

    /// Creates the subject for an element or a map value, whose type may not be written.
    fn inner(name: String, ty: Option<&'a Type>) -> Self {
        match ty {
            Some(ty) => Self::of(name, ty),
            None => Self {
                name,
                phrase: TypePhrase::Text("any JSON value".to_owned()),
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
        let phrase = match names.iter().find_map(|name| markers.find(name)) {
            Some(entry) if entry.value.is_empty() => {
                TypePhrase::Text(format!("declared `{}`", entry.name))
            }
            Some(entry) => TypePhrase::Text(format!("declared as {}", entry.value)),
            None => self.phrase,
        };
        Self {
            phrase,
            form: declared,
            ..self
        }
    }
}

/// Reports each marker that does not fit its type, including those of elements and map values.
pub(crate) fn check_fit(markers: &ParsedMarkers, subject: Subject, errors: &mut Errors) {
    let subject = subject.declared(markers);
    for entry in &markers.entries {
        let Some(marker) = marker(entry.name) else {
            continue;
        };
        let label = match (entry.name, markers.scale) {
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
            mismatch(entry, label, requirement, &subject, help, errors);
        }
    }
    check_numbers(markers, &subject, errors);
    check_values(markers, &subject, errors);
    check_list_map_keys(markers, &subject, errors);
    if let (Some(items), Form::List(element)) = (&markers.items, subject.form) {
        let name = format!("an element of {}", subject.name);
        check_fit(items, Subject::inner(name, element), errors);
    }
    if let (Some(values), Form::Map(_) | Form::OpenObject) = (&markers.values, subject.form) {
        let name = format!("a value of {}", subject.name);
        let value = match subject.form {
            Form::Map(Some((_, value))) => Some(value),
            _ => None,
        };
        check_fit(values, Subject::inner(name, value), errors);
    }
}

/// Returns whether a form meets a requirement. Unknown forms are left to the resolver.
fn accepts(requirement: Requirement, form: Form) -> bool {
    form.json().is_none_or(|form| requirement.accepts(form))
}

fn mismatch(
    entry: &MarkerEntry,
    label: &str,
    requirement: Requirement,
    subject: &Subject,
    help: Option<String>,
    errors: &mut Errors,
) {
    let (subject, phrase) = (&subject.name, &subject.phrase);
    let problem = format!(
        "`{label}` requires {}, but {subject} is {phrase}",
        requirement.phrase()
    );
    match help {
        Some(help) => errors.at_with_help(&entry.ident, problem, help),
        None => errors.at(&entry.ident, problem),
    }
}

/// Suggests what the author may have meant.
fn advice(marker: &Marker, requirement: Requirement, found: Form) -> Option<String> {
    let (name, usage) = (marker.name, marker.usage);
    let on_elements = marker.targets.contains(&Target::Element);
    match (requirement, found) {
        (Requirement::Scalar, _) => Some(format!(
            "use `{name}(json_path = \"..\")` in `#[kb::resource(..)]` to show a part of it"
        )),
        (_, Form::List(Some(element))) if on_elements && accepts(requirement, form(element)) => {
            Some(format!("use `items({usage})` to validate its elements"))
        }
        (_, Form::Map(Some((_, value)))) if on_elements && accepts(requirement, form(value)) => {
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
fn check_numbers(markers: &ParsedMarkers, subject: &Subject, errors: &mut Errors) {
    let Form::Integer(integer) = subject.form else {
        return;
    };
    let marks = markers.plain();
    for (name, number) in [
        ("minimum", &marks.minimum),
        ("maximum", &marks.maximum),
        ("multiple_of", &marks.multiple_of),
    ] {
        let (Some(number), Some(entry)) = (number, markers.find(name)) else {
            continue;
        };
        if number.is_f64() {
            let problem = format!(
                "`{name}` must be an integer, because {} is {}",
                subject.name, subject.phrase
            );
            errors.at(&entry.value, problem);
        } else if name != "multiple_of"
            && let Some((least, most)) = exceeded_range(integer, number)
        {
            let problem =
                format!("{number} is out of range for `{integer}`: expected {least} to {most}");
            errors.at(&entry.value, problem);
        }
    }
}

/// Returns the range of the integer type if the number is outside of it.
fn exceeded_range(integer: &str, number: &Number) -> Option<(i128, i128)> {
    let number = number
        .as_i64()
        .map(i128::from)
        .or_else(|| number.as_u64().map(i128::from))?;
    let (_, least, most) = INTEGERS.iter().find(|(name, ..)| *name == integer)?;
    (number < *least || number > *most).then_some((*least, *most))
}

/// Checks that literal values match the type.
fn check_values(markers: &ParsedMarkers, subject: &Subject, errors: &mut Errors) {
    let marks = markers.plain();
    let default = markers.default.as_ref();
    let default = default.and_then(|default| default::value(default, subject.form));
    let mut check = |name: &str, values: &[Value]| {
        let Some(entry) = markers.find(name) else {
            return;
        };
        let wrong = values
            .iter()
            .find(|value| !is_value_of(value, subject.form));
        if let Some(wrong) = wrong {
            let problem = format!(
                "mismatched types: {} is {}, found {wrong}",
                subject.name, subject.phrase
            );
            errors.at(&entry.value, problem);
        }
        let again = |(index, value): &(usize, &Value)| values[..*index].contains(value);
        if let Some((_, value)) = values.iter().enumerate().find(again) {
            errors.at(&entry.value, format!("duplicate value {value}"));
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
fn check_list_map_keys(markers: &ParsedMarkers, subject: &Subject, errors: &mut Errors) {
    let (Some(entry), Form::List(Some(element))) = (markers.find("list_map_key"), subject.form)
    else {
        return;
    };
    if !accepts(Requirement::Object, form(element)) {
        let phrase = with_article(element);
        let problem =
            format!("`list_map_key` requires a list of objects, but each element is {phrase}");
        errors.at_with_help(&entry.ident, problem, "use `list_type = \"set\"`");
    }
}
