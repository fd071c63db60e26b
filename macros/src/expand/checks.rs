//! Checks that the compiler makes: does a mark fit a type that is only known by name?
//!
//! Each is a call of a function in `kb::check` whose bound the form of the type must meet, at the place of the mark, in a closure
//! that is never called. Types that mention a type parameter are left to the builder of schemas, and so are marks on a type
//! whose JSON type is said by another mark.

use kb_markers::{FieldPlace, Object};
use kb_model::api::{Field, Marks, ScalePart, Shape, VariantContent};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{Generics, Type, spanned::Spanned, visit::Visit};

use super::{declaration, written};

/// The checks of an item; nothing if there are none.
pub(crate) fn tokens(object: &Object) -> TokenStream {
    let mut checks = Checks {
        object,
        calls: Vec::new(),
    };
    let fields: Vec<&Field<usize>> = match &object.def.shape {
        Shape::Struct(fields) => fields.iter().collect(),
        Shape::Newtype(field) => vec![field],
        Shape::Union(variants) => variants
            .iter()
            .flat_map(|variant| match &variant.content {
                VariantContent::Newtype(field) => std::slice::from_ref(&**field),
                VariantContent::Struct(fields) => fields,
            })
            .collect(),
        Shape::Choice(_) | Shape::Opaque => Vec::new(),
    };
    // The marks of a newtype are about the same value as those of its field.
    let is_newtype = matches!(object.def.shape, Shape::Newtype(_));
    let own = is_newtype.then_some((&object.def.marks, &object.places.marks[..]));
    for field in fields {
        checks.field(field, own);
    }
    let calls = checks.calls;
    if calls.is_empty() {
        return TokenStream::new();
    }
    quote! { const _: fn() = || { #(#calls)* }; }
}

struct Checks<'a> {
    object: &'a Object,
    calls: Vec<TokenStream>,
}

/// The form of a type, as tokens at a place: that is where the compiler reports.
type Form<'f> = &'f dyn Fn(Span) -> TokenStream;

/// Marks, and where each is written.
type Marked<'m> = (&'m Marks, &'m [(String, Span)]);

impl<'a> Checks<'a> {
    /// The checks of a field; `more` are marks on the same value that stand elsewhere.
    fn field(&mut self, field: &Field<usize>, more: Option<Marked<'_>>) {
        let position = field
            .ty
            .filter(|position| !self.object.json_schema.contains(position));
        let object = self.object;
        let Some(ty) = position.and_then(|position| object.types.get(position)) else {
            return;
        };
        if written::is_known(ty) || mentions_parameter(ty, &object.item) {
            return;
        }
        let place = self.place(field);
        let spans = place.map_or(&[][..], |place| &place.marks[..]);
        let form = |span| quote_spanned!(span=> <#ty as ::kb::Schema>::Form);
        if says_type(&field.marks) || more.is_some_and(|(marks, _)| says_type(marks)) {
            return;
        }
        self.marks((&field.marks, spans), &form, ty);
        if let Some(more) = more {
            self.marks(more, &form, ty);
        }
        if !field.columns.is_empty() {
            self.call("column", span(spans, &["column"], ty), &form);
        }
        match field.scale {
            Some(ScalePart::Replicas) => self.call("replicas", span(spans, &["scale"], ty), &form),
            Some(ScalePart::Selector) => self.call("selector", span(spans, &["scale"], ty), &form),
            None => {}
        }
        if field.selectable {
            self.call("selectable", span(spans, &["selectable"], ty), &form);
        }
        if !field.allow_float {
            self.call("no_float", ty.span(), &form);
        }
    }

    fn marks(&mut self, (marks, spans): Marked<'_>, form: Form<'_>, ty: &Type) {
        let mut need = |function: &str, is_said: bool, names: &[&str]| {
            if is_said {
                self.call(function, span(spans, names, ty), form);
            }
        };
        let bounds = [&marks.minimum, &marks.maximum, &marks.multiple_of];
        need(
            "number",
            bounds.iter().any(|bound| bound.is_some()),
            &["minimum", "maximum", "multiple_of"],
        );
        let lengths = marks.min_length.or(marks.max_length);
        let formatted = marks.format.as_deref().is_some_and(is_text_format);
        need(
            "text",
            lengths.is_some() || marks.pattern.is_some() || formatted,
            &["min_length", "max_length", "pattern", "format"],
        );
        let properties = marks.min_properties.or(marks.max_properties);
        need(
            "object",
            properties.is_some() || marks.map_type.is_some(),
            &["min_properties", "max_properties", "map_type"],
        );
        let before = self.calls.len();
        if let Some(items) = marks.items.as_deref().filter(|items| !says_type(items)) {
            let form = |span| {
                let form = form(span);
                quote_spanned!(span=> <#form as ::kb::check::IsList>::Item)
            };
            self.marks((items, &inside(spans, "items")), &form, ty);
        }
        if let Some(values) = marks.values.as_deref().filter(|values| !says_type(values)) {
            let form = |span| {
                let form = form(span);
                quote_spanned!(span=> <#form as ::kb::check::IsMap>::Value)
            };
            self.marks((values, &inside(spans, "values")), &form, ty);
        }
        if self.calls.len() > before {
            // Those ask for a list or a map already.
            return;
        }
        let counts = marks.min_items.or(marks.max_items);
        let listed =
            marks.list_type.is_some() || !marks.list_map_keys.is_empty() || marks.items.is_some();
        if counts.is_some() || listed {
            let names = [
                "min_items",
                "max_items",
                "list_type",
                "list_map_key",
                "items",
            ];
            self.call("list", span(spans, &names, ty), form);
        }
        if marks.values.is_some() {
            self.call("map", span(spans, &["values"], ty), form);
        }
    }

    fn call(&mut self, function: &str, span: Span, form: Form<'_>) {
        let function: Ident = format_ident!("{function}", span = span);
        let form = form(span);
        self.calls
            .push(quote_spanned!(span=> ::kb::check::#function::<#form>();));
    }

    fn place(&self, field: &Field<usize>) -> Option<&'a FieldPlace> {
        self.object
            .places
            .fields
            .iter()
            .find(|place| place.name == field.name)
    }
}

/// Where the first of these marks is written; else where the type is.
fn span(spans: &[(String, Span)], names: &[&str], ty: &Type) -> Span {
    let said = spans
        .iter()
        .find(|(name, _)| names.contains(&name.as_str()) || name == INSIDE);
    said.map_or_else(|| ty.span(), |(_, span)| *span)
}

/// The name of a place that stands for all marks inside another.
const INSIDE: &str = "*";

fn inside(spans: &[(String, Span)], name: &str) -> Vec<(String, Span)> {
    let said = spans
        .iter()
        .filter(|(said, _)| said == name || said == INSIDE);
    said.map(|(_, span)| (INSIDE.to_owned(), *span)).collect()
}

/// Whether the marks say the JSON type, so that Rust's type does not count.
fn says_type(marks: &Marks) -> bool {
    marks.schema_type.is_some() || marks.int_or_string
}

fn is_text_format(format: &str) -> bool {
    !matches!(format, "int32" | "int64" | "float" | "double")
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
            // Outside of an implementation `Self` is nobody.
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
