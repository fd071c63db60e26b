//! Resolves paths.

use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
    rc::Rc,
};

use syn::ext::IdentExt;

use super::{
    globs::GlobIndex,
    known_types,
    tree::{ConditionId, ItemId, ModuleId, Tree},
};

/// Namespace of a lookup: a name can be a type, a value and a macro.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Namespace {
    Type,
    Value,
    Macro,
}

/// What a path resolves to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Entity {
    /// A module of a loaded crate.
    Module(ModuleId),
    /// An item of a loaded crate.
    Item(ItemId),
    /// Root type of the kind that the item declares.
    Kind(ItemId),
    /// A variant of an enum, by index.
    Variant(ItemId, usize),
    /// An item of another crate, by its full path.
    Foreign(String),
    /// A primitive type.
    Primitive(&'static str),
}

/// A resolved path and the `cfg` it depends on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Resolution {
    pub(super) entity: Entity,
    pub(super) condition: Option<ConditionId>,
}

impl Resolution {
    pub(super) fn of(entity: Entity) -> Self {
        Self {
            entity,
            condition: None,
        }
    }

    /// Adds a condition unless it has one.
    pub(super) fn under(self, condition: Option<ConditionId>) -> Self {
        Self {
            condition: self.condition.or(condition),
            ..self
        }
    }
}

/// Error of a failed resolution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ResolveError {
    /// Not declared.
    Unknown {
        name: String,
        module: String,
        /// A macro in that module that may declare it.
        macro_name: Option<String>,
    },
    /// Imported by two globs.
    Ambiguous(String),
    /// Possibly imported by a glob of an unknown crate.
    Uncertain { name: String, path: String },
}

impl ResolveError {
    /// Returns the message for a fallback reason.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Unknown {
                name,
                module,
                macro_name: None,
            } => format!("cannot find `{name}` in `{module}`"),
            Self::Unknown {
                name,
                module,
                macro_name: Some(macro_name),
            } => format!("cannot find `{name}` in `{module}`, but `{macro_name}!` may declare it"),
            Self::Ambiguous(name) => {
                format!("`{name}` is ambiguous between glob imports")
            }
            Self::Uncertain { name, path } => {
                format!("`{name}` may be imported by `use {path}::*`")
            }
        }
    }
}

/// A lookup.
type Key = (ModuleId, String, Namespace, Option<ModuleId>);

/// Resolves paths and memoizes lookups.
pub(super) struct Resolver<'t> {
    pub(super) tree: &'t Tree,
    pub(super) memo: RefCell<HashMap<Key, Result<Option<Resolution>, ResolveError>>>,
    /// Active lookups, outermost first.
    pub(super) active: RefCell<Vec<Key>>,
    /// Number of cycles met. A lookup inside a cycle may be incomplete and is not memoized.
    pub(super) cycles: Cell<usize>,
    /// Whether the paths of globs are being resolved.
    pub(super) in_globs: Cell<bool>,
    /// Glob index per module; `None` while it is being built.
    pub(super) globs: RefCell<HashMap<ModuleId, Option<Rc<GlobIndex>>>>,
}

impl<'t> Resolver<'t> {
    pub(super) fn new(tree: &'t Tree) -> Self {
        Self {
            tree,
            memo: RefCell::default(),
            active: RefCell::default(),
            cycles: Cell::default(),
            in_globs: Cell::default(),
            globs: RefCell::default(),
        }
    }

    /// Resolves a path in `module`.
    pub(super) fn resolve_path(
        &self,
        module: ModuleId,
        path: &syn::Path,
        namespace: Namespace,
    ) -> Result<Resolution, ResolveError> {
        let segments: Vec<String> = path
            .segments
            .iter()
            .map(|segment| segment.ident.unraw().to_string())
            .collect();
        self.resolve_segments(module, &segments, path.leading_colon.is_some(), namespace)
    }

    /// Resolves the segments of a path in `module`.
    pub(super) fn resolve_segments(
        &self,
        module: ModuleId,
        segments: &[String],
        absolute: bool,
        namespace: Namespace,
    ) -> Result<Resolution, ResolveError> {
        let Some((first, rest)) = segments.split_first() else {
            // `use {a, b}` and `use ::*` have no first segment.
            return Ok(Resolution::of(Entity::Module(
                self.tree.crate_of(module).root,
            )));
        };
        let space = |is_last: bool| if is_last { namespace } else { Namespace::Type };
        let root = |id| Ok(Resolution::of(Entity::Module(id)));
        let mut found = match first.as_str() {
            _ if absolute => self
                .resolve_crate(module, first)
                .ok_or_else(|| self.not_found(module, first)),
            "crate" => root(self.tree.crate_of(module).root),
            "self" => root(module),
            "super" => match self.tree.module(module).parent {
                Some(parent) => root(parent),
                None => Err(self.not_found(module, first)),
            },
            name => self.resolve_first(module, name, space(rest.is_empty())),
        }?;
        for (position, name) in rest.iter().enumerate() {
            let namespace = space(position + 1 == rest.len());
            found = self
                .resolve_next(&found, name, namespace)?
                .under(found.condition);
        }
        Ok(found)
    }

    /// Resolves the next segment of a path.
    fn resolve_next(
        &self,
        outer: &Resolution,
        name: &str,
        namespace: Namespace,
    ) -> Result<Resolution, ResolveError> {
        let entity = match &outer.entity {
            Entity::Module(id) if name == "super" => {
                let parent = self.tree.module(*id).parent;
                parent
                    .map(Entity::Module)
                    .ok_or_else(|| self.not_found(*id, name))
            }
            Entity::Module(id) => {
                return self
                    .lookup(*id, name, namespace, None)?
                    .ok_or_else(|| self.not_found(*id, name));
            }
            Entity::Foreign(path) => {
                let path = known_types::canonical(&format!("{path}::{name}"));
                Ok(Entity::Foreign(path))
            }
            Entity::Item(id) => self
                .variant(*id, name)
                .ok_or_else(|| ResolveError::Unknown {
                    name: name.to_owned(),
                    module: self.tree.item_path(*id),
                    macro_name: None,
                }),
            Entity::Kind(_) | Entity::Variant(..) | Entity::Primitive(_) => {
                Err(ResolveError::Unknown {
                    name: name.to_owned(),
                    module: "a type".to_owned(),
                    macro_name: None,
                })
            }
        };
        entity.map(Resolution::of)
    }

    /// Resolves a variant of an enum.
    pub(super) fn variant(&self, item: ItemId, name: &str) -> Option<Entity> {
        let Some(syn::Item::Enum(data)) = self.tree.item(item).content.data() else {
            return None;
        };
        let position = data
            .variants
            .iter()
            .position(|variant| variant.ident.unraw() == name)?;
        Some(Entity::Variant(item, position))
    }

    /// Returns the error for a name that the module does not declare.
    pub(super) fn not_found(&self, module: ModuleId, name: &str) -> ResolveError {
        ResolveError::Unknown {
            name: name.to_owned(),
            module: self.tree.module_path(module),
            macro_name: self.tree.module(module).macros.first().cloned(),
        }
    }
}
