//! Results of reading an item.

use kb_model::api::{Resource, TypeDef};
use proc_macro2::Span;

/// A read item with `#[kb::object]` or `#[kb::resource]`.
#[derive(Clone, Debug)]
pub struct Object {
    /// The item without kb's attributes, with kb's serde attributes (camelCase, defaults, skipped when absent). The macro emits exactly this
    /// item.
    pub item: syn::Item,
    /// Definition. Type references are indices into `types`.
    pub def: TypeDef<usize>,
    /// Types of its fields as written, without duplicates.
    pub types: Vec<syn::Type>,
    /// Indices of types with `#[kb(json_schema)]`, whose schema comes from schemars.
    pub json_schema: Vec<usize>,
    /// Default expressions. [`kb_model::api::Default::Expression`] is an index into this list.
    pub expressions: Vec<Expression>,
    /// Whether kb implements `Default`; not with `default = false`.
    pub default: bool,
    /// Source positions.
    pub spans: ItemSpans,
}

/// A default, `#[kb(default = EXPRESSION)]`.
#[derive(Clone, Debug)]
pub struct Expression {
    /// Expression.
    pub expression: syn::Expr,
    /// Type of the field. Not an index, because schemaless fields are not in [`Object::types`].
    pub ty: syn::Type,
    /// Associated function that serde calls, emitted by the macro.
    pub function: syn::Ident,
}

/// A read item with `#[kb::resource]`.
#[derive(Clone, Debug)]
pub struct ResourceItem {
    /// Resource definition. `spec` and `status` are indices into the types of `object`.
    pub resource: Resource<usize>,
    /// Definition of the item.
    pub object: Object,
}

/// Source positions of an item.
#[derive(Clone, Debug)]
pub struct ItemSpans {
    /// Name of the item.
    pub item: Span,
    /// Fields and variants by JSON name, with their markers.
    pub fields: Vec<FieldSpans>,
    /// Markers of the item, by name (`cel`, `minimum`).
    pub marks: Vec<(String, Span)>,
}

/// Source positions of a field.
#[derive(Clone, Debug)]
pub struct FieldSpans {
    /// JSON name.
    pub name: String,
    /// Rust name.
    pub field: Span,
    /// Type.
    pub ty: Span,
    /// Markers, by name.
    pub marks: Vec<(String, Span)>,
}

/// kb's item attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KbAttribute {
    /// `#[kb::object]`.
    Object,
    /// `#[kb::resource(...)]`.
    Resource,
}

/// Returns the attribute with this full path. The resolver handles imports such as `use kb::object`.
pub fn kb_attribute(attribute: &syn::Attribute) -> Option<KbAttribute> {
    let segments = &attribute.path().segments;
    if segments.len() != 2 || segments[0].ident != "kb" {
        return None;
    }
    match segments[1].ident.to_string().as_str() {
        "object" => Some(KbAttribute::Object),
        "resource" => Some(KbAttribute::Resource),
        _ => None,
    }
}
