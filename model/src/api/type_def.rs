//! A struct, enum or newtype of an API.

use serde::{Deserialize, Serialize};

use super::{Field, Marks};

/// A type as its author wrote it. `T` refers to other types.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TypeDef<T> {
    /// Its Rust name, for messages.
    pub name: String,
    /// Its doc comment, cleaned; empty if it has none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub docs: String,
    /// What `#[kb(...)]` on the type says.
    #[serde(default, skip_serializing_if = "Marks::is_empty")]
    pub marks: Marks,
    /// What it is made of.
    pub shape: Shape<T>,
}

/// What a type is made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Shape<T> {
    /// An object with these properties.
    Struct(Vec<Field<T>>),
    /// A type that looks like another one on the wire: a newtype, or `#[serde(transparent)]`. The field has no name.
    Newtype(Box<Field<T>>),
    /// A string that is one of these: an enum of unit variants, in order.
    Choice(Vec<String>),
    /// An object with exactly one of these properties: an externally tagged enum.
    Union(Vec<Variant<T>>),
    /// A type whose schema its marks say alone (`#[kb(schema_type = "string")]` on it): nothing in it is read.
    Opaque,
}

/// A variant of a [`Shape::Union`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Variant<T> {
    /// Its name on the wire.
    pub name: String,
    /// Its doc comment, cleaned.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub docs: String,
    /// What the property holds.
    pub content: VariantContent<T>,
}

/// What a variant holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum VariantContent<T> {
    /// `Name(T)`; the field has no name.
    Newtype(Box<Field<T>>),
    /// `Name { .. }`.
    Struct(Vec<Field<T>>),
}

impl<T> TypeDef<T> {
    /// The same definition with every reference to a type replaced. The first reference that cannot be is the error.
    pub fn try_map<U, E>(
        self,
        resolve: &mut impl FnMut(T) -> Result<U, E>,
    ) -> Result<TypeDef<U>, E> {
        Ok(TypeDef {
            name: self.name,
            docs: self.docs,
            marks: self.marks,
            shape: self.shape.try_map(resolve)?,
        })
    }

    /// All its fields, those of its variants among them.
    pub fn fields_mut(&mut self) -> Vec<&mut Field<T>> {
        match &mut self.shape {
            Shape::Struct(fields) => fields.iter_mut().collect(),
            Shape::Newtype(field) => vec![field],
            Shape::Union(variants) => variants
                .iter_mut()
                .flat_map(|variant| match &mut variant.content {
                    VariantContent::Newtype(field) => std::slice::from_mut(field.as_mut()),
                    VariantContent::Struct(fields) => fields,
                })
                .collect(),
            Shape::Choice(_) | Shape::Opaque => Vec::new(),
        }
    }
}

impl<T> Shape<T> {
    fn try_map<U, E>(self, resolve: &mut impl FnMut(T) -> Result<U, E>) -> Result<Shape<U>, E> {
        Ok(match self {
            Self::Struct(fields) => Shape::Struct(map_fields(fields, resolve)?),
            Self::Newtype(field) => Shape::Newtype(Box::new(field.try_map(resolve)?)),
            Self::Choice(names) => Shape::Choice(names),
            Self::Union(variants) => Shape::Union(
                variants
                    .into_iter()
                    .map(|variant| variant.try_map(resolve))
                    .collect::<Result<_, _>>()?,
            ),
            Self::Opaque => Shape::Opaque,
        })
    }
}

impl<T> Variant<T> {
    fn try_map<U, E>(self, resolve: &mut impl FnMut(T) -> Result<U, E>) -> Result<Variant<U>, E> {
        Ok(Variant {
            name: self.name,
            docs: self.docs,
            content: match self.content {
                VariantContent::Newtype(field) => {
                    VariantContent::Newtype(Box::new(field.try_map(resolve)?))
                }
                VariantContent::Struct(fields) => {
                    VariantContent::Struct(map_fields(fields, resolve)?)
                }
            },
        })
    }
}

fn map_fields<T, U, E>(
    fields: Vec<Field<T>>,
    resolve: &mut impl FnMut(T) -> Result<U, E>,
) -> Result<Vec<Field<U>>, E> {
    fields
        .into_iter()
        .map(|field| field.try_map(resolve))
        .collect()
}
