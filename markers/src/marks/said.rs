//! What the markers on one thing say: the model's [`Marks`], what the model keeps on the field itself, and where it was written.

use kb_model::api::{Column, Marks, OneOfKind, ScalePart};
use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::{Expr, Ident};

use crate::attribute::Word;

/// Where a marker stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// In `#[kb::resource(...)]`.
    Kind,
    /// On a struct or an enum.
    Type,
    /// On a field with a name.
    Field,
    /// On the one field of a newtype or of a variant.
    Content,
    /// In `items(...)` or `values(...)`.
    Element,
}

/// What markers say of one thing.
pub(crate) struct Said {
    /// Where they stand.
    pub(crate) place: Place,
    /// Their names as written, in order.
    pub(crate) written: Vec<Written>,
    /// What is said of the value. `items`, `values` and `one_of` come in at the end, with [`Said::marks`].
    marks: Marks,
    /// `items(...)`.
    pub(crate) items: Option<Box<Said>>,
    /// `values(...)`.
    pub(crate) values: Option<Box<Said>>,
    /// `at_most_one_of(...)` and its like: their names are known only when the fields are.
    pub(crate) selected: Vec<Selected>,
    /// `default = EXPRESSION`.
    pub(crate) default: Option<Expr>,
    /// The flags that say something of a field.
    pub(crate) flags: FieldFlags,
    /// `column`, `column(...)`.
    pub(crate) columns: Vec<Column>,
    /// `scale(...)`.
    pub(crate) scale: Option<ScalePart>,
    /// `lossy = "reason"`.
    pub(crate) lossy: Option<String>,
}

/// The flags that the model does not keep among the marks.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a marker of its own")]
pub(crate) struct FieldFlags {
    pub(crate) required: bool,
    pub(crate) optional: bool,
    pub(crate) schemaless: bool,
    pub(crate) json_schema: bool,
    pub(crate) allow_float: bool,
    pub(crate) immutable: bool,
    pub(crate) selectable: bool,
}

/// A marker as it was written.
pub(crate) struct Written {
    pub(crate) name: &'static str,
    pub(crate) ident: Ident,
    /// The value behind `=`, or the parentheses; empty for a flag.
    pub(crate) value: TokenStream,
}

/// A rule on how many of some fields are set, as written.
pub(crate) struct Selected {
    pub(crate) kind: OneOfKind,
    pub(crate) marker: Ident,
    pub(crate) fields: Vec<Word>,
}

impl Said {
    pub(crate) fn new(place: Place) -> Self {
        Self {
            place,
            written: Vec::new(),
            marks: Marks::default(),
            items: None,
            values: None,
            selected: Vec::new(),
            default: None,
            flags: FieldFlags::default(),
            columns: Vec::new(),
            scale: None,
            lossy: None,
        }
    }

    /// The marks that are read as they are.
    pub(crate) fn plain(&self) -> &Marks {
        &self.marks
    }

    /// The same, to be written to.
    pub(crate) fn plain_mut(&mut self) -> &mut Marks {
        &mut self.marks
    }

    /// All marks, those of elements and values among them; without the rules on fields, which need the fields.
    pub(crate) fn marks(&self) -> Marks {
        let below = |said: &Option<Box<Self>>| said.as_ref().map(|said| Box::new(said.marks()));
        Marks {
            items: below(&self.items),
            values: below(&self.values),
            ..self.marks.clone()
        }
    }

    /// Where a marker was written, if it was.
    pub(crate) fn find(&self, name: &str) -> Option<&Written> {
        self.written.iter().find(|written| written.name == name)
    }

    /// Whether its schema is not that of its type: the type is then not looked at.
    pub(crate) fn replaces_type(&self) -> bool {
        self.flags.schemaless || self.marks.schema_type.is_some() || self.marks.int_or_string
    }

    /// The markers with where they are.
    pub(crate) fn places(&self) -> Vec<(String, Span)> {
        let written = self.written.iter();
        written
            .map(|written| (written.name.to_owned(), written.ident.span()))
            .collect()
    }
}

impl Written {
    /// The value, or the name of a flag.
    pub(crate) fn value_or_name(&self) -> TokenStream {
        if self.value.is_empty() {
            self.ident.to_token_stream()
        } else {
            self.value.clone()
        }
    }
}
