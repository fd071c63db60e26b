//! Checks that markers fit types that only the compiler knows: behind an alias, in a newtype, generic.
//!
//! The macros call these functions in constants, so that a mismatch is a compile error at the marker. Which marker fits which
//! type is in [`kb_model::fit`], as for `kb-rs generate`.

use kb_model::fit;
pub use kb_model::fit::{Form as Literal, Requirement};

use crate::schema::Form;

/// Checks that a marker fits the form of its type.
///
/// `marker` and `value` are how messages name them: "items(minimum)", "an element of `ports`".
///
/// # Panics
///
/// If it does not.
#[track_caller]
pub const fn fits(marker: &str, value: &str, requirement: Requirement, form: Form) {
    let Some(json) = form.json() else { return };
    if requirement.accepts(json) {
        return;
    }
    let mut message = mismatch(marker, requirement.phrase(), value, json);
    if accepts(requirement, form.elements()) {
        message = message.add("; for its elements use `items(..)`");
    } else if accepts(requirement, form.values()) {
        message = message.add("; for its values use `values(..)`");
    } else if let (Some([least, most]), true) = (json.bounds(), is_size(marker)) {
        message = message
            .add("; use `")
            .add(least)
            .add("` and `")
            .add(most)
            .add("`");
    }
    panic!("{}", message.text());
}

/// Checks that a type admits the literal of a marker such as `enum`.
///
/// # Panics
///
/// If it does not.
#[track_caller]
pub const fn admits(marker: &str, value: &str, literal: Literal, form: Form) {
    if let Some(json) = form.json()
        && !json.admits(literal)
    {
        panic!(
            "{}",
            Message::new("a value in `")
                .add(marker)
                .add("` is ")
                .add(literal.phrase())
                .add(", but ")
                .add(value)
                .add(" is ")
                .add(json.phrase())
                .text()
        );
    }
}

/// Checks that a type without `#[kb(allow_float)]` contains no float.
///
/// # Panics
///
/// If it does.
#[track_caller]
pub const fn no_float(value: &str, form: Form) {
    if form.has_float() {
        let message = Message::new(value)
            .add(" is a float, which needs `#[kb(allow_float)]`: floats lose precision between clients, so Kubernetes APIs use integers or a `Quantity`");
        panic!("{}", message.text());
    }
}

const fn accepts(requirement: Requirement, form: Form) -> bool {
    match form.json() {
        Some(json) => requirement.accepts(json),
        None => false,
    }
}

/// Returns whether the marker bounds a size.
const fn is_size(marker: &str) -> bool {
    matches!(
        marker.as_bytes(),
        [b'm', b'i', b'n', ..] | [b'm', b'a', b'x', ..]
    )
}

const fn mismatch(marker: &str, required: &str, value: &str, found: fit::Form) -> Message {
    Message::new("`")
        .add(marker)
        .add("` requires ")
        .add(required)
        .add(", but ")
        .add(value)
        .add(" is ")
        .add(found.phrase())
}

/// A message built at compile time, where `format!` cannot be used.
struct Message {
    bytes: [u8; 512],
    length: usize,
}

impl Message {
    const fn new(text: &str) -> Self {
        let empty = Self {
            bytes: [0; 512],
            length: 0,
        };
        empty.add(text)
    }

    /// Appends a text, unless there is no room for it.
    const fn add(mut self, text: &str) -> Self {
        let text = text.as_bytes();
        if self.length + text.len() <= self.bytes.len() {
            let (_, room) = self.bytes.split_at_mut(self.length);
            let (room, _) = room.split_at_mut(text.len());
            room.copy_from_slice(text);
            self.length += text.len();
        }
        self
    }

    const fn text(&self) -> &str {
        match std::str::from_utf8(self.bytes.split_at(self.length).0) {
            Ok(text) => text,
            Err(_) => "the marker does not fit its type",
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    use kb_model::fit::{markers, requirement};

    use super::*;

    const FORMS: [Form; 13] = [
        Form::Any,
        Form::Boolean,
        Form::Integer,
        Form::Float,
        Form::Number,
        Form::String,
        Form::IntOrString,
        Form::List(&Form::Object),
        Form::Map(&Form::String),
        Form::Object,
        Form::OpenObject,
        Form::AllowFloat(&Form::Float),
        Form::Unknown,
    ];

    #[test]
    fn markers_fit_by_the_table() {
        for marker in markers() {
            for form in FORMS {
                let requirement = requirement(marker);
                let fits = catch_unwind(|| fits(marker, "`x`", requirement, form)).is_ok();
                let expected = form.json().is_none_or(|json| requirement.accepts(json));
                assert_eq!(fits, expected, "{marker} on {form:?}");
            }
        }
    }

    #[test]
    fn floats_need_a_permission_at_any_depth() {
        for (form, expected) in [
            (Form::Float, true),
            (Form::List(&Form::Map(&Form::Float)), true),
            (Form::AllowFloat(&Form::List(&Form::Float)), false),
            (Form::Number, false),
        ] {
            assert_eq!(form.has_float(), expected, "{form:?}");
        }
    }
}
