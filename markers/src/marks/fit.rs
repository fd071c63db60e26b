//! Marks that do not suit the type they stand on, as far as it can be seen from how the type is written.

use std::fmt;

use kb_model::api::{ScalePart, SchemaType};
use serde_json::{Number, Value};
use syn::Type;

use super::format::{OF_INTEGERS, OF_NUMBERS, OF_TEXTS};
use super::markers::{Marker, Needs, marker};
use super::said::{Place, Said, Written};
use crate::default;
use crate::errors::Errors;
use crate::written_type::{Form, INTEGERS, form, with_article};

/// What marks stand on.
#[derive(Clone)]
pub(crate) struct Subject<'a> {
    /// What it is called in a message: `` `name` ``, or "its elements".
    pub(crate) name: String,
    /// What it is in a message: "a String".
    pub(crate) is: Is<'a>,
    /// What it is on the wire.
    pub(crate) form: Form<'a>,
}

/// What something is in a message. A type is printed only when there is one.
#[derive(Clone)]
pub(crate) enum Is<'a> {
    /// Of this type, as it is written.
    Of(&'a Type),
    /// What these words say.
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
    /// Something of this type.
    pub(crate) fn of(name: String, ty: &'a Type) -> Self {
        Self {
            name,
            is: Is::Of(ty),
            form: form(ty),
        }
    }

    /// The same with a JSON type that its marks say.
    fn said(self, said: &Said) -> Self {
        let marks = said.plain();
        let form = match marks.schema_type {
            _ if said.flags.schemaless || said.flags.json_schema || marks.int_or_string => {
                Form::Unknown
            }
            None => return self,
            Some(SchemaType::Array) => Form::List(None),
            Some(SchemaType::Boolean) => Form::Bool,
            Some(SchemaType::Integer) => Form::Integer("i64"),
            Some(SchemaType::Number) => Form::Float,
            Some(SchemaType::Object) => Form::Unknown,
            Some(SchemaType::String) => Form::Text,
        };
        let is = said.find("schema_type").map_or(self.is, |written| {
            Is::Words(format!("said to be of type {}", written.value))
        });
        Self { is, form, ..self }
    }
}

/// Adds an error for each mark that does not suit, among those of elements and values, too.
pub(crate) fn fit(said: &Said, subject: Subject, errors: &mut Errors) {
    let subject = subject.said(said);
    for written in &said.written {
        let Some(marker) = marker(written.name) else {
            continue;
        };
        let needs = match (written.name, said.scale) {
            ("scale", Some(ScalePart::Replicas)) => Needs::Integer,
            ("scale", Some(ScalePart::Selector)) => Needs::Text,
            _ => marker.needs,
        };
        if !satisfies(needs, subject.form) {
            let help = advice(marker, needs, subject.form);
            unsuited(written, needs, &subject, help, errors);
        }
    }
    numbers(said, &subject, errors);
    format_fits(said, &subject, errors);
    values_fit(said, &subject, errors);
    keys_fit(said, &subject, errors);
    if let (Some(items), Form::List(Some(element))) = (&said.items, subject.form) {
        let name = format!("an element of {}", subject.name);
        fit(items, Subject::of(name, element), errors);
    }
    if let (Some(values), Form::Map(Some((_, value)))) = (&said.values, subject.form) {
        let name = format!("a value of {}", subject.name);
        fit(values, Subject::of(name, value), errors);
    }
}

fn satisfies(needs: Needs, form: Form) -> bool {
    match (needs, form) {
        (_, Form::Unknown) | (Needs::Any, _) => true,
        (Needs::Number, form) => matches!(form, Form::Integer(_) | Form::Float),
        (Needs::Integer, form) => matches!(form, Form::Integer(_)),
        (Needs::Text, form) => matches!(form, Form::Text),
        (Needs::List, form) => matches!(form, Form::List(_)),
        (Needs::Map, form) => matches!(form, Form::Map(_)),
        (Needs::Object, form) => matches!(form, Form::Map(_) | Form::Object),
        (Needs::Open, form) => is_compound(form),
        (Needs::Scalar, form) => !is_compound(form),
        (Needs::Selectable, form) => matches!(form, Form::Bool | Form::Integer(_) | Form::Text),
    }
}

fn is_compound(form: Form) -> bool {
    matches!(form, Form::List(_) | Form::Map(_) | Form::Object)
}

fn unsuited(
    written: &Written,
    needs: Needs,
    subject: &Subject,
    help: Option<String>,
    errors: &mut Errors,
) {
    let what = match needs {
        Needs::Any => "something else",
        Needs::Number => "a number",
        Needs::Integer => "an integer",
        Needs::Text => "a string",
        Needs::List => "a list",
        Needs::Map => "a map",
        Needs::Object => "a map or an object",
        Needs::Open => "an object",
        Needs::Scalar => "a single value",
        Needs::Selectable => "a string, an integer or a boolean",
    };
    let name = match (written.name, needs) {
        ("scale", Needs::Integer) => "scale(replicas)",
        ("scale", _) => "scale(selector)",
        (name, _) => name,
    };
    let (subject, is) = (&subject.name, &subject.is);
    let problem = format!("`{name}` needs {what}, and {subject} is {is}");
    match help {
        Some(help) => errors.helped(&written.ident, problem, help),
        None => errors.at(&written.ident, problem),
    }
}

/// What the author may have meant.
fn advice(marker: &Marker, needs: Needs, found: Form) -> Option<String> {
    let (name, usage) = (marker.name, marker.usage);
    let below = marker.places.contains(&Place::Element);
    let bounds = |of: &str, least: &str, most: &str| {
        Some(format!("for its {of} use `{least}` and `{most}`"))
    };
    match (needs, found) {
        (Needs::Scalar, _) => Some(format!(
            "`{name}(json_path = \"..\")` in `#[kb::resource(..)]` can show a part of it"
        )),
        (_, Form::List(Some(element))) if below && satisfies(needs, form(element)) => {
            Some(format!("for its elements write `items({usage})`"))
        }
        (_, Form::Map(Some((_, value)))) if below && satisfies(needs, form(value)) => {
            Some(format!("for its values write `values({usage})`"))
        }
        _ if !is_size(name) => None,
        (_, Form::Text) => bounds("length", "min_length", "max_length"),
        (_, Form::Integer(_) | Form::Float) => bounds("value", "minimum", "maximum"),
        (_, Form::List(_)) => bounds("length", "min_items", "max_items"),
        (_, Form::Map(_) | Form::Object) => bounds("size", "min_properties", "max_properties"),
        _ => None,
    }
}

/// Whether a marker is about how much there is.
fn is_size(name: &str) -> bool {
    name.starts_with("min") || name.starts_with("max")
}

/// Bounds of integers are whole, and within the type.
fn numbers(said: &Said, subject: &Subject, errors: &mut Errors) {
    let Form::Integer(integer) = subject.form else {
        return;
    };
    let marks = said.plain();
    for (name, number) in [
        ("minimum", &marks.minimum),
        ("maximum", &marks.maximum),
        ("multiple_of", &marks.multiple_of),
    ] {
        let (Some(number), Some(written)) = (number, said.find(name)) else {
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
            let problem = format!("{number} is beyond `{integer}`, which holds {least} to {most}");
            errors.at(&written.value, problem);
        }
    }
}

/// The range of the integer, if the number is not in it.
fn beyond(integer: &str, number: &Number) -> Option<(i128, i128)> {
    let number = number
        .as_i64()
        .map(i128::from)
        .or_else(|| number.as_u64().map(i128::from))?;
    let (_, least, most) = INTEGERS.iter().find(|(name, ..)| *name == integer)?;
    (number < *least || number > *most).then_some((*least, *most))
}

fn format_fits(said: &Said, subject: &Subject, errors: &mut Errors) {
    let (Some(format), Some(written)) = (&said.plain().format, said.find("format")) else {
        return;
    };
    let of = |known: &[&str]| known.contains(&format.as_str());
    let (values, fits) = match subject.form {
        Form::Unknown => return,
        form if of(&OF_INTEGERS) => ("integers", matches!(form, Form::Integer(_))),
        form if of(&OF_NUMBERS) => ("numbers", matches!(form, Form::Float)),
        form if of(&OF_TEXTS) => ("strings", matches!(form, Form::Text)),
        // No format at all: that has been said.
        _ => return,
    };
    if !fits {
        let (name, is) = (&subject.name, &subject.is);
        let problem = format!("the format `{format}` is for {values}, and {name} is {is}");
        errors.at(&written.value, problem);
    }
}

/// Values that are written out are of the type.
fn values_fit(said: &Said, subject: &Subject, errors: &mut Errors) {
    let marks = said.plain();
    let default = said.default.as_ref();
    let default = default.and_then(|default| default::value(default, subject.form));
    let mut check = |name: &str, values: &[Value]| {
        let Some(written) = said.find(name) else {
            return;
        };
        let wrong = values
            .iter()
            .find(|value| !value.is_null() && !is_value_of(value, subject.form));
        if let Some(wrong) = wrong {
            let problem = format!("{} is {}, and cannot be {wrong}", subject.name, subject.is);
            errors.at(&written.value, problem);
        }
        let again = |(index, value): &(usize, &Value)| values[..*index].contains(value);
        if let Some((_, value)) = values.iter().enumerate().find(again) {
            errors.at(&written.value, format!("{value} is there twice"));
        }
    };
    check("enum", &marks.enum_values);
    check("example", marks.example.as_slice());
    check("default", default.as_slice());
}

fn is_value_of(value: &Value, form: Form) -> bool {
    match form {
        Form::Bool => value.is_boolean(),
        Form::Integer(_) => value.is_i64() || value.is_u64(),
        Form::Float => value.is_number(),
        Form::Text => value.is_string(),
        Form::List(_) => value.is_array(),
        Form::Map(_) | Form::Object => value.is_object(),
        Form::Unknown => true,
    }
}

/// The elements of a list that is a map are objects.
fn keys_fit(said: &Said, subject: &Subject, errors: &mut Errors) {
    let (Some(written), Form::List(Some(element))) = (said.find("list_map_key"), subject.form)
    else {
        return;
    };
    if !satisfies(Needs::Object, form(element)) {
        let is = with_article(element);
        let problem = format!("`list_map_key` needs elements that are objects, and each is {is}");
        errors.helped(&written.ident, problem, "write `list_type = \"set\"`");
    }
}
