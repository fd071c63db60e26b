//! Values of the API's own types: variants, newtypes and structs, as serde writes them.

use kb_markers::{Object, Places};
use kb_model::api::{Shape, Type};
use serde_json::{Map, Value};
use syn::{Expr, Field, Fields, Ident, Member, Meta, Token, ext::IdentExt, punctuated::Punctuated};

use super::super::{
    instances::Builder,
    resolve::{Entity, Found, Namespace},
    tree::ItemId,
    type_resolution::Scope,
};

/// Arguments of `#[serde(..)]` on a field that do not change what is written, the name aside.
const HARMLESS_ON_FIELD: [&str; 4] = ["alias", "bound", "default", "rename"];

/// Arguments of `#[serde(..)]` on a type that do not change what is written, names aside.
const HARMLESS_ON_TYPE: [&str; 8] = [
    "alias",
    "bound",
    "crate",
    "default",
    "deny_unknown_fields",
    "rename",
    "rename_all",
    "rename_all_fields",
];

/// What serde makes of the value of a field.
enum Written {
    /// This.
    Value(Value),
    /// Nothing.
    LeftOut,
}

impl Written {
    fn value(self) -> Option<Value> {
        match self {
            Self::Value(value) => Some(value),
            Self::LeftOut => None,
        }
    }
}

impl<'t> Builder<'t> {
    /// A variant without data.
    pub(super) fn unit_variant(
        &self,
        id: ItemId,
        position: usize,
        expected: &Type,
    ) -> Option<Value> {
        let object = self.expected_object(id, expected)?;
        let (Shape::Choice(names), syn::Item::Enum(data)) = (&object.def.shape, &object.item)
        else {
            return None;
        };
        let variant = data.variants.get(position)?;
        let by_place = wire_name(&object.places, &variant.ident);
        let by_position = (names.len() == data.variants.len()).then(|| names[position].as_str());
        by_place.or(by_position).map(Value::from)
    }

    /// `Name(value)`, where `Name` is a struct of one field.
    pub(super) fn newtype(
        &mut self,
        ty: &Type,
        arguments: &[&Expr],
        used_in: &Scope,
    ) -> Option<Value> {
        let Type::Ref(id) = ty else { return None };
        let (object, own) = self.object_of(id)?;
        let syn::Item::Struct(data) = &object.item else {
            return None;
        };
        let ([argument], Fields::Unnamed(fields)) = (arguments, &data.fields) else {
            return None;
        };
        let is_newtype = matches!(object.def.shape, Shape::Newtype(_)) && fields.unnamed.len() == 1;
        if !is_newtype || !is_plain(&data.attrs, &["transparent"]) {
            return None;
        }
        let field = fields.unnamed.first()?;
        let inner = self.ty(&field.ty, &own).ok()?;
        self.written(field, argument, &inner, used_in)?.value()
    }

    /// `Name::Variant(value)`.
    pub(super) fn newtype_variant(
        &mut self,
        id: ItemId,
        position: usize,
        expected: &Type,
        arguments: &[&Expr],
        scope: &Scope,
    ) -> Option<Value> {
        let (name, fields, own) = self.variant(id, position, expected)?;
        let ([argument], Fields::Unnamed(fields)) = (arguments, fields) else {
            return None;
        };
        let field = fields
            .unnamed
            .first()
            .filter(|_| fields.unnamed.len() == 1)?;
        let inner = self.ty(&field.ty, &own).ok()?;
        let value = self.written(field, argument, &inner, scope)?.value()?;
        Some(Value::Object(Map::from_iter([(name, value)])))
    }

    /// `Name { field: value }`.
    pub(super) fn object(
        &mut self,
        literal: &syn::ExprStruct,
        expected: &Type,
        scope: &Scope,
    ) -> Option<Value> {
        if literal.qself.is_some() || literal.rest.is_some() || literal.dot2_token.is_some() {
            return None;
        }
        let expected = Self::plain(expected);
        let Type::Ref(id) = expected else { return None };
        let (object, own) = self.object_of(id)?;
        if let Some((item, position)) = self.variant_literal(&literal.path, expected, scope) {
            let (name, fields, own) = self.variant(item, position, expected)?;
            let fields = self.fields(fields, &object.places, &own, literal, scope)?;
            return Some(Value::Object(Map::from_iter([(
                name,
                Value::Object(fields),
            )])));
        }
        let syn::Item::Struct(data) = &object.item else {
            return None;
        };
        if !is_plain(&data.attrs, &[]) || !self.is_struct(&literal.path, expected, scope) {
            return None;
        }
        let fields = self.fields(&data.fields, &object.places, &own, literal, scope)?;
        Some(Value::Object(fields))
    }

    /// The variant in `Name::Variant { .. }`.
    fn variant_literal(
        &mut self,
        path: &syn::Path,
        expected: &Type,
        scope: &Scope,
    ) -> Option<(ItemId, usize)> {
        match self.resolver.path(scope.module, path, Namespace::Type) {
            Ok(Found {
                entity: Entity::Variant(item, position),
                condition: None,
            }) => Some((item, position)),
            Ok(_) => None,
            Err(_) => {
                let (owner, last) = super::expression::split_last(path)?;
                self.variant_in(&owner, &last, expected, scope)
            }
        }
    }

    /// Whether the path in front of a literal is that of the expected struct, its arguments aside.
    fn is_struct(&mut self, path: &syn::Path, expected: &Type, scope: &Scope) -> bool {
        let item = match expected {
            Type::Ref(id) => self.item_of(id).map(|(item, _)| item),
            _ => None,
        };
        let found = self.resolver.path(scope.module, path, Namespace::Type);
        if let (
            Some(item),
            Ok(Found {
                entity: Entity::Item(found),
                condition: None,
            }),
        ) = (item, found)
            && item == found
        {
            return true;
        }
        let written = syn::TypePath {
            attrs: Vec::new(),
            qself: None,
            path: path.clone(),
        };
        let written = self.quietly(|builder| builder.ty(&syn::Type::Path(written), scope));
        written.as_ref() == Ok(expected)
    }

    /// The fields of a literal, by their names on the wire.
    fn fields(
        &mut self,
        fields: &Fields,
        places: &Places,
        own: &Scope,
        literal: &syn::ExprStruct,
        scope: &Scope,
    ) -> Option<Map<String, Value>> {
        let mut map = Map::new();
        if fields.len() != literal.fields.len() {
            return None;
        }
        for given in &literal.fields {
            let Member::Named(name) = &given.member else {
                return None;
            };
            let field = fields.iter().find(|field| {
                field
                    .ident
                    .as_ref()
                    .is_some_and(|ident| ident.unraw() == name.unraw())
            })?;
            let wire = wire_name(places, field.ident.as_ref()?)?.to_owned();
            let ty = self.ty(&field.ty, own).ok()?;
            if let Written::Value(value) = self.written(field, &given.expr, &ty, scope)? {
                map.insert(wire, value);
            }
        }
        Some(map)
    }

    /// What serde makes of the value of a field.
    fn written(
        &mut self,
        field: &Field,
        value: &Expr,
        ty: &Type,
        scope: &Scope,
    ) -> Option<Written> {
        let value = self.value(value, ty, scope)?;
        let mut is_left_out = false;
        for argument in serde_arguments(&field.attrs)? {
            match &argument {
                Meta::NameValue(pair) if pair.path.is_ident("skip_serializing_if") => {
                    let Expr::Lit(literal) = &pair.value else {
                        return None;
                    };
                    let syn::Lit::Str(function) = &literal.lit else {
                        return None;
                    };
                    is_left_out |= leaves_out(&function.value(), &value, ty)?;
                }
                other
                    if HARMLESS_ON_FIELD
                        .iter()
                        .any(|name| other.path().is_ident(name)) => {}
                _ => return None,
            }
        }
        Some(if is_left_out {
            Written::LeftOut
        } else {
            Written::Value(value)
        })
    }

    /// A variant with data: its name on the wire, its fields, and where their types are written.
    fn variant(
        &self,
        id: ItemId,
        position: usize,
        expected: &Type,
    ) -> Option<(String, &'t Fields, Scope)> {
        let object = self.expected_object(id, expected)?;
        let Type::Ref(ty) = expected else { return None };
        let (_, own) = self.object_of(ty)?;
        let (Shape::Union(variants), syn::Item::Enum(data)) = (&object.def.shape, &object.item)
        else {
            return None;
        };
        let variant = data.variants.get(position)?;
        if !is_plain(&data.attrs, &[]) || !is_plain(&variant.attrs, &[]) {
            return None;
        }
        let by_place = wire_name(&object.places, &variant.ident);
        let by_position =
            (variants.len() == data.variants.len()).then(|| variants[position].name.as_str());
        let name = by_place.or(by_position)?;
        Some((name.to_owned(), &variant.fields, own))
    }

    /// The enum and the position of a variant that is written behind a type.
    pub(super) fn variant_in(
        &mut self,
        owner: &syn::Path,
        name: &Ident,
        expected: &Type,
        scope: &Scope,
    ) -> Option<(ItemId, usize)> {
        let owner = syn::TypePath {
            attrs: Vec::new(),
            qself: None,
            path: owner.clone(),
        };
        let ty = self.quietly(|builder| builder.ty(&syn::Type::Path(owner), scope).ok())?;
        let Type::Ref(id) = (ty == *Self::plain(expected)).then_some(ty)? else {
            return None;
        };
        let (item, _) = self.item_of(&id)?;
        match self.resolver.variant(item, &name.unraw().to_string())? {
            Entity::Variant(item, position) => Some((item, position)),
            _ => None,
        }
    }

    /// The item, if it is that of the expected type.
    fn expected_object(&self, id: ItemId, expected: &Type) -> Option<&'t Object> {
        let Type::Ref(ty) = expected else { return None };
        let (item, _) = self.item_of(ty)?;
        (item == id).then(|| self.tree.item(id).content.object())?
    }
}

/// The name on the wire of a field or variant: markers has noted where each is written.
fn wire_name<'p>(places: &'p Places, ident: &Ident) -> Option<&'p str> {
    let start = ident.span().start();
    let mut fields = places.fields.iter();
    let place = fields.find(|place| place.field.start() == start)?;
    Some(&place.name)
}

/// Whether `skip_serializing_if = "function"` leaves a value out; none if the function is not known.
fn leaves_out(function: &str, value: &Value, ty: &Type) -> Option<bool> {
    let name = function.trim_start_matches("::");
    Some(match (name, ty) {
        (
            "core::option::Option::is_none"
            | "std::option::Option::is_none"
            | "Option::is_none"
            | "kb::Schema::is_absent",
            _,
        ) => value.is_null() && matches!(ty, Type::Optional(_)),
        ("Vec::is_empty" | "String::is_empty" | "BTreeMap::is_empty" | "BTreeSet::is_empty", _)
        | (
            "kb::__private::is_default",
            Type::List(_) | Type::Set(_) | Type::Map(_) | Type::String,
        ) => match value {
            Value::Array(values) => values.is_empty(),
            Value::Object(values) => values.is_empty(),
            Value::String(text) => text.is_empty(),
            _ => return None,
        },
        ("kb::__private::is_default", Type::Bool) => value.as_bool() == Some(false),
        ("kb::__private::is_default", Type::Integer { .. }) => value.as_u64() == Some(0),
        ("kb::__private::is_default", Type::Optional(_)) => value.is_null(),
        _ => return None,
    })
}

/// Whether serde's attributes on a type or variant leave its form alone.
fn is_plain(attributes: &[syn::Attribute], more: &[&str]) -> bool {
    serde_arguments(attributes).is_some_and(|arguments| {
        arguments.iter().all(|argument| {
            let mut harmless = HARMLESS_ON_TYPE.iter().chain(more);
            harmless.any(|name| argument.path().is_ident(name))
        })
    })
}

/// The arguments of all `#[serde(..)]`; none if one cannot be read.
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
