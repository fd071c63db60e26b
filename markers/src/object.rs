//! Reads an item: removes kb's markers, adds kb's serde conventions, and reads the rest like serde.

use kb_model::api::{OneOf, Shape, TypeDef};
use proc_macro2::{Ident, Span, TokenStream};
use serde_derive_internals::{Ctxt, Derive, ast::Container};
use syn::parse::{ParseStream, Parser};
use syn::{Data, DeriveInput, Fields, Item, ItemEnum, ItemStruct, Type};

use crate::attribute::{self, Argument};
use crate::docs::docs;
use crate::errors::{Errors, error_with_help};
use crate::field::{FieldName, report_unused};
use crate::item::{Expression, FieldSpans, ItemSpans, Object};
use crate::marks::{self, ParsedMarkers, Target, check_conflicts};
use crate::serde_attrs::{self, Keys};
use crate::{foreign, shape, variants};

/// Reads an item with `#[kb::object]`. `args` are the tokens in parentheses.
pub fn read_object(args: TokenStream, item: Item) -> syn::Result<Object> {
    let mut errors = Errors::default();
    let default = read_arguments(args, &mut errors);
    match read(item, "kb::object", &mut errors) {
        Ok((object, _)) => errors.finish().map(|()| Object { default, ..object }),
        Err(error) => Err(errors.with(error)),
    }
}

/// Reads the argument of `#[kb::object]`: whether kb implements `Default`.
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
            Err(error_with_help(
                name,
                "`#[kb::object]` takes no argument other than `default = false`",
                "use `#[kb(..)]` for markers, or `#[kb::resource(..)]` for a kind",
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

/// Markers of an item.
pub(crate) struct MarkedItem {
    /// Markers of the item itself.
    pub(crate) own: ParsedMarkers,
    /// Markers of its fields, by variant; a struct has one group.
    pub(crate) groups: Vec<Vec<MarkedField>>,
}

/// Attributes of a field.
pub(crate) struct MarkedField {
    /// kb's markers.
    pub(crate) markers: ParsedMarkers,
    /// serde's attributes, before kb adds to them.
    pub(crate) keys: Keys,
}

/// Types used by the fields of an item.
#[derive(Default)]
pub(crate) struct Collector {
    pub(crate) types: Vec<Type>,
    pub(crate) json_schema: Vec<usize>,
    pub(crate) expressions: Vec<Expression>,
    pub(crate) fields: Vec<FieldSpans>,
}

impl Collector {
    /// Returns the index of a type, adding it if new. Types with their own JSON schema are distinct.
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

/// Reads an item and the names of its fields. An `Err` is an error in addition to the collected ones.
pub(crate) fn read(
    item: Item,
    attribute: &str,
    errors: &mut Errors,
) -> syn::Result<(Object, Vec<FieldName>)> {
    let mut input = derive_input(item, attribute)?;
    let marked = take_marks(&mut input, errors);
    let marks = &marked.own;
    check_conflicts(marks, errors);
    let mut collector = Collector::default();
    // Markers define the schema; the type is ignored.
    let read = if marks.replaces_type() {
        for field in marked.groups.iter().flatten() {
            report_unused(
                &field.markers,
                &format!("the markers of `{}` define its schema", input.ident),
                errors,
            );
        }
        shape::opaque(&input, marks, errors);
        ItemContent::opaque()
    } else {
        serde_attrs::complete_names(&mut input);
        let read = read_as_serde(&input, &marked, &mut collector, errors);
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
        types: collector.types,
        json_schema: collector.json_schema,
        expressions: collector.expressions,
        default: true,
        spans: ItemSpans {
            item: input.ident.span(),
            fields: collector.fields,
            marks: marked.own.spans(),
        },
        item: into_item(input),
    };
    Ok((object, read.fields))
}

/// Content of an item.
pub(crate) struct ItemContent {
    pub(crate) shape: Shape<usize>,
    pub(crate) one_of: Vec<OneOf>,
    /// Fields of a struct.
    pub(crate) fields: Vec<FieldName>,
}

impl ItemContent {
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
    marked: &MarkedItem,
    collector: &mut Collector,
    errors: &mut Errors,
) -> ItemContent {
    let context = Ctxt::new();
    let private = Ident::new("__private", Span::call_site());
    let container = Container::from_ast(&context, input, Derive::Deserialize, &private);
    errors.take(context.check());
    match container {
        Some(container) => shape::read(&container, marked, collector, errors),
        None => ItemContent::opaque(),
    }
}

fn derive_input(item: Item, attribute: &str) -> syn::Result<DeriveInput> {
    match item {
        Item::Struct(item) => Ok(item.into()),
        Item::Enum(item) => Ok(item.into()),
        Item::Union(item) => Err(error_with_help(
            item.ident,
            "unions cannot be serialized",
            "use an enum with a variant for each field",
        )),
        Item::Type(item) => Err(error_with_help(
            item.ident,
            format!("`#[{attribute}]` does not apply to type aliases"),
            "remove it; aliases are resolved where they are used",
        )),
        _ => {
            let problem = format!("`#[{attribute}]` applies only to structs and enums");
            // Points to the attribute itself.
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
        Data::Union(_) => unreachable!("unions are rejected earlier"),
    }
}

/// Removes kb's markers from the item and its fields, and rejects misplaced attributes.
fn take_marks(input: &mut DeriveInput, errors: &mut Errors) -> MarkedItem {
    let own = marks::read(&mut input.attrs, Target::Type, errors);
    foreign::reject(&input.attrs, errors);
    let transparent = Keys::of(&input.attrs).has("transparent");
    if let Data::Enum(data) = &mut input.data {
        for variant in &mut data.variants {
            foreign::reject(&variant.attrs, errors);
            foreign::reject_cfg(&variant.attrs, "variant", errors);
            variants::reject_marks(variant, errors);
        }
    }
    let groups = serde_attrs::groups(&mut input.data).map(|(_, fields)| {
        let target = match fields {
            Fields::Named(_) if !transparent => Target::Field,
            _ => Target::Content,
        };
        let fields = fields.iter_mut().map(|field| {
            foreign::reject(&field.attrs, errors);
            foreign::reject_cfg(&field.attrs, "field", errors);
            MarkedField {
                markers: marks::read(&mut field.attrs, target, errors),
                keys: Keys::of(&field.attrs),
            }
        });
        fields.collect()
    });
    MarkedItem {
        own,
        groups: groups.collect(),
    }
}
