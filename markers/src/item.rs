//! What reading an item gives.

use kb_model::api::{Resource, TypeDef};
use proc_macro2::Span;

/// An item under `#[kb::object]` or `#[kb::resource]`, read.
#[derive(Clone, Debug)]
pub struct Object {
    /// The item without kb's attributes and with the serde attributes that kb adds (camelCase, defaults, omitted when absent):
    /// what the macro emits is what was read here.
    pub item: syn::Item,
    /// What it says. References to types are positions in `types`.
    pub def: TypeDef<usize>,
    /// The types of its fields as they are written, each once.
    pub types: Vec<syn::Type>,
    /// Positions of types whose schema is not kb's but that of `schemars`: `#[kb(json_schema)]`.
    pub json_schema: Vec<usize>,
    /// Every default, because serde calls a function for it: [`kb_model::api::Default::Expression`] is a position here.
    pub expressions: Vec<Expression>,
    /// Whether kb implements `Default`; `default = false` says that it is written by hand.
    pub default: bool,
    /// Where everything was written.
    pub places: Places,
}

/// A default: `#[kb(default = EXPRESSION)]`.
#[derive(Clone, Debug)]
pub struct Expression {
    /// The expression.
    pub expression: syn::Expr,
    /// The field's type: what the expression is to give. Not a position, because a schemaless field is not in [`Object::types`].
    pub ty: syn::Type,
    /// The associated function that serde calls for it: the macro emits it.
    pub function: syn::Ident,
}

/// An item under `#[kb::resource]`, read.
#[derive(Clone, Debug)]
pub struct ResourceItem {
    /// What the attribute says. `spec` is the position of the item's own type, `status` that of the named one, in the types of
    /// `object`.
    pub resource: Resource<usize>,
    /// What the item says.
    pub object: Object,
}

/// Where the parts of an item were written.
#[derive(Clone, Debug)]
pub struct Places {
    /// The name of the item.
    pub item: Span,
    /// Fields and variants by their name on the wire, with where their marks are.
    pub fields: Vec<FieldPlace>,
    /// The marks of the item by name (`cel`, `minimum`).
    pub marks: Vec<(String, Span)>,
}

/// Where a field was written.
#[derive(Clone, Debug)]
pub struct FieldPlace {
    /// Its name on the wire.
    pub name: String,
    /// Its name in Rust.
    pub field: Span,
    /// Its type.
    pub ty: Span,
    /// Its marks by name.
    pub marks: Vec<(String, Span)>,
}

/// An attribute of kb that makes an item part of an API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KbAttribute {
    /// `#[kb::object]`.
    Object,
    /// `#[kb::resource(...)]`.
    Resource,
}

/// Which of kb's attributes this is, by its full path. Who resolves names finds `use kb::object` as well.
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
