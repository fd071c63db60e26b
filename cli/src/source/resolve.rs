//! From a path to what it stands for.

use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
    rc::Rc,
};

use syn::ext::IdentExt;

use super::{
    globs::GlobIndex,
    known,
    tree::{ConditionId, ItemId, ModuleId, Tree},
};

/// What a name is looked up as: one name can be a type, a value and a macro at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Namespace {
    Type,
    Value,
    Macro,
}

/// What a path stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Entity {
    /// A module whose source was read.
    Module(ModuleId),
    /// An item whose source was read.
    Item(ItemId),
    /// The root type of the kind that the item declares.
    Kind(ItemId),
    /// A variant of an enum, by its position.
    Variant(ItemId, usize),
    /// Something of another crate: its path in full.
    Foreign(String),
    /// A type of the language.
    Primitive(&'static str),
}

/// What was found, and under which condition it is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) entity: Entity,
    pub(super) condition: Option<ConditionId>,
}

impl Found {
    pub(super) fn of(entity: Entity) -> Self {
        Self {
            entity,
            condition: None,
        }
    }

    /// The same, found under a condition.
    pub(super) fn under(self, condition: Option<ConditionId>) -> Self {
        Self {
            condition: self.condition.or(condition),
            ..self
        }
    }
}

/// Why a path leads nowhere that is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Lost {
    /// Nobody declares it.
    Unknown {
        name: String,
        module: String,
        /// A macro in that module, which may make it.
        macro_name: Option<String>,
    },
    /// Two `*` bring it.
    Ambiguous(String),
    /// The `*` of an unknown crate may bring it.
    Uncertain { name: String, path: String },
}

impl Lost {
    /// As a reason for the slow path.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Unknown {
                name,
                module,
                macro_name: None,
            } => format!("`{name}` is not found in `{module}`"),
            Self::Unknown {
                name,
                module,
                macro_name: Some(macro_name),
            } => format!(
                "`{name}` is not found in `{module}`, but `{macro_name}!` there may make it: only rustc knows"
            ),
            Self::Ambiguous(name) => {
                format!("`{name}` comes from more than one `*`: only rustc knows which is meant")
            }
            Self::Uncertain { name, path } => {
                format!("`{name}` may come from `use {path}::*`: only rustc knows what that has")
            }
        }
    }
}

/// A name in a module, as it was asked for.
type Key = (ModuleId, String, Namespace, Option<ModuleId>);

/// Resolves paths. What was found once is remembered.
pub(super) struct Resolver<'t> {
    pub(super) tree: &'t Tree,
    pub(super) memo: RefCell<HashMap<Key, Result<Option<Found>, Lost>>>,
    /// What is being looked for, from the outermost.
    pub(super) active: RefCell<Vec<Key>>,
    /// How often a search came back to itself: what was found on the way may be less than there is.
    pub(super) circles: Cell<usize>,
    /// Whether the sources of `*` are being looked at: not again for the names in their own paths.
    pub(super) in_globs: Cell<bool>,
    /// Which `*` of a module has which names; none while that is being found out.
    pub(super) globs: RefCell<HashMap<ModuleId, Option<Rc<GlobIndex>>>>,
}

impl<'t> Resolver<'t> {
    pub(super) fn new(tree: &'t Tree) -> Self {
        Self {
            tree,
            memo: RefCell::default(),
            active: RefCell::default(),
            circles: Cell::default(),
            in_globs: Cell::default(),
            globs: RefCell::default(),
        }
    }

    /// What a path in `module` stands for.
    pub(super) fn path(
        &self,
        module: ModuleId,
        path: &syn::Path,
        namespace: Namespace,
    ) -> Result<Found, Lost> {
        let segments: Vec<String> = path
            .segments
            .iter()
            .map(|segment| segment.ident.unraw().to_string())
            .collect();
        self.segments(module, &segments, path.leading_colon.is_some(), namespace)
    }

    /// What a path in `module` stands for.
    pub(super) fn segments(
        &self,
        module: ModuleId,
        segments: &[String],
        absolute: bool,
        namespace: Namespace,
    ) -> Result<Found, Lost> {
        let Some((first, rest)) = segments.split_first() else {
            // `use {a, b}` and `use ::*` begin nowhere.
            return Ok(Found::of(Entity::Module(self.tree.crate_of(module).root)));
        };
        let space = |is_last: bool| if is_last { namespace } else { Namespace::Type };
        let root = |id| Ok(Found::of(Entity::Module(id)));
        let mut found = match first.as_str() {
            _ if absolute => self
                .of_crate(module, first)
                .ok_or_else(|| self.unknown(module, first)),
            "crate" => root(self.tree.crate_of(module).root),
            "self" => root(module),
            "super" => match self.tree.module(module).parent {
                Some(parent) => root(parent),
                None => Err(self.unknown(module, first)),
            },
            name => self.unqualified(module, name, space(rest.is_empty())),
        }?;
        for (position, name) in rest.iter().enumerate() {
            let namespace = space(position + 1 == rest.len());
            found = self.below(&found, name, namespace)?.under(found.condition);
        }
        Ok(found)
    }

    /// What a name stands for behind what a path has led to so far.
    fn below(&self, outer: &Found, name: &str, namespace: Namespace) -> Result<Found, Lost> {
        let entity = match &outer.entity {
            Entity::Module(id) if name == "super" => {
                let parent = self.tree.module(*id).parent;
                parent
                    .map(Entity::Module)
                    .ok_or_else(|| self.unknown(*id, name))
            }
            Entity::Module(id) => {
                return self
                    .in_module(*id, name, namespace, None)?
                    .ok_or_else(|| self.unknown(*id, name));
            }
            Entity::Foreign(path) => {
                let path = known::canonical(&format!("{path}::{name}"));
                Ok(Entity::Foreign(path))
            }
            Entity::Item(id) => self.variant(*id, name).ok_or_else(|| Lost::Unknown {
                name: name.to_owned(),
                module: self.tree.item_path(*id),
                macro_name: None,
            }),
            Entity::Kind(_) | Entity::Variant(..) | Entity::Primitive(_) => Err(Lost::Unknown {
                name: name.to_owned(),
                module: "a type".to_owned(),
                macro_name: None,
            }),
        };
        entity.map(Found::of)
    }

    /// The variant of an enum.
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

    /// Nobody declares this name in the module.
    pub(super) fn unknown(&self, module: ModuleId, name: &str) -> Lost {
        Lost::Unknown {
            name: name.to_owned(),
            module: self.tree.module_path(module),
            macro_name: self.tree.module(module).macros.first().cloned(),
        }
    }
}
