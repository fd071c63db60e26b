//! Resolves types: follows names, expands aliases and substitutes generic parameters.
//!
//! A type that cannot be resolved is a reason to fall back; a type without a schema is an error.

use std::{collections::HashMap, rc::Rc};

use kb_model::api::{SchemaType, Shape, Type};
use proc_macro2::Span;
use quote::ToTokens;
use syn::spanned::Spanned;

use super::{
    attributes, cfg,
    instances::{Builder, Growth},
    known_types::{self, KnownType},
    resolve::{Entity, Namespace},
    tree::{ItemContent, ItemId, ModuleId},
};

/// A generic argument.
#[derive(Debug, Clone)]
pub(super) enum Argument {
    /// A type.
    Type(Type),
    /// A const argument.
    Number(u64),
}

/// Arguments by parameter name.
pub(super) type Arguments = HashMap<String, Argument>;

/// Scope of a type expression.
#[derive(Clone)]
pub(super) struct Scope {
    pub(super) module: ModuleId,
    /// Arguments of the generic parameters in scope.
    pub(super) arguments: Rc<Arguments>,
    /// The type `Self`.
    pub(super) own: Option<Type>,
}

impl Scope {
    /// Creates the scope of a module, without generic parameters.
    pub(super) fn of(module: ModuleId) -> Self {
        Self {
            module,
            arguments: Rc::default(),
            own: None,
        }
    }
}

/// Marks a failure that is already reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reported;

/// Limit of nested aliases and types.
const MAX_DEPTH: usize = 64;

impl Builder<'_> {
    /// Resolves a type.
    pub(super) fn ty(&mut self, ty: &syn::Type, scope: &Scope) -> Result<Type, Reported> {
        if self.depth > MAX_DEPTH {
            let message = "this type is recursive or nested too deeply";
            return self.reject(scope, ty.span(), message, None);
        }
        self.depth += 1;
        let resolved = self.resolve_type(ty, scope);
        self.depth -= 1;
        resolved
    }

    fn resolve_type(&mut self, ty: &syn::Type, scope: &Scope) -> Result<Type, Reported> {
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
                return self.fall_back(scope, ty.span(), format!("`{name}!` expands to this type"));
            }
            syn::Type::Tuple(tuple) if tuple.elems.is_empty() => "the unit type",
            syn::Type::Tuple(_) => "a tuple",
            syn::Type::FnPtr(_) => "a function",
            syn::Type::ImplTrait(_) | syn::Type::TraitObject(_) => "a trait",
            syn::Type::Never(_) => "the never type",
            syn::Type::Ptr(_) => "a raw pointer",
            _ => {
                return self.fall_back(
                    scope,
                    ty.span(),
                    "kb-rs cannot resolve this type".to_owned(),
                );
            }
        };
        let message = format!("{what} has no schema, so it cannot be used in an API");
        let help = "use a struct with named fields and `#[kb::object]`";
        self.reject(scope, ty.span(), message, Some(help))
    }

    fn path_type(&mut self, ty: &syn::TypePath, scope: &Scope) -> Result<Type, Reported> {
        let path = &ty.path;
        let Some((first, last)) = path.segments.first().zip(path.segments.last()) else {
            return Err(Reported);
        };
        let parameter = scope.arguments.get(&first.ident.to_string());
        let is_own = first.ident == "Self";
        match (parameter, &scope.own) {
            (Some(Argument::Type(ty)), _) if path.segments.len() == 1 => return Ok(ty.clone()),
            (_, Some(own)) if is_own && path.segments.len() == 1 => return Ok(own.clone()),
            _ if ty.qself.is_some() || parameter.is_some() || is_own => {
                let text = cfg::tidy(&ty.to_token_stream());
                return self.fall_back(scope, ty.span(), format!("`{text}` is an associated type"));
            }
            _ => {}
        }
        let found = match self
            .resolver
            .resolve_path(scope.module, path, Namespace::Type)
        {
            Ok(found) => found,
            Err(error) => return self.fall_back(scope, ty.span(), error.text()),
        };
        if let Some(condition) = found.condition {
            self.findings
                .reason(attributes::conditional(self.tree, condition));
            return Err(Reported);
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
                self.reject(scope, ty.span(), message, Some(help))
            }
            Entity::Module(_) | Entity::Variant(..) => {
                self.fall_back(scope, ty.span(), format!("`{}` is not a type", last.ident))
            }
        }
    }

    /// Resolves a type of a loaded crate.
    fn item_type(
        &mut self,
        id: ItemId,
        last: &syn::PathSegment,
        scope: &Scope,
        written: &syn::TypePath,
    ) -> Result<Type, Reported> {
        let item = self.tree.item(id);
        let own = Scope::of(item.module);
        match &item.content {
            ItemContent::Alias(alias) => {
                let arguments =
                    self.arguments(&alias.generics, &last.arguments, scope, &own, written)?;
                let arguments = Rc::new(arguments.into_iter().collect());
                self.ty(&alias.ty, &Scope { arguments, ..own })
            }
            ItemContent::Object(_) | ItemContent::Resource(_) => {
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
                        self.reject(scope, written.span(), message, Some(Growth::HELP))
                    }
                }
            }
            ItemContent::Broken => Err(Reported),
            ItemContent::Data(_) => self.unmarked(id, scope, written),
            _ => self.fall_back(
                scope,
                written.span(),
                format!(
                    "`{}` has no schema, so it cannot be used in an API",
                    item.ident
                ),
            ),
        }
    }

    /// Reports a struct or enum without an attribute of kb.
    fn unmarked(
        &mut self,
        id: ItemId,
        scope: &Scope,
        written: &syn::TypePath,
    ) -> Result<Type, Reported> {
        let item = self.tree.item(id);
        let (name, krate) = (item.ident.to_string(), self.tree.crate_of(item.module));
        if krate.manual_schemas.contains(&name) {
            let text = format!("`{name}` has a manual `impl Schema`");
            return self.fall_back(scope, written.span(), text);
        }
        if attributes::may_be_hidden(&self.resolver, item) {
            let text = format!("an attribute macro may give `{name}` a schema");
            return self.fall_back(scope, written.span(), text);
        }
        if krate.has_item_macros {
            let text = format!(
                "`{name}` has no `#[kb::object]`, but a macro may implement `Schema` for it"
            );
            return self.fall_back(scope, written.span(), text);
        }
        let message = format!("`{name}` has no schema, so it cannot be used in an API");
        let place = &self.tree.files[self.tree.module(item.module).file.0].path;
        let line = item.ident.span().start().line;
        let help = format!("add `#[kb::object]` to it: {place}:{line}");
        self.reject(scope, written.span(), message, Some(&help))
    }

    /// Resolves a type of another crate.
    fn foreign(
        &mut self,
        path: &str,
        last: &syn::PathSegment,
        scope: &Scope,
        written: &syn::TypePath,
    ) -> Result<Type, Reported> {
        let known = match known_types::of(path) {
            None => {
                let text = format!("`{path}` is a type of another crate");
                return self.fall_back(scope, written.span(), text);
            }
            Some(KnownType::Plain(ty)) => return Ok(ty),
            Some(KnownType::Unsupported(message, help)) => {
                return self.reject(scope, written.span(), message, Some(help));
            }
            Some(known) => known,
        };
        let arguments = type_arguments(last);
        let Some(first) = arguments.first() else {
            let message = format!("`{}` requires a type argument", last.ident);
            return self.reject(scope, written.span(), message, None);
        };
        let inner = self.ty(first, scope)?;
        Ok(match known {
            KnownType::Optional => Type::Optional(Box::new(inner)),
            KnownType::List => Type::List(Box::new(inner)),
            KnownType::Set => Type::Set(Box::new(inner)),
            KnownType::Map => {
                let Some(value) = arguments.get(1) else {
                    let message = format!("`{}` requires two type arguments", last.ident);
                    return self.reject(scope, written.span(), message, None);
                };
                self.check_key(&inner, first, scope)?;
                Type::Map(Box::new(self.ty(value, scope)?))
            }
            _ => inner,
        })
    }

    /// Checks that the key of a map serializes as a string.
    fn check_key(
        &mut self,
        key: &Type,
        written: &syn::Type,
        scope: &Scope,
    ) -> Result<(), Reported> {
        if self.is_string(key) {
            return Ok(());
        }
        let text = cfg::tidy(&written.to_token_stream());
        let message =
            format!("`{text}` cannot be the key of a map: it is not serialized as a string");
        let help = "use `String`, an enum without data or a newtype of either; for other keys use a list of objects \
                    with `#[kb(list_map_key = \"..\")]`";
        self.reject(scope, written.span(), message, Some(help))
    }

    fn is_string(&mut self, ty: &Type) -> bool {
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
                let is_string = inner
                    .and_then(|inner| self.ty(inner, &scope).ok())
                    .is_some_and(|inner| self.is_string(&inner));
                self.depth -= 1;
                is_string
            }
            _ => false,
        }
    }

    /// Records a reason to fall back to crdgen.
    pub(super) fn fall_back<T>(
        &mut self,
        scope: &Scope,
        span: Span,
        text: String,
    ) -> Result<T, Reported> {
        let file = self.tree.module(scope.module).file;
        self.findings.reason(self.tree.reason(file, span, text));
        Err(Reported)
    }

    /// Reports an error.
    pub(super) fn reject<T>(
        &mut self,
        scope: &Scope,
        span: Span,
        message: impl Into<String>,
        help: Option<&str>,
    ) -> Result<T, Reported> {
        let file = self.tree.module(scope.module).file;
        let help = help.map(ToOwned::to_owned);
        self.findings
            .error(self.tree.diagnostic(file, span, message, help));
        Err(Reported)
    }
}

/// Returns the generic parameters of a struct or enum.
fn generics(item: &syn::Item) -> Option<&syn::Generics> {
    match item {
        syn::Item::Struct(item) => Some(&item.generics),
        syn::Item::Enum(item) => Some(&item.generics),
        _ => None,
    }
}

/// Returns the type arguments of a path segment.
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

/// Returns a primitive type.
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

/// Returns the bits of an integer type and whether it is signed.
pub(super) fn integer_of(name: &str) -> (u8, bool) {
    let bits = name[1..].parse().unwrap_or(64);
    (bits, name.starts_with('i'))
}
