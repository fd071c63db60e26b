//! Compile-time checks that markers fit types which are only known by name.
//!
//! Each check is a constant that calls a function of `kb::check`, spanned like the marker. Checks of a type that mentions a generic
//! parameter run when the type is instantiated, so they are part of `Schema::schema_type`. A type that is declared by
//! another marker was checked by kb-markers.

use kb_markers::{FieldSpans, Object};
use kb_model::api::{Field, Marks, ScalePart, Shape, VariantContent};
use kb_model::fit::{self, Requirement, format_requirement, requirement};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use serde_json::{Number, Value};
use syn::{Generics, Type, spanned::Spanned, visit::Visit};

use super::{declaration, known_types};

/// The checks of an item.
#[derive(Default)]
pub(crate) struct Checks {
    /// Items beside the type.
    pub(crate) constants: TokenStream,
    /// Statements for `Schema::schema_type`.
    pub(crate) generic: TokenStream,
}

/// Returns the checks of an item.
pub(crate) fn of(object: &Object) -> Checks {
    let mut checks = Checks::default();
    match &object.def.shape {
        Shape::Struct(fields) => checks.fields(object, fields),
        Shape::Newtype(field) => checks.field(object, field, &object.def.name),
        Shape::Union(variants) => {
            for variant in variants {
                match &variant.content {
                    VariantContent::Newtype(field) => checks.field(object, field, &variant.name),
                    VariantContent::Struct(fields) => checks.fields(object, fields),
                }
            }
        }
        Shape::Choice(_) | Shape::Opaque => {}
    }
    checks
}

/// Markers, and where each is written.
type Marked<'m> = (&'m Marks, &'m [(String, Span)]);

/// The value that markers apply to.
struct Subject<'t> {
    /// How messages name it: "`port`", "an element of `ports`".
    name: String,
    /// The markers around its own: `items(`.
    within: String,
    ty: &'t Type,
    /// Path from the form of `ty` to its own: `.elements()`.
    path: TokenStream,
    is_generic: bool,
}

impl Subject<'_> {
    fn inner(&self, marker: &str, part: &str, method: &TokenStream) -> Self {
        let path = &self.path;
        Self {
            name: format!("{part} of {}", self.name),
            within: format!("{}{marker}(", self.within),
            ty: self.ty,
            path: quote!(#path.#method()),
            is_generic: self.is_generic,
        }
    }

    fn label(&self, marker: &str) -> String {
        let closing = ")".repeat(self.within.matches('(').count());
        format!("{}{marker}{closing}", self.within)
    }

    fn form(&self, span: Span) -> TokenStream {
        let (ty, path) = (self.ty, &self.path);
        quote_spanned!(span=> <#ty as ::kb::Schema>::FORM #path)
    }
}

impl Checks {
    fn fields(&mut self, object: &Object, fields: &[Field<usize>]) {
        for field in fields {
            self.field(object, field, &field.name);
        }
    }

    fn field(&mut self, object: &Object, field: &Field<usize>, name: &str) {
        let position = field
            .ty
            .filter(|position| !object.json_schema.contains(position));
        let Some(ty) = position.and_then(|position| object.types.get(position)) else {
            return;
        };
        // The markers of a newtype apply to the same value as those of its field.
        let is_newtype = matches!(object.def.shape, Shape::Newtype(_));
        let own = is_newtype.then_some((&object.def.marks, &object.spans.marks[..]));
        let is_declared = own.is_some_and(|(marks, _)| declares_type(marks));
        if known_types::is_known(ty) || declares_type(&field.marks) || is_declared {
            return;
        }
        let subject = Subject {
            name: format!("`{name}`"),
            within: String::new(),
            ty,
            path: TokenStream::new(),
            is_generic: mentions_parameter(ty, &object.item),
        };
        let spans = field_spans(object, field).map_or(&[][..], |spans| &spans.marks[..]);
        self.marks((&field.marks, spans), &subject);
        if let Some(own) = own {
            self.marks(own, &subject);
        }
        let scale = field.scale.map(|part| match part {
            ScalePart::Replicas => "scale(replicas)",
            ScalePart::Selector => "scale(selector)",
        });
        let column = (!field.columns.is_empty()).then_some("column");
        let selectable = field.selectable.then_some("selectable");
        for marker in [scale, column, selectable].into_iter().flatten() {
            self.fits(marker, requirement(marker), spans, &subject);
        }
        if !field.allow_float {
            let (name, form) = (&subject.name, subject.form(ty.span()));
            let check = quote_spanned!(ty.span()=> ::kb::check::no_float(#name, #form));
            self.push(&check, ty.span(), &subject);
        }
    }

    fn marks(&mut self, (marks, spans): Marked<'_>, subject: &Subject<'_>) {
        for marker in markers(marks) {
            self.fits(marker, requirement(marker), spans, subject);
        }
        for (marker, bound) in [
            ("minimum", &marks.minimum),
            ("maximum", &marks.maximum),
            ("multiple_of", &marks.multiple_of),
        ] {
            if bound.as_ref().is_some_and(has_fraction) {
                self.fits(marker, Requirement::Fraction, spans, subject);
            }
        }
        if let Some(requirement) = marks.format.as_deref().and_then(format_requirement) {
            self.fits("format", requirement, spans, subject);
        }
        for (marker, values) in [
            ("enum", &marks.enum_values[..]),
            ("example", marks.example.as_slice()),
        ] {
            self.admits(marker, values, spans, subject);
        }
        if !marks.list_map_keys.is_empty() {
            let mut elements = subject.inner("items", "an element", &quote!(elements));
            elements.within.clone_from(&subject.within);
            self.fits("list_map_key", Requirement::Object, spans, &elements);
        }
        let items = marks.items.as_deref();
        if let Some(items) = items.filter(|items| !declares_type(items)) {
            let subject = subject.inner("items", "an element", &quote!(elements));
            self.marks((items, &inside(spans, "items")), &subject);
        }
        let values = marks.values.as_deref();
        if let Some(values) = values.filter(|values| !declares_type(values)) {
            let subject = subject.inner("values", "a value", &quote!(values));
            self.marks((values, &inside(spans, "values")), &subject);
        }
    }

    fn fits(
        &mut self,
        marker: &str,
        requirement: Requirement,
        spans: &[(String, Span)],
        subject: &Subject<'_>,
    ) {
        let span = span(spans, marker, subject.ty);
        let requirement = format_ident!("{requirement:?}");
        let (label, name, form) = (subject.label(marker), &subject.name, subject.form(span));
        let check = quote_spanned!(span=> ::kb::check::fits(#label, #name, ::kb::check::Requirement::#requirement, #form));
        self.push(&check, span, subject);
    }

    /// Checks the type of literals, once per form.
    fn admits(
        &mut self,
        marker: &str,
        values: &[Value],
        spans: &[(String, Span)],
        subject: &Subject<'_>,
    ) {
        let mut forms: Vec<fit::Form> = Vec::new();
        for form in values.iter().filter_map(literal) {
            if forms.contains(&form) {
                continue;
            }
            forms.push(form);
            let span = span(spans, marker, subject.ty);
            let literal = format_ident!("{form:?}");
            let (label, name, form) = (subject.label(marker), &subject.name, subject.form(span));
            let check = quote_spanned!(span=> ::kb::check::admits(#label, #name, ::kb::check::Literal::#literal, #form));
            self.push(&check, span, subject);
        }
    }

    fn push(&mut self, check: &TokenStream, span: Span, subject: &Subject<'_>) {
        if subject.is_generic {
            self.generic
                .extend(quote_spanned!(span=> const { #check; };));
        } else {
            self.constants
                .extend(quote_spanned!(span=> const _: () = #check;));
        }
    }
}

/// Returns the names of the markers that have a requirement.
fn markers(marks: &Marks) -> impl Iterator<Item = &'static str> {
    let markers = [
        ("minimum", marks.minimum.is_some()),
        ("maximum", marks.maximum.is_some()),
        ("multiple_of", marks.multiple_of.is_some()),
        ("exclusive_minimum", marks.exclusive_minimum),
        ("exclusive_maximum", marks.exclusive_maximum),
        ("min_length", marks.min_length.is_some()),
        ("max_length", marks.max_length.is_some()),
        ("pattern", marks.pattern.is_some()),
        ("min_items", marks.min_items.is_some()),
        ("max_items", marks.max_items.is_some()),
        ("list_type", marks.list_type.is_some()),
        ("list_map_key", !marks.list_map_keys.is_empty()),
        ("items", marks.items.is_some()),
        ("values", marks.values.is_some()),
        ("min_properties", marks.min_properties.is_some()),
        ("max_properties", marks.max_properties.is_some()),
        ("map_type", marks.map_type.is_some()),
        ("embedded_resource", marks.embedded_resource),
        ("preserve_unknown_fields", marks.preserve_unknown_fields),
    ];
    markers
        .into_iter()
        .filter_map(|(marker, is_present)| is_present.then_some(marker))
}

/// Returns whether a bound is not an integer.
fn has_fraction(bound: &Number) -> bool {
    bound.is_f64() && bound.as_f64().is_some_and(|bound| bound.fract() != 0.0)
}

/// Returns the form of a literal; `None` for null, which `nullable` decides.
fn literal(value: &Value) -> Option<fit::Form> {
    match value {
        Value::Null => None,
        Value::Bool(_) => Some(fit::Form::Boolean),
        Value::Number(number) if has_fraction(number) => Some(fit::Form::Number),
        Value::Number(_) => Some(fit::Form::Integer),
        Value::String(_) => Some(fit::Form::String),
        Value::Array(_) => Some(fit::Form::List),
        Value::Object(_) => Some(fit::Form::Object),
    }
}

fn field_spans<'o>(object: &'o Object, field: &Field<usize>) -> Option<&'o FieldSpans> {
    let mut fields = object.spans.fields.iter();
    fields.find(|spans| spans.name == field.name)
}

/// Returns the span of a marker, or of the type if the marker is not there.
fn span(spans: &[(String, Span)], marker: &str, ty: &Type) -> Span {
    let name = marker.split('(').next().unwrap_or(marker);
    let found = spans.iter().find(|(written, _)| {
        written == name || written == INSIDE || (name == "map_type" && written == "struct_type")
    });
    found.map_or_else(|| ty.span(), |(_, span)| *span)
}

/// Stands for all markers inside `items(...)` or `values(...)`, whose spans are not recorded.
const INSIDE: &str = "*";

fn inside(spans: &[(String, Span)], name: &str) -> Vec<(String, Span)> {
    let outer = spans
        .iter()
        .filter(|(written, _)| written == name || written == INSIDE);
    outer.map(|(_, span)| (INSIDE.to_owned(), *span)).collect()
}

/// Returns whether markers declare the JSON type, so that the Rust type does not count.
fn declares_type(marks: &Marks) -> bool {
    marks.schema_type.is_some() || marks.int_or_string
}

fn mentions_parameter(ty: &Type, item: &syn::Item) -> bool {
    struct Search<'a> {
        generics: &'a Generics,
        found: bool,
    }
    impl<'ast> Visit<'ast> for Search<'_> {
        fn visit_ident(&mut self, ident: &'ast Ident) {
            let mut types = self.generics.type_params();
            let mut constants = self.generics.const_params();
            self.found |= ident == "Self"
                || types.any(|parameter| parameter.ident == *ident)
                || constants.any(|parameter| parameter.ident == *ident);
        }

        fn visit_lifetime(&mut self, lifetime: &'ast syn::Lifetime) {
            self.found |= lifetime.ident != "static";
        }
    }
    declaration(item).is_some_and(|(_, generics)| {
        let mut search = Search {
            generics,
            found: false,
        };
        search.visit_type(ty);
        search.found
    })
}
