//! Builds definitions of API types, one per set of generic arguments.

use std::{collections::HashMap, fmt::Write, rc::Rc};

use kb_markers::Object;
use kb_model::{
    api::{Default as Absent, Type, TypeDef, TypeId, Types},
    crd::Definition,
};
use quote::ToTokens;
use syn::spanned::Spanned;

use super::{
    cfg,
    findings::Findings,
    resolve::Resolver,
    tree::{ItemContent, ItemId, Tree},
    type_resolution::{Argument, Scope},
};

/// Builds definitions.
pub(super) struct Builder<'t> {
    pub(super) tree: &'t Tree,
    pub(super) resolver: Resolver<'t>,
    pub(super) findings: Findings,
    /// Nesting depth of the current type or value.
    pub(super) depth: usize,
    /// Steps spent on the current value.
    pub(super) value_steps: usize,
    instances: HashMap<TypeId, Instance>,
    /// Number of generic instances.
    generic: usize,
    /// Instances that are not defined yet.
    open: Vec<TypeId>,
}

/// Limit of generic instances.
const MAX_GENERIC: usize = 10_000;

/// Limit for the name of a generic instance, in bytes.
const MAX_NAME: usize = 2048;

/// Unbounded instantiation, as of `struct List<T> { next: Option<Box<List<Vec<T>>>> }`.
#[derive(Debug, Clone, Copy)]
pub(super) enum Growth {
    /// Arguments grow.
    Arguments,
    /// Instances multiply.
    Instances,
}

impl Growth {
    /// Help for the error.
    pub(super) const HELP: &str =
        "a recursive generic type must refer to itself with the same arguments";

    /// Returns the error message for a type.
    pub(super) fn message(self, name: &syn::Ident) -> String {
        match self {
            Self::Arguments => {
                format!("the generic arguments of `{name}` are longer than {MAX_NAME} characters")
            }
            Self::Instances => {
                format!("`{name}` exceeds the limit of {MAX_GENERIC} instances of generic types")
            }
        }
    }
}

/// An API type with its arguments.
struct Instance {
    item: ItemId,
    scope: Scope,
    definition: Option<Defined>,
}

/// A definition and the API types that it refers to.
struct Defined {
    definition: TypeDef<Type>,
    references: Vec<TypeId>,
}

impl<'t> Builder<'t> {
    pub(super) fn new(tree: &'t Tree, findings: Findings) -> Self {
        Self {
            tree,
            resolver: Resolver::new(tree),
            findings,
            depth: 0,
            value_steps: 0,
            instances: HashMap::new(),
            generic: 0,
            open: Vec::new(),
        }
    }

    /// Returns the findings and the item of each type.
    pub(super) fn into_parts(self) -> (Findings, HashMap<TypeId, ItemId>) {
        let types = self.instances.into_iter();
        let types = types.map(|(id, instance)| (id, instance.item)).collect();
        (self.findings, types)
    }

    /// Instantiates an item. [`Self::definition`] defines it.
    pub(super) fn instance(
        &mut self,
        item: ItemId,
        arguments: Vec<(String, Argument)>,
    ) -> Result<Type, Growth> {
        let is_generic = !arguments.is_empty();
        let mut path = self.tree.item_path(item);
        for (position, (_, argument)) in arguments.iter().enumerate() {
            path.push_str(if position == 0 { "<" } else { ", " });
            match argument {
                Argument::Type(ty) => push_type(&mut path, ty),
                Argument::Number(number) => {
                    let _ = write!(path, "{number}");
                }
            }
        }
        if is_generic {
            path.push('>');
            if path.len() > MAX_NAME {
                return self.grown(Growth::Arguments);
            }
        }
        let id = TypeId::new(path);
        if !self.instances.contains_key(&id) {
            self.generic += usize::from(is_generic);
            if self.generic > MAX_GENERIC {
                return self.grown(Growth::Instances);
            }
            let scope = Scope {
                module: self.tree.item(item).module,
                arguments: Rc::new(arguments.into_iter().collect()),
                own: Some(Type::Ref(id.clone())),
            };
            let instance = Instance {
                item,
                scope,
                definition: None,
            };
            self.instances.insert(id.clone(), instance);
            self.open.push(id.clone());
        }
        Ok(Type::Ref(id))
    }

    /// Stops defining instances: there would be as many errors.
    fn grown(&mut self, growth: Growth) -> Result<Type, Growth> {
        self.open.clear();
        Err(growth)
    }

    /// Returns the parsed item of a type and the scope of its fields.
    pub(super) fn object_of(&self, id: &TypeId) -> Option<(&'t Object, Scope)> {
        let (item, scope) = self.item_of(id)?;
        Some((self.tree.item(item).content.object()?, scope))
    }

    /// Returns the item of a type and the scope of its fields.
    pub(super) fn item_of(&self, id: &TypeId) -> Option<(ItemId, Scope)> {
        let instance = self.instances.get(id)?;
        Some((instance.item, instance.scope.clone()))
    }

    /// Builds the definition of a kind; `None` if part of it is unknown or wrong.
    pub(super) fn definition(&mut self, item: ItemId) -> Option<Definition> {
        let ItemContent::Resource(resource) = &self.tree.item(item).content else {
            return None;
        };
        let scope = Scope::of(self.tree.item(item).module);
        let own = self.instance(item, Vec::new()).ok()?;
        let types = &resource.object.types;
        let mut resolve = |position: usize| {
            let ty = types.get(position).ok_or(())?;
            let is_own = position == resource.resource.spec;
            if is_own {
                Ok(own.clone())
            } else {
                self.ty(ty, &scope).map_err(|_| ())
            }
        };
        let resolved = resource.resource.clone().try_map(&mut resolve);
        self.define_open();
        let resource = resolved.ok()?;
        let types = self.types_of(&resource.spec, resource.status.as_ref())?;
        Some(Definition { resource, types })
    }

    /// Makes sure that a kind without a definition is reported.
    pub(super) fn report_incomplete(&mut self, item: ItemId) {
        if self.findings.errors.is_empty() && self.findings.reasons.is_empty() {
            let item = self.tree.item(item);
            let text = format!("`{}` contains a type that kb-rs cannot resolve", item.ident);
            let _: Result<(), _> = self.fall_back(&Scope::of(item.module), item.ident.span(), text);
        }
    }

    fn define_open(&mut self) {
        while let Some(id) = self.open.pop() {
            let Some((object, scope)) = self.object_of(&id) else {
                continue;
            };
            let definition = self.define(object, &scope);
            if let Some(instance) = self.instances.get_mut(&id) {
                instance.definition = definition;
            }
        }
    }

    fn define(&mut self, object: &Object, scope: &Scope) -> Option<Defined> {
        for ty in object
            .json_schema
            .iter()
            .filter_map(|at| object.types.get(*at))
        {
            let text = cfg::tidy(&ty.to_token_stream());
            let text = format!("the schema of `{text}` comes from schemars");
            let _: Result<(), _> = self.fall_back(scope, ty.span(), text);
        }
        let types: Vec<Option<Type>> = object
            .types
            .iter()
            .enumerate()
            .map(|(position, ty)| {
                let is_known = !object.json_schema.contains(&position);
                is_known.then(|| self.ty(ty, scope).ok()).flatten()
            })
            .collect();
        let mut definition = object.def.clone();
        let mut is_complete = true;
        for field in definition.fields_mut() {
            if let Some(Absent::Expression(position)) = field.default {
                let value = object
                    .expressions
                    .get(position)
                    .and_then(|expression| self.default_value(expression, scope));
                is_complete &= value.is_some();
                field.default = value.map(Absent::Value);
            }
        }
        let mut resolve = |position: usize| types.get(position).cloned().flatten().ok_or(());
        let definition = definition.try_map(&mut resolve).ok()?;
        let references = types.iter().flatten().filter_map(reference);
        is_complete.then(|| Defined {
            definition,
            references: references.cloned().collect(),
        })
    }

    /// Returns the definitions reachable from spec and status.
    fn types_of(&self, spec: &Type, status: Option<&Type>) -> Option<Types> {
        let mut types = Types::new();
        let roots = [Some(spec), status].into_iter().flatten();
        let mut open: Vec<&TypeId> = roots.filter_map(reference).collect();
        while let Some(id) = open.pop() {
            if !types.contains_key(id) {
                let defined = self.instances.get(id)?.definition.as_ref()?;
                open.extend(&defined.references);
                types.insert(id.clone(), defined.definition.clone());
            }
        }
        Some(types)
    }
}

/// Returns the API type that a type refers to.
fn reference(ty: &Type) -> Option<&TypeId> {
    match ty {
        Type::Ref(id) => Some(id),
        Type::Optional(inner)
        | Type::List(inner)
        | Type::Set(inner)
        | Type::Array(inner, _)
        | Type::Map(inner) => reference(inner),
        _ => None,
    }
}

/// Appends the name of a generic argument.
fn push_type(path: &mut String, ty: &Type) {
    let (name, inner) = match ty {
        Type::Optional(inner) => ("Option", inner),
        Type::List(inner) => ("Vec", inner),
        Type::Set(inner) => ("Set", inner),
        Type::Map(inner) => ("Map", inner),
        Type::Array(inner, length) => {
            path.push('[');
            push_type(path, inner);
            let _ = write!(path, "; {length}]");
            return;
        }
        Type::Ref(id) => return path.push_str(id.as_str()),
        Type::Core(component) => return path.push_str(component),
        Type::Integer { bits, signed } => {
            let _ = write!(path, "{}{bits}", if *signed { 'i' } else { 'u' });
            return;
        }
        Type::Raw(schema) => {
            let _ = write!(path, "{schema}");
            return;
        }
        Type::Bool => return path.push_str("bool"),
        Type::Float => return path.push_str("float"),
        Type::String => return path.push_str("String"),
        Type::Any => return path.push_str("Value"),
    };
    path.push_str(name);
    path.push('<');
    push_type(path, inner);
    path.push('>');
}
