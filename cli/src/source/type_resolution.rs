//! From a type as it is written to the type that is meant.
//!
//! Names are resolved, aliases are replaced by what they stand for, and generic parameters by what they are here.
//! What cannot be resolved becomes a reason; what has no schema becomes an error at the place where it is written.

use std::{collections::HashMap, rc::Rc};

use kb_model::api::{SchemaType, Shape, Type};
use proc_macro2::Span;
use quote::ToTokens;
use syn::spanned::Spanned;

use super::{
    annotated, cfg,
    instances::{Builder, Growth},
    known::{self, Known},
    resolve::{Entity, Namespace},
    tree::{Content, ItemId, ModuleId},
};

/// What stands for a generic parameter.
#[derive(Debug, Clone)]
pub(super) enum Argument {
    /// A type.
    Type(Type),
    /// A number: `const N: usize`.
    Number(u64),
}

/// Arguments by the names of their parameters.
pub(super) type Arguments = HashMap<String, Argument>;

/// Where a type is written.
#[derive(Clone)]
pub(super) struct Scope {
    pub(super) module: ModuleId,
    /// What its generic parameters stand for.
    pub(super) arguments: Rc<Arguments>,
    /// What `Self` stands for.
    pub(super) own: Option<Type>,
}

impl Scope {
    /// In a module, outside of any item with parameters.
    pub(super) fn of(module: ModuleId) -> Self {
        Self {
            module,
            arguments: Rc::default(),
            own: None,
        }
    }
}

/// It was not found out, and why is already noted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Noted;

/// How deep aliases and types may be nested.
const MAX_DEPTH: usize = 64;

impl Builder<'_> {
    /// The type that is meant.
    pub(super) fn ty(&mut self, ty: &syn::Type, scope: &Scope) -> Result<Type, Noted> {
        if self.depth > MAX_DEPTH {
            let message = "this type leads back to itself, or is nested too deeply";
            return self.wrong(scope, ty.span(), message, None);
        }
        self.depth += 1;
        let resolved = self.form(ty, scope);
        self.depth -= 1;
        resolved
    }

    fn form(&mut self, ty: &syn::Type, scope: &Scope) -> Result<Type, Noted> {
        let what = match ty {
            syn::Type::Group(group) => return self.ty(&group.elem, scope),
            syn::Type::Paren(paren) => return self.ty(&paren.elem, scope),
            syn::Type::Path(path) => return self.path_type(path, scope),
            syn::Type::Slice(slice) => {
                let element = self.ty(&slice.elem, scope)?;
                return Ok(Type::List(Box::new(element)));
            }
            syn::Type::Array(array) => {
                let element = self.ty(&array.elem, scope)?;
                let length = self.length(&array.len, scope)?;
                return Ok(Type::Array(Box::new(element), length));
            }
            syn::Type::Reference(reference) => match self.ty(&reference.elem, scope)? {
                Type::String => return Ok(Type::String),
                _ => "a reference",
            },
            syn::Type::Macro(call) => {
                let name = cfg::path_text(&call.mac.path);
                return self.unclear(
                    scope,
                    ty.span(),
                    format!("`{name}!` makes this type: only rustc knows it"),
                );
            }
            syn::Type::Tuple(tuple) if tuple.elems.is_empty() => "the unit type",
            syn::Type::Tuple(_) => "a tuple",
            syn::Type::FnPtr(_) => "a function",
            syn::Type::ImplTrait(_) | syn::Type::TraitObject(_) => "a trait",
            syn::Type::Never(_) => "the never type",
            syn::Type::Ptr(_) => "a raw pointer",
            _ => {
                return self.unclear(
                    scope,
                    ty.span(),
                    "this type: only rustc knows it".to_owned(),
                );
            }
        };
        let message = format!("{what} has no schema, so it cannot be in an API");
        let help = "write a struct with named fields, and put `#[kb::object]` on it";
        self.wrong(scope, ty.span(), message, Some(help))
    }

    fn path_type(&mut self, ty: &syn::TypePath, scope: &Scope) -> Result<Type, Noted> {
        let path = &ty.path;
        let Some((first, last)) = path.segments.first().zip(path.segments.last()) else {
            return Err(Noted);
        };
        let parameter = scope.arguments.get(&first.ident.to_string());
        let is_own = first.ident == "Self";
        match (parameter, &scope.own) {
            (Some(Argument::Type(ty)), _) if path.segments.len() == 1 => return Ok(ty.clone()),
            (_, Some(own)) if is_own && path.segments.len() == 1 => return Ok(own.clone()),
            _ if ty.qself.is_some() || parameter.is_some() || is_own => {
                let text = cfg::tidy(&ty.to_token_stream());
                return self.unclear(
                    scope,
                    ty.span(),
                    format!("`{text}` is a type of a trait: only rustc knows it"),
                );
            }
            _ => {}
        }
        let found = match self.resolver.path(scope.module, path, Namespace::Type) {
            Ok(found) => found,
            Err(nowhere) => return self.unclear(scope, ty.span(), nowhere.text()),
        };
        if let Some(condition) = found.condition {
            self.findings
                .reason(annotated::conditional(self.tree, condition));
            return Err(Noted);
        }
        match found.entity {
            Entity::Primitive(name) => Ok(primitive(name)),
            Entity::Foreign(path) => self.foreign(&path, last, scope, ty),
            Entity::Item(id) => self.item_type(id, last, scope, ty),
            Entity::Kind(_) => {
                let message = format!(
                    "`{}` is a kind, so it cannot be the type of a field",
                    last.ident
                );
                let help = "use the type of its spec, or refer to an object by its name";
                self.wrong(scope, ty.span(), message, Some(help))
            }
            Entity::Module(_) | Entity::Variant(..) => {
                self.unclear(scope, ty.span(), format!("`{}` is no type", last.ident))
            }
        }
    }

    /// A type whose source was read.
    fn item_type(
        &mut self,
        id: ItemId,
        last: &syn::PathSegment,
        scope: &Scope,
        written: &syn::TypePath,
    ) -> Result<Type, Noted> {
        let item = self.tree.item(id);
        let own = Scope::of(item.module);
        match &item.content {
            Content::Alias(alias) => {
                let arguments =
                    self.arguments(&alias.generics, &last.arguments, scope, &own, written)?;
                let arguments = Rc::new(arguments.into_iter().collect());
                self.ty(&alias.ty, &Scope { arguments, ..own })
            }
            Content::Object(_) | Content::Resource(_) => {
                let generics = item.content.data().and_then(generics);
                let arguments = match generics {
                    Some(generics) => {
                        self.arguments(generics, &last.arguments, scope, &own, written)?
                    }
                    None => Vec::new(),
                };
                match self.instance(id, arguments) {
                    Ok(ty) => Ok(ty),
                    Err(growth) => {
                        let message = growth.message(&item.ident);
                        self.wrong(scope, written.span(), message, Some(Growth::HELP))
                    }
                }
            }
            Content::Broken => Err(Noted),
            Content::Data(_) => self.unmarked(id, scope, written),
            _ => self.unclear(
                scope,
                written.span(),
                format!("`{}` is no type of an API", item.ident),
            ),
        }
    }

    /// A struct or enum that is not under one of kb's attributes.
    fn unmarked(
        &mut self,
        id: ItemId,
        scope: &Scope,
        written: &syn::TypePath,
    ) -> Result<Type, Noted> {
        let item = self.tree.item(id);
        let (name, krate) = (item.ident.to_string(), self.tree.crate_of(item.module));
        if krate.by_hand.contains(&name) {
            let text = format!("the schema of `{name}` is written by hand: only rustc knows it");
            return self.unclear(scope, written.span(), text);
        }
        if annotated::may_be_hidden(&self.resolver, item) {
            let text = format!("an attribute of `{name}` may give it a schema: only rustc knows");
            return self.unclear(scope, written.span(), text);
        }
        if krate.has_item_macros {
            let text = format!(
                "`{name}` is not under `#[kb::object]`, but a macro may give it a schema: only rustc knows"
            );
            return self.unclear(scope, written.span(), text);
        }
        let message = format!("`{name}` is no type of an API");
        let place = &self.tree.files[self.tree.module(item.module).file.0].path;
        let line = item.ident.span().start().line;
        let help = format!("put `#[kb::object]` on it: {place}:{line}");
        self.wrong(scope, written.span(), message, Some(&help))
    }

    /// A type of another crate.
    fn foreign(
        &mut self,
        path: &str,
        last: &syn::PathSegment,
        scope: &Scope,
        written: &syn::TypePath,
    ) -> Result<Type, Noted> {
        let known = match known::of(path) {
            None => {
                let name = path.split("::").next().unwrap_or(path);
                let text = format!("`{path}` of the crate {name}: only rustc knows it");
                return self.unclear(scope, written.span(), text);
            }
            Some(Known::Plain(ty)) => return Ok(ty),
            Some(Known::Refused(message, help)) => {
                return self.wrong(scope, written.span(), message, Some(help));
            }
            Some(known) => known,
        };
        let arguments = type_arguments(last);
        let Some(first) = arguments.first() else {
            let message = format!("`{}` needs a type in `<..>`", last.ident);
            return self.wrong(scope, written.span(), message, None);
        };
        let inner = self.ty(first, scope)?;
        Ok(match known {
            Known::Optional => Type::Optional(Box::new(inner)),
            Known::List => Type::List(Box::new(inner)),
            Known::Set => Type::Set(Box::new(inner)),
            Known::Map => {
                let Some(value) = arguments.get(1) else {
                    let message = format!("`{}` needs two types in `<..>`", last.ident);
                    return self.wrong(scope, written.span(), message, None);
                };
                self.key(&inner, first, scope)?;
                Type::Map(Box::new(self.ty(value, scope)?))
            }
            _ => inner,
        })
    }

    /// The key of a map has to be a string on the wire.
    fn key(&mut self, key: &Type, written: &syn::Type, scope: &Scope) -> Result<(), Noted> {
        if self.is_text(key) {
            return Ok(());
        }
        let text = cfg::tidy(&written.to_token_stream());
        let message = format!("`{text}` cannot be the key of a map: it is no string on the wire");
        let help = "keys can be `String`, an enum without data or a newtype of them; for other keys use a list of objects \
                    with `#[kb(list_map_key = \"..\")]`";
        self.wrong(scope, written.span(), message, Some(help))
    }

    fn is_text(&mut self, ty: &Type) -> bool {
        let Type::Ref(id) = ty else {
            return *ty == Type::String;
        };
        let Some((object, scope)) = self.object_of(id) else {
            return false;
        };
        match &object.def.shape {
            Shape::Choice(_) => true,
            Shape::Opaque => object.def.marks.schema_type == Some(SchemaType::String),
            Shape::Newtype(field) if self.depth <= MAX_DEPTH => {
                let inner = field.ty.and_then(|position| object.types.get(position));
                self.depth += 1;
                let is_text = inner
                    .and_then(|inner| self.ty(inner, &scope).ok())
                    .is_some_and(|inner| self.is_text(&inner));
                self.depth -= 1;
                is_text
            }
            _ => false,
        }
    }

    /// Notes a reason for the slow path.
    pub(super) fn unclear<T>(
        &mut self,
        scope: &Scope,
        span: Span,
        text: String,
    ) -> Result<T, Noted> {
        let file = self.tree.module(scope.module).file;
        self.findings.reason(self.tree.reason(file, span, text));
        Err(Noted)
    }

    /// Notes a mistake.
    pub(super) fn wrong<T>(
        &mut self,
        scope: &Scope,
        span: Span,
        message: impl Into<String>,
        help: Option<&str>,
    ) -> Result<T, Noted> {
        let file = self.tree.module(scope.module).file;
        let help = help.map(ToOwned::to_owned);
        self.findings
            .error(self.tree.diagnostic(file, span, message, help));
        Err(Noted)
    }
}

/// The parameters of a struct or enum.
pub(super) fn generics(item: &syn::Item) -> Option<&syn::Generics> {
    match item {
        syn::Item::Struct(item) => Some(&item.generics),
        syn::Item::Enum(item) => Some(&item.generics),
        _ => None,
    }
}

/// The types among the arguments of a path.
fn type_arguments(segment: &syn::PathSegment) -> Vec<&syn::Type> {
    let syn::PathArguments::AngleBracketed(arguments) = &segment.arguments else {
        return Vec::new();
    };
    let types = arguments.args.iter().filter_map(|argument| match argument {
        syn::GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    types.collect()
}

/// A type of the language.
fn primitive(name: &str) -> Type {
    match name {
        "bool" => Type::Bool,
        "char" | "str" => Type::String,
        "f32" | "f64" => Type::Float,
        integer => {
            let (bits, signed) = integer_of(integer);
            Type::Integer { bits, signed }
        }
    }
}

/// The bits of an integer type, and whether it is signed.
pub(super) fn integer_of(name: &str) -> (u8, bool) {
    let bits = name[1..].parse().unwrap_or(64);
    (bits, name.starts_with('i'))
}
