//! Random fields with markers that apply to their types.

use std::fmt::Write as _;

use proptest::prelude::RngExt as _;

use super::types::{Defined, TypeGenerator};

/// The parent of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Member {
    /// A spec, whose fields can be printer columns.
    Spec,
    /// Another struct.
    Object,
    /// A variant, whose fields have no visibility.
    Variant,
}

/// The schema type of a type expression.
pub(super) enum Form {
    Integer,
    Text,
    Bool,
    List(Box<Form>),
    Map(Box<Form>),
    Any,
    Other,
}

impl Form {
    /// Returns whether it contains arbitrary values, which CEL rules cannot access.
    fn is_open(&self) -> bool {
        match self {
            Self::Any => true,
            Self::List(inner) | Self::Map(inner) => inner.is_open(),
            Self::Integer | Self::Text | Self::Bool | Self::Other => false,
        }
    }
}

const WORDS: [&str; 12] = [
    "on",
    "y",
    "~",
    "0x1",
    "1_000",
    "2024-01-15",
    "a: b",
    "# no comment",
    "\\\"quoted\\\"",
    "ünï",
    "trailing ",
    "- dash",
];

impl TypeGenerator<'_> {
    /// Returns the fields of a struct or variant.
    pub(super) fn members(&mut self, known: &[Defined], member: Member) -> String {
        let mut members = String::new();
        let mut flattened = false;
        for _ in 0..self.rng.random_range(1..6) {
            let number = self.next();
            members.push_str(&self.docs("    "));
            let visibility = if member == Member::Variant {
                ""
            } else {
                "pub "
            };
            let structs: Vec<&Defined> = known.iter().filter(|known| known.is_struct).collect();
            if !structs.is_empty() && !flattened && member == Member::Spec && self.chance(10) {
                flattened = true;
                let name = &structs[self.rng.random_range(0..structs.len())].name;
                let _ = writeln!(
                    members,
                    "    #[serde(flatten)]\n    {visibility}flat_{number}: {name},"
                );
                continue;
            }
            let (ty, form) = self.expression(known, 2);
            let optional = self.chance(35);
            let marks = self.marks(&form, member, optional);
            if !marks.is_empty() {
                let _ = writeln!(members, "    #[kb({})]", marks.join(", "));
            }
            if self.chance(8) {
                let _ = writeln!(members, "    #[serde(rename = \"other-{number}\")]");
            }
            let ty = if optional {
                format!("Option<{ty}>")
            } else {
                ty
            };
            let _ = writeln!(members, "    {visibility}some_field_{number}: {ty},");
        }
        members
    }

    fn marks(&mut self, form: &Form, member: Member, optional: bool) -> Vec<String> {
        let mut marks = self.value_marks(form);
        if member == Member::Spec
            && matches!(form, Form::Integer | Form::Text | Form::Bool)
            && self.chance(20)
        {
            marks.push("column".to_owned());
        }
        if optional && self.chance(15) {
            marks.push("nullable".to_owned());
        }
        if member == Member::Spec && !form.is_open() && self.chance(8) {
            marks.push("immutable".to_owned());
        }
        if self.chance(20) {
            let default = match form {
                Form::Integer => Some("3".to_owned()),
                Form::Bool => Some("true".to_owned()),
                Form::Text => Some(format!("\"{}\"", self.one(&WORDS))),
                _ => None,
            };
            marks.extend(default.map(|value| format!("default = {value}")));
        }
        if !optional && matches!(form, Form::List(_) | Form::Map(_)) && self.chance(20) {
            marks.push("optional".to_owned());
        }
        marks
    }

    fn value_marks(&mut self, form: &Form) -> Vec<String> {
        let mut marks = Vec::new();
        let mut may = |generator: &mut Self, mark: &str| {
            if generator.chance(15) {
                marks.push(mark.to_owned());
            }
        };
        match form {
            Form::Integer => {
                may(self, "minimum = 1");
                may(self, "maximum = 100");
                may(self, "multiple_of = 1");
                may(self, "example = 7");
            }
            Form::Text => {
                may(self, "min_length = 1");
                may(self, "max_length = 200");
                may(self, "title = \"y\"");
                may(self, "example = \"1_000\"");
            }
            Form::List(element) => {
                may(self, "min_items = 1");
                may(self, "list_type = \"atomic\"");
                let inner = self.value_marks(element);
                if !inner.is_empty() && !matches!(**element, Form::Other) {
                    marks.push(format!("items({})", inner.join(", ")));
                }
            }
            Form::Map(value) => {
                may(self, "max_properties = 5");
                may(self, "map_type = \"atomic\"");
                let inner = self.value_marks(value);
                if !inner.is_empty() && !matches!(**value, Form::Other) {
                    marks.push(format!("values({})", inner.join(", ")));
                }
            }
            Form::Bool | Form::Any => {}
            Form::Other => may(self, "cel(\"1 == 1\", reason = \"FieldValueInvalid\")"),
        }
        marks
    }

    /// Returns a type expression.
    pub(super) fn expression(&mut self, known: &[Defined], depth: usize) -> (String, Form) {
        let deeper = depth > 0;
        match self.rng.random_range(0..16) {
            0..=2 => (
                self.one(&["i32", "i64", "u8", "u16", "u32", "u64", "i8"])
                    .to_owned(),
                Form::Integer,
            ),
            3..=4 => ("String".to_owned(), Form::Text),
            5 => ("bool".to_owned(), Form::Bool),
            6 => (
                self.one(&[
                    "Quantity",
                    "IntOrString",
                    "core::ResourceRequirements",
                    "meta::v1::LabelSelector",
                    "kb::k8s_openapi::api::core::v1::LocalObjectReference",
                    "core::EnvVar",
                ])
                .to_owned(),
                Form::Other,
            ),
            7 | 8 if deeper => {
                let (element, form) = self.expression(known, depth - 1);
                (format!("Vec<{element}>"), Form::List(Box::new(form)))
            }
            9 if deeper => {
                let (value, form) = self.expression(known, depth - 1);
                let map = self.one(&["BTreeMap", "HashMap", "std::collections::BTreeMap"]);
                (format!("{map}<String, {value}>"), Form::Map(Box::new(form)))
            }
            10 => ("BTreeSet<String>".to_owned(), Form::Other),
            12 => ("kb::serde_json::Value".to_owned(), Form::Any),
            11 => ("[i32; 2]".to_owned(), Form::List(Box::new(Form::Integer))),
            _ if !known.is_empty() => {
                let chosen = known[self.rng.random_range(0..known.len())].clone();
                if chosen.generic {
                    let (argument, _) = if deeper {
                        self.expression(known, depth - 1)
                    } else {
                        ("i32".to_owned(), Form::Integer)
                    };
                    return (format!("{}<{argument}>", chosen.name), Form::Other);
                }
                (chosen.name, Form::Other)
            }
            _ => ("i32".to_owned(), Form::Integer),
        }
    }
}
