//! Reads an item: takes kb's markers off, adds kb's serde conventions, and reads the rest as serde does.

use kb_model::api::{OneOf, Shape, TypeDef};
use proc_macro2::{Ident, Span, TokenStream};
use serde_derive_internals::{Ctxt, Derive, ast::Container};
use syn::parse::{ParseStream, Parser};
use syn::{Data, DeriveInput, Fields, Item, ItemEnum, ItemStruct, Type};

use crate::attribute::{self, Argument};
use crate::docs::docs;
use crate::errors::{Errors, helped};
use crate::field::{Named, unused};
use crate::item::{Expression, FieldPlace, Object, Places};
use crate::marks::{self, Place, Said, agree};
use crate::serde_attrs::{self, Keys};
use crate::{foreign, shape, variants};

/// Reads the item under `#[kb::object]`. `args` are the tokens in its parentheses.
pub fn read_object(args: TokenStream, item: Item) -> syn::Result<Object> {
    let mut errors = Errors::default();
    let default = read_arguments(args, &mut errors);
    match read(item, "kb::object", &mut errors) {
        Ok((object, _)) => errors.finish().map(|()| Object { default, ..object }),
        Err(error) => Err(errors.with(error)),
    }
}

/// The one argument of `#[kb::object]`: whether kb implements `Default`.
fn read_arguments(args: TokenStream, errors: &mut Errors) -> bool {
    let mut default = true;
    let before = errors.count();
    let outcome = (|input: ParseStream| {
        attribute::each(input, errors, &mut |name, input, _| {
            if name == "default" {
                let usage = "default = false";
                default = Argument { name, usage, input }.flag()?;
                return Ok(());
            }
            Err(helped(
                name,
                "`#[kb::object]` has no argument but `default = false`",
                "markers stand below it: `#[kb(..)]`; a kind is made by `#[kb::resource(..)]`",
            ))
        });
        Ok(())
    })
    .parse2(args);
    if errors.count() == before {
        errors.take(outcome);
    }
    default
}

/// What the markers on an item say.
pub(crate) struct Marked {
    /// On the item.
    pub(crate) own: Said,
    /// On its fields, by variant; a struct has one group.
    pub(crate) groups: Vec<Vec<MarkedField>>,
}

/// What the author wrote on a field.
pub(crate) struct MarkedField {
    /// kb's markers.
    pub(crate) said: Said,
    /// serde's words, before kb adds to them.
    pub(crate) keys: Keys,
}

/// What the fields of an item refer to, as it comes up.
#[derive(Default)]
pub(crate) struct Collected {
    pub(crate) types: Vec<Type>,
    pub(crate) json_schema: Vec<usize>,
    pub(crate) expressions: Vec<Expression>,
    pub(crate) fields: Vec<FieldPlace>,
}

impl Collected {
    /// The position of a type, which is added if it is new. One that is taken with its own schema is another one.
    pub(crate) fn reference(&mut self, ty: &Type, json_schema: bool) -> usize {
        let known = self.types.iter().enumerate().position(|(position, known)| {
            known == ty && self.json_schema.contains(&position) == json_schema
        });
        known.unwrap_or_else(|| {
            self.types.push(ty.clone());
            let position = self.types.len() - 1;
            if json_schema {
                self.json_schema.push(position);
            }
            position
        })
    }
}

/// Reads an item, and gives the names of its fields, too. An `Err` is one more error, besides those collected.
pub(crate) fn read(
    item: Item,
    attribute: &str,
    errors: &mut Errors,
) -> syn::Result<(Object, Vec<Named>)> {
    let mut input = derive_input(item, attribute)?;
    let marked = take_marks(&mut input, errors);
    let marks = &marked.own;
    agree(marks, errors);
    let mut collected = Collected::default();
    // The schema is what the marks say: nothing in the type counts.
    let read = if marks.replaces_type() {
        for field in marked.groups.iter().flatten() {
            unused(
                &field.said,
                &format!("`{}` says its schema itself", input.ident),
                errors,
            );
        }
        shape::opaque(&input, marks, errors);
        Read::opaque()
    } else {
        serde_attrs::complete_names(&mut input);
        let read = read_as_serde(&input, &marked, &mut collected, errors);
        serde_attrs::complete_fields(&mut input, &marked, errors);
        read
    };
    let mut marks = marked.own.marks();
    marks.one_of = read.one_of;
    let object = Object {
        def: TypeDef {
            name: input.ident.to_string(),
            docs: docs(&input.attrs),
            marks,
            shape: read.shape,
        },
        types: collected.types,
        json_schema: collected.json_schema,
        expressions: collected.expressions,
        default: true,
        places: Places {
            item: input.ident.span(),
            fields: collected.fields,
            marks: marked.own.places(),
        },
        item: into_item(input),
    };
    Ok((object, read.fields))
}

/// What an item is made of.
pub(crate) struct Read {
    pub(crate) shape: Shape<usize>,
    pub(crate) one_of: Vec<OneOf>,
    /// The fields of a struct.
    pub(crate) fields: Vec<Named>,
}

impl Read {
    fn opaque() -> Self {
        Self {
            shape: Shape::Opaque,
            one_of: Vec::new(),
            fields: Vec::new(),
        }
    }
}

fn read_as_serde(
    input: &DeriveInput,
    marked: &Marked,
    collected: &mut Collected,
    errors: &mut Errors,
) -> Read {
    let context = Ctxt::new();
    let private = Ident::new("__private", Span::call_site());
    let container = Container::from_ast(&context, input, Derive::Deserialize, &private);
    errors.take(context.check());
    match container {
        Some(container) => shape::read(&container, marked, collected, errors),
        None => Read::opaque(),
    }
}

fn derive_input(item: Item, attribute: &str) -> syn::Result<DeriveInput> {
    match item {
        Item::Struct(item) => Ok(item.into()),
        Item::Enum(item) => Ok(item.into()),
        Item::Union(item) => Err(helped(
            item.ident,
            "a union has no JSON form",
            "write an enum with a variant for each of its fields",
        )),
        Item::Type(item) => Err(helped(
            item.ident,
            format!("an alias needs no `#[{attribute}]`"),
            "remove it: the alias is read where it is used",
        )),
        _ => {
            let problem = format!("`#[{attribute}]` stands on a struct or an enum");
            // The attribute itself: that is what is wrong.
            Err(syn::Error::new(Span::call_site(), problem))
        }
    }
}

fn into_item(input: DeriveInput) -> Item {
    let DeriveInput {
        attrs,
        vis,
        ident,
        generics,
        data,
    } = input;
    match data {
        Data::Struct(data) => Item::Struct(ItemStruct {
            attrs,
            vis,
            struct_token: data.struct_token,
            ident,
            generics,
            fields: data.fields,
            semi_token: data.semi_token,
        }),
        Data::Enum(data) => Item::Enum(ItemEnum {
            attrs,
            vis,
            enum_token: data.enum_token,
            ident,
            generics,
            brace_token: data.brace_token,
            variants: data.variants,
        }),
        Data::Union(_) => unreachable!("a union is refused before it is read"),
    }
}

/// Takes kb's markers off the item and its fields, and refuses attributes that have no place there.
fn take_marks(input: &mut DeriveInput, errors: &mut Errors) -> Marked {
    let own = marks::read(&mut input.attrs, Place::Type, errors);
    foreign::refuse(&input.attrs, errors);
    let transparent = Keys::of(&input.attrs).has("transparent");
    if let Data::Enum(data) = &mut input.data {
        for variant in &mut data.variants {
            foreign::refuse(&variant.attrs, errors);
            foreign::refuse_conditions(&variant.attrs, "variant", errors);
            variants::refuse_marks(variant, errors);
        }
    }
    let groups = serde_attrs::groups(&mut input.data).map(|(_, fields)| {
        let place = match fields {
            Fields::Named(_) if !transparent => Place::Field,
            _ => Place::Content,
        };
        let fields = fields.iter_mut().map(|field| {
            foreign::refuse(&field.attrs, errors);
            foreign::refuse_conditions(&field.attrs, "field", errors);
            MarkedField {
                said: marks::read(&mut field.attrs, place, errors),
                keys: Keys::of(&field.attrs),
            }
        });
        fields.collect()
    });
    Marked {
        own,
        groups: groups.collect(),
    }
}
