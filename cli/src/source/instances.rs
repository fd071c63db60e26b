//! Definitions: each type of the API that a kind leads to, once for every set of arguments.

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
    tree::{Content, ItemId, Tree},
    type_resolution::{Argument, Scope},
};

/// Makes definitions of items.
pub(super) struct Builder<'t> {
    pub(super) tree: &'t Tree,
    pub(super) resolver: Resolver<'t>,
    pub(super) findings: Findings,
    /// How deep in a type or a value the work is.
    pub(super) depth: usize,
    /// Steps in the value that is being found out.
    pub(super) value_steps: usize,
    instances: HashMap<TypeId, Instance>,
    /// How many of them have arguments.
    generic: usize,
    /// Instances without a definition so far.
    open: Vec<TypeId>,
}

/// The most types with generic arguments.
const MAX_GENERIC: usize = 10_000;

/// The longest name of a type with its generic arguments, in bytes.
const MAX_NAME: usize = 2048;

/// Generic types that do not come to an end, as those of `struct List<T> { next: Option<Box<List<Vec<T>>>> }`.
#[derive(Debug, Clone, Copy)]
pub(super) enum Growth {
    /// The arguments of one become longer and longer.
    Arguments,
    /// There are more and more of them.
    Instances,
}

impl Growth {
    /// What to do.
    pub(super) const HELP: &str =
        "a generic type that contains itself must do so with the same arguments";

    /// What is wrong with a type of this name.
    pub(super) fn message(self, name: &syn::Ident) -> String {
        match self {
            Self::Arguments => format!(
                "the generic arguments of `{name}` have more than {MAX_NAME} characters here"
            ),
            Self::Instances => format!(
                "`{name}` is one type too many: generic types lead to more than {MAX_GENERIC} types"
            ),
        }
    }
}

/// A type of the API with its arguments.
struct Instance {
    item: ItemId,
    scope: Scope,
    definition: Option<Defined>,
}

/// A definition, and the types of the API that it names.
struct Defined {
    definition: TypeDef<Type>,
    leads_to: Vec<TypeId>,
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

    /// What was found, and the items behind the types.
    pub(super) fn into_parts(self) -> (Findings, HashMap<TypeId, ItemId>) {
        let types = self.instances.into_iter();
        let types = types.map(|(id, instance)| (id, instance.item)).collect();
        (self.findings, types)
    }

    /// The type that an item is with these arguments. It is defined later.
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

    /// Stops at the first type that is too much: the others would be as many.
    fn grown(&mut self, growth: Growth) -> Result<Type, Growth> {
        self.open.clear();
        Err(growth)
    }

    /// The item behind a type, and where its own types are written.
    pub(super) fn object_of(&self, id: &TypeId) -> Option<(&'t Object, Scope)> {
        let (item, scope) = self.item_of(id)?;
        Some((self.tree.item(item).content.object()?, scope))
    }

    /// The item behind a type, and where its own types are written.
    pub(super) fn item_of(&self, id: &TypeId) -> Option<(ItemId, Scope)> {
        let instance = self.instances.get(id)?;
        Some((instance.item, instance.scope.clone()))
    }

    /// The definition of a kind; none if something in it is not known, or wrong.
    pub(super) fn definition(&mut self, item: ItemId) -> Option<Definition> {
        let Content::Resource(resource) = &self.tree.item(item).content else {
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

    /// A kind without a definition is never passed over in silence.
    pub(super) fn note_incomplete(&mut self, item: ItemId) {
        if self.findings.errors.is_empty() && self.findings.reasons.is_empty() {
            let item = self.tree.item(item);
            let text = format!(
                "not everything in `{}` is understood: only rustc knows it",
                item.ident
            );
            let _: Result<(), _> = self.unclear(&Scope::of(item.module), item.ident.span(), text);
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
            let text = format!("the schema of `{text}` is schemars': only rustc knows it");
            let _: Result<(), _> = self.unclear(scope, ty.span(), text);
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
            leads_to: references.cloned().collect(),
        })
    }

    /// All definitions that spec and status lead to.
    fn types_of(&self, spec: &Type, status: Option<&Type>) -> Option<Types> {
        let mut types = Types::new();
        let roots = [Some(spec), status].into_iter().flatten();
        let mut open: Vec<&TypeId> = roots.filter_map(reference).collect();
        while let Some(id) = open.pop() {
            if !types.contains_key(id) {
                let defined = self.instances.get(id)?.definition.as_ref()?;
                open.extend(&defined.leads_to);
                types.insert(id.clone(), defined.definition.clone());
            }
        }
        Some(types)
    }
}

/// The type of the API in this type.
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

/// A type in the name of another one.
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
