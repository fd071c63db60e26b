//! A struct, enum or newtype of an API.

use serde::{Deserialize, Serialize};

use super::{Field, Marks};

/// A type definition. `T` refers to other types.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TypeDef<T> {
    /// Rust name, for messages.
    pub name: String,
    /// Doc comment, cleaned; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub docs: String,
    /// Marks of the type.
    #[serde(default, skip_serializing_if = "Marks::is_empty")]
    pub marks: Marks,
    /// Shape.
    pub shape: Shape<T>,
}

/// Shape of a type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Shape<T> {
    /// An object with these properties.
    Struct(Vec<Field<T>>),
    /// A newtype or `#[serde(transparent)]` type. The field has no name.
    Newtype(Box<Field<T>>),
    /// A string enum, with its values in order.
    Choice(Vec<String>),
    /// An externally tagged enum: an object with exactly one of these properties.
    Union(Vec<Variant<T>>),
    /// A type whose marks define its schema (`#[kb(schema_type = "string")]`).
    Opaque,
}

/// A variant of a [`Shape::Union`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Variant<T> {
    /// JSON name.
    pub name: String,
    /// Doc comment, cleaned.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub docs: String,
    /// Content.
    pub content: VariantContent<T>,
}

/// Content of a variant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum VariantContent<T> {
    /// `Name(T)`; the field has no name.
    Newtype(Box<Field<T>>),
    /// `Name { .. }`.
    Struct(Vec<Field<T>>),
}

impl<T> TypeDef<T> {
    /// Replaces every type reference. Returns the first error.
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

    /// Returns all fields, including those of variants.
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
