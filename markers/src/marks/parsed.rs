//! Parsed markers of an item, a field or a type: the model's [`Marks`], the field properties, and the source positions.

use kb_model::api::{Column, Marks, OneOfKind, ScalePart};
use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::{Expr, Ident};

use crate::attribute::Word;

/// Position of a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// In `#[kb::resource(...)]`.
    Kind,
    /// On a struct or enum.
    Type,
    /// On a named field.
    Field,
    /// On the only field of a newtype or variant.
    Content,
    /// In `items(...)` or `values(...)`.
    Element,
}

/// Parsed markers.
pub(crate) struct ParsedMarkers {
    /// Where they are attached.
    pub(crate) target: Target,
    /// Marker names as written, in order.
    pub(crate) entries: Vec<MarkerEntry>,
    /// Marks of the value. [`ParsedMarkers::marks`] adds `items`, `values` and `one_of`.
    marks: Marks,
    /// `items(...)`.
    pub(crate) items: Option<Box<ParsedMarkers>>,
    /// `values(...)`.
    pub(crate) values: Option<Box<ParsedMarkers>>,
    /// `at_most_one_of(...)` etc., resolved once the fields are known.
    pub(crate) one_of_rules: Vec<OneOfRule>,
    /// `default = EXPRESSION`.
    pub(crate) default: Option<Expr>,
    /// Field flags.
    pub(crate) flags: FieldFlags,
    /// `column`, `column(...)`.
    pub(crate) columns: Vec<Column>,
    /// `scale(...)`.
    pub(crate) scale: Option<ScalePart>,
    /// `lossy = "reason"`.
    pub(crate) lossy: Option<String>,
}

/// Flags that are not part of the model's marks.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each one is a marker")]
pub(crate) struct FieldFlags {
    pub(crate) required: bool,
    pub(crate) optional: bool,
    pub(crate) schemaless: bool,
    pub(crate) json_schema: bool,
    pub(crate) allow_float: bool,
    pub(crate) immutable: bool,
    pub(crate) selectable: bool,
}

/// A marker in the source.
pub(crate) struct MarkerEntry {
    pub(crate) name: &'static str,
    pub(crate) ident: Ident,
    /// Value after `=` or in parentheses; empty for a flag.
    pub(crate) value: TokenStream,
}

/// A rule on how many fields are set, as written.
pub(crate) struct OneOfRule {
    pub(crate) kind: OneOfKind,
    pub(crate) marker: Ident,
    pub(crate) fields: Vec<Word>,
}

impl ParsedMarkers {
    pub(crate) fn new(target: Target) -> Self {
        Self {
            target,
            entries: Vec::new(),
            marks: Marks::default(),
            items: None,
            values: None,
            one_of_rules: Vec::new(),
            default: None,
            flags: FieldFlags::default(),
            columns: Vec::new(),
            scale: None,
            lossy: None,
        }
    }

    /// Returns the plain marks.
    pub(crate) fn plain(&self) -> &Marks {
        &self.marks
    }

    /// Returns the plain marks, mutably.
    pub(crate) fn plain_mut(&mut self) -> &mut Marks {
        &mut self.marks
    }

    /// Returns all marks including those of elements and values, without the field rules.
    pub(crate) fn marks(&self) -> Marks {
        let inner =
            |markers: &Option<Box<Self>>| markers.as_ref().map(|markers| Box::new(markers.marks()));
        Marks {
            items: inner(&self.items),
            values: inner(&self.values),
            ..self.marks.clone()
        }
    }

    /// Returns the position of a marker.
    pub(crate) fn find(&self, name: &str) -> Option<&MarkerEntry> {
        self.entries.iter().find(|entry| entry.name == name)
    }

    /// Returns whether the markers replace the schema of the type.
    pub(crate) fn replaces_type(&self) -> bool {
        self.flags.schemaless || self.marks.schema_type.is_some() || self.marks.int_or_string
    }

    /// Returns the markers with their positions.
    pub(crate) fn spans(&self) -> Vec<(String, Span)> {
        let entries = self.entries.iter();
        entries
            .map(|entry| (entry.name.to_owned(), entry.ident.span()))
            .collect()
    }
}

impl MarkerEntry {
    /// Returns the value, or the name of a flag.
    pub(crate) fn value_or_name(&self) -> TokenStream {
        if self.value.is_empty() {
            self.ident.to_token_stream()
        } else {
            self.value.clone()
        }
    }
}
