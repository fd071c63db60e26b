//! Evaluates values of API types: variants, newtypes and structs, as serde serializes them.

use kb_markers::{ItemSpans, Object};
use kb_model::api::{Shape, Type};
use serde_json::{Map, Value};
use syn::{Expr, Field, Fields, Ident, Member, Meta, Token, ext::IdentExt, punctuated::Punctuated};

use super::super::{
    instances::Builder,
    resolve::{Entity, Namespace},
    tree::ItemId,
    type_resolution::Scope,
};

/// Arguments of `#[serde(..)]` on a field that do not change its value.
const INERT_ON_FIELDS: [&str; 4] = ["alias", "bound", "default", "rename"];

/// Arguments of `#[serde(..)]` on a type that do not change its values, except for names.
const INERT_ON_TYPES: [&str; 9] = [
    "alias",
    "bound",
    "crate",
    "default",
    "deny_unknown_fields",
    "rename",
    "rename_all",
    "rename_all_fields",
    "transparent",
];

impl<'t> Builder<'t> {
    /// Evaluates a variant without data.
    pub(super) fn unit_variant(
        &self,
        id: ItemId,
        position: usize,
        expected: &Type,
    ) -> Option<Value> {
        let (object, _) = self.expected_object(id, expected)?;
        let (Shape::Choice(names), syn::Item::Enum(data)) = (&object.def.shape, &object.item)
        else {
            return None;
        };
        let variant = data.variants.get(position)?;
        let by_span = wire_name(&object.spans, &variant.ident);
        let by_position = (names.len() == data.variants.len()).then(|| names[position].as_str());
        by_span.or(by_position).map(Value::from)
    }

    /// Evaluates `Name(value)`.
    pub(super) fn newtype(
        &mut self,
        id: ItemId,
        expected: &Type,
        argument: &Expr,
        scope: &Scope,
    ) -> Option<Value> {
        let (object, own) = self.expected_object(id, expected)?;
        let (Shape::Newtype(_), syn::Item::Struct(data)) = (&object.def.shape, &object.item) else {
            return None;
        };
        let field = is_inert(&data.attrs).then(|| only_field(&data.fields))??;
        self.field(field, argument, &own, scope)?
    }

    /// Evaluates `Name::Variant(value)`.
    pub(super) fn newtype_variant(
        &mut self,
        id: ItemId,
        position: usize,
        expected: &Type,
        argument: &Expr,
        scope: &Scope,
    ) -> Option<Value> {
        let (name, fields, own) = self.variant(id, position, expected)?;
        let value = self.field(only_field(fields)?, argument, &own, scope)??;
        Some(Value::Object(Map::from_iter([(name, value)])))
    }

    /// Evaluates `Name { field: value }`.
    pub(super) fn object(
        &mut self,
        literal: &syn::ExprStruct,
        expected: &Type,
        scope: &Scope,
    ) -> Option<Value> {
        if literal.rest.is_some() || literal.dot2_token.is_some() {
            return None;
        }
        let expected = Self::plain(expected);
        let path = syn::ExprPath {
            attrs: Vec::new(),
            qself: literal.qself.clone(),
            path: literal.path.clone(),
        };
        match self.entity(&path, Namespace::Type, scope)? {
            Entity::Item(id) => {
                let (object, own) = self.expected_object(id, expected)?;
                let syn::Item::Struct(data) = &object.item else {
                    return None;
                };
                let is_object = matches!(object.def.shape, Shape::Struct(_));
                let fields = (is_object && is_inert(&data.attrs)).then_some(&data.fields)?;
                let fields = self.fields(fields, &object.spans, &own, literal, scope)?;
                Some(Value::Object(fields))
            }
            Entity::Variant(id, position) => {
                let (object, _) = self.expected_object(id, expected)?;
                let (name, fields, own) = self.variant(id, position, expected)?;
                let fields = self.fields(fields, &object.spans, &own, literal, scope)?;
                let content = Value::Object(fields);
                Some(Value::Object(Map::from_iter([(name, content)])))
            }
            _ => None,
        }
    }

    /// Evaluates the fields of a literal, by their serialized names.
    fn fields(
        &mut self,
        fields: &Fields,
        spans: &ItemSpans,
        own: &Scope,
        literal: &syn::ExprStruct,
        scope: &Scope,
    ) -> Option<Map<String, Value>> {
        if fields.len() != literal.fields.len() {
            return None;
        }
        let mut map = Map::new();
        for given in &literal.fields {
            let Member::Named(name) = &given.member else {
                return None;
            };
            let field = fields.iter().find(|field| {
                let ident = field.ident.as_ref();
                ident.is_some_and(|ident| ident.unraw() == name.unraw())
            })?;
            let wire = wire_name(spans, field.ident.as_ref()?)?.to_owned();
            if let Some(value) = self.field(field, &given.expr, own, scope)? {
                map.insert(wire, value);
            }
        }
        Some(map)
    }

    /// Evaluates the value of a field; `Some(None)` if serde skips it.
    #[expect(clippy::option_option, reason = "unknown, skipped or a value")]
    fn field(
        &mut self,
        field: &Field,
        value: &Expr,
        own: &Scope,
        scope: &Scope,
    ) -> Option<Option<Value>> {
        let ty = self.ty(&field.ty, own).ok()?;
        let value = self.value(value, &ty, scope)?;
        let mut is_skipped = false;
        for argument in serde_arguments(&field.attrs)? {
            let is_inert = |name: &&str| argument.path().is_ident(name);
            if argument.path().is_ident("skip_serializing_if") {
                is_skipped |= is_skipped_by(&argument, &value, &ty)?;
            } else if !INERT_ON_FIELDS.iter().any(is_inert) {
                return None;
            }
        }
        Some((!is_skipped).then_some(value))
    }

    /// Returns the serialized name, the fields and the scope of a variant with data.
    fn variant(
        &self,
        id: ItemId,
        position: usize,
        expected: &Type,
    ) -> Option<(String, &'t Fields, Scope)> {
        let (object, own) = self.expected_object(id, expected)?;
        let (Shape::Union(variants), syn::Item::Enum(data)) = (&object.def.shape, &object.item)
        else {
            return None;
        };
        let variant = data.variants.get(position)?;
        if !is_inert(&data.attrs) || !is_inert(&variant.attrs) {
            return None;
        }
        let by_span = wire_name(&object.spans, &variant.ident);
        let by_position =
            (variants.len() == data.variants.len()).then(|| variants[position].name.as_str());
        let name = by_span.or(by_position)?;
        Some((name.to_owned(), &variant.fields, own))
    }

    /// Returns the parsed item and the scope of its fields, if it is the expected type.
    fn expected_object(&self, id: ItemId, expected: &Type) -> Option<(&'t Object, Scope)> {
        let Type::Ref(ty) = expected else { return None };
        let (item, scope) = self.item_of(ty)?;
        let object = self.tree.item(id).content.object()?;
        (item == id).then_some((object, scope))
    }
}

/// Returns the field of a tuple with one element.
fn only_field(fields: &Fields) -> Option<&Field> {
    match fields {
        Fields::Unnamed(fields) if fields.unnamed.len() == 1 => fields.unnamed.first(),
        _ => None,
    }
}

/// Returns the serialized name of a field or variant, which kb-markers recorded with its span.
fn wire_name<'p>(spans: &'p ItemSpans, ident: &Ident) -> Option<&'p str> {
    let start = ident.span().start();
    let mut fields = spans.fields.iter();
    let field = fields.find(|field| field.field.start() == start)?;
    Some(&field.name)
}

/// Evaluates a `skip_serializing_if` that kb added; `None` for any other function.
fn is_skipped_by(argument: &Meta, value: &Value, ty: &Type) -> Option<bool> {
    let Meta::NameValue(pair) = argument else {
        return None;
    };
    let Expr::Lit(literal) = &pair.value else {
        return None;
    };
    let syn::Lit::Str(function) = &literal.lit else {
        return None;
    };
    match function.value().as_str() {
        "::core::option::Option::is_none" | "::kb::Schema::is_absent" => {
            Some(value.is_null() && matches!(ty, Type::Optional(_)))
        }
        "::kb::__private::is_default" => match (value, ty) {
            (Value::Null, Type::Optional(_)) => Some(true),
            (_, Type::Optional(_)) => Some(false),
            (Value::Array(values), Type::List(_)) => Some(values.is_empty()),
            (Value::Bool(value), Type::Bool) => Some(!value),
            (Value::Number(number), Type::Integer { .. }) => Some(number.as_u64() == Some(0)),
            (Value::String(text), Type::String) => Some(text.is_empty()),
            _ => None,
        },
        _ => None,
    }
}

/// Returns whether the serde attributes of a type or variant change nothing but names.
fn is_inert(attributes: &[syn::Attribute]) -> bool {
    serde_arguments(attributes).is_some_and(|arguments| {
        arguments.iter().all(|argument| {
            let mut inert = INERT_ON_TYPES.iter();
            inert.any(|name| argument.path().is_ident(name))
        })
    })
}

/// Returns the arguments of all `#[serde(..)]`; `None` if one cannot be parsed.
fn serde_arguments(attributes: &[syn::Attribute]) -> Option<Vec<Meta>> {
    let mut arguments = Vec::new();
    for attribute in attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("serde"))
    {
        let metas = attribute.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
        arguments.extend(metas.ok()?);
    }
    Some(arguments)
}
