//! The sources as they were read: crates, modules, the names in them, and the items behind the names.
//!
//! Everything is in lists and refers to each other by position. Nothing is resolved here.

use std::{cell::Cell, collections::HashMap, rc::Rc};

use kb_markers::{Object, ResourceItem};
use proc_macro2::Span;
use syn::Ident;

use super::{Diagnostic, Reason};
use crate::plan::RelPath;

macro_rules! positions {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub(super) struct $name(pub(super) usize);
    )*};
}

positions! {
    /// A file that was read.
    FileId;
    /// A crate whose sources were read.
    CrateId;
    /// A module.
    ModuleId;
    /// An item.
    ItemId;
    /// A `cfg` that only cargo can decide.
    ConditionId;
}

/// The sources.
#[derive(Default)]
pub(super) struct Tree {
    pub(super) files: Vec<File>,
    pub(super) crates: Vec<Crate>,
    pub(super) modules: Vec<Module>,
    pub(super) items: Vec<Item>,
    pub(super) conditions: Vec<Condition>,
    /// Whether an item was asked for that another thread has.
    pub(super) missed: Cell<bool>,
}

/// A file.
pub(super) struct File {
    pub(super) path: RelPath,
    pub(super) text: String,
}

/// A crate whose sources were read.
pub(super) struct Crate {
    /// Its name in Rust.
    pub(super) name: String,
    /// Its root module.
    pub(super) root: ModuleId,
    /// The crates that it can name.
    pub(super) externs: HashMap<String, Extern>,
    /// Types with a schema written by hand, by name.
    pub(super) by_hand: Vec<String>,
    /// Whether it calls macros that may make items.
    pub(super) has_item_macros: bool,
}

/// What the name of a crate stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Extern {
    /// A crate whose sources were read.
    Source(CrateId),
    /// Any other, by its own name.
    Foreign(String),
}

/// A module.
pub(super) struct Module {
    pub(super) krate: CrateId,
    pub(super) parent: Option<ModuleId>,
    /// Its name; empty for a root.
    pub(super) name: String,
    pub(super) file: FileId,
    /// What is declared or imported by name.
    pub(super) names: HashMap<String, Vec<Binding>>,
    /// What is imported by `*`.
    pub(super) globs: Vec<Glob>,
    /// Macros that may make items.
    pub(super) macros: Vec<String>,
}

/// What a name stands for in a module.
#[derive(Clone)]
pub(super) struct Binding {
    pub(super) target: Target,
    pub(super) visibility: Visibility,
    pub(super) condition: Option<ConditionId>,
}

/// What a name refers to.
#[derive(Clone)]
pub(super) enum Target {
    /// A module.
    Module(ModuleId),
    /// An item.
    Item(ItemId),
    /// The root type of the kind that this item declares.
    Kind(ItemId),
    /// `use`.
    Import(Rc<Import>),
}

/// A path as `use` has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Import {
    /// Begins with `::`.
    pub(super) absolute: bool,
    pub(super) segments: Vec<String>,
}

/// `use path::*`.
pub(super) struct Glob {
    pub(super) import: Import,
    pub(super) visibility: Visibility,
    pub(super) condition: Option<ConditionId>,
}

/// Who sees a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Visibility {
    /// Everybody.
    Public,
    /// The module and those in it.
    Within(ModuleId),
}

/// An item.
pub(super) struct Item {
    pub(super) module: ModuleId,
    pub(super) ident: Ident,
    pub(super) visibility: Visibility,
    pub(super) condition: Option<ConditionId>,
    pub(super) content: Content,
}

/// What an item is.
pub(super) enum Content {
    /// A struct, an enum or a union that kb has nothing to do with, as far as is known.
    Data(Box<syn::Item>),
    /// One under `#[kb::object]`.
    Object(Box<Object>),
    /// One under `#[kb::resource]`.
    Resource(Box<ResourceItem>),
    /// One that could not be read: said already.
    Broken,
    /// `type X = Y;`
    Alias(Box<syn::ItemType>),
    /// `const X: T = ..;`
    Constant(Box<syn::ItemConst>),
    /// `fn`
    Function(Box<syn::ItemFn>),
    /// One that another thread has: only its name is here.
    Elsewhere,
    /// Something else that has a name among the types.
    OtherType,
    /// Something else that has a name among the values.
    OtherValue,
}

impl Content {
    /// What markers read of the item.
    pub(super) fn object(&self) -> Option<&Object> {
        match self {
            Self::Object(object) => Some(object),
            Self::Resource(resource) => Some(&resource.object),
            _ => None,
        }
    }

    /// The struct or enum.
    pub(super) fn data(&self) -> Option<&syn::Item> {
        match self {
            Self::Data(item) => Some(item),
            _ => self.object().map(|object| &object.item),
        }
    }
}

/// A `cfg` that only cargo can decide.
pub(super) struct Condition {
    pub(super) file: FileId,
    pub(super) span: Span,
    /// As it is written.
    pub(super) text: String,
}

impl Tree {
    pub(super) fn module(&self, id: ModuleId) -> &Module {
        &self.modules[id.0]
    }

    pub(super) fn item(&self, id: ItemId) -> &Item {
        &self.items[id.0]
    }

    pub(super) fn crate_of(&self, module: ModuleId) -> &Crate {
        &self.crates[self.module(module).krate.0]
    }

    /// The path of a module from the name of its crate.
    pub(super) fn module_path(&self, id: ModuleId) -> String {
        let module = self.module(id);
        match module.parent {
            None => self.crates[module.krate.0].name.clone(),
            Some(parent) => format!("{}::{}", self.module_path(parent), module.name),
        }
    }

    /// The path of an item from the name of its crate.
    pub(super) fn item_path(&self, id: ItemId) -> String {
        let item = self.item(id);
        format!("{}::{}", self.module_path(item.module), item.ident)
    }

    /// Whether `module` is `outer` or in it.
    pub(super) fn is_within(&self, module: ModuleId, outer: ModuleId) -> bool {
        let mut at = Some(module);
        while let Some(id) = at {
            if id == outer {
                return true;
            }
            at = self.module(id).parent;
        }
        false
    }

    /// A mistake at a place in a file.
    pub(super) fn diagnostic(
        &self,
        file: FileId,
        span: Span,
        message: impl Into<String>,
        help: Option<String>,
    ) -> Diagnostic {
        let File { path, text } = &self.files[file.0];
        Diagnostic::at(path, text, span, message, help)
    }

    /// A reason at a place in a file.
    pub(super) fn reason(&self, file: FileId, span: Span, text: impl Into<String>) -> Reason {
        Reason {
            path: self.files[file.0].path.clone(),
            line: span.start().line,
            text: text.into(),
        }
    }
}
