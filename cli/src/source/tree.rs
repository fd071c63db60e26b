//! Crates, modules, names and items of the loaded sources.
//!
//! They refer to each other by index. Paths are not resolved.

use std::{collections::HashMap, rc::Rc};

use kb_markers::{Object, ResourceItem};
use proc_macro2::Span;
use syn::Ident;

use super::{Diagnostic, FallbackReason};
use crate::plan::RelPath;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub(super) struct $name(pub(super) usize);
    )*};
}

ids! {
    /// A loaded file.
    FileId;
    /// A loaded crate.
    CrateId;
    /// A module.
    ModuleId;
    /// An item.
    ItemId;
    /// A `cfg` that only cargo can evaluate.
    ConditionId;
}

/// The loaded sources.
#[derive(Default)]
pub(super) struct Tree {
    pub(super) files: Vec<File>,
    pub(super) crates: Vec<Crate>,
    pub(super) modules: Vec<Module>,
    pub(super) items: Vec<Item>,
    pub(super) conditions: Vec<Condition>,
}

/// A file.
pub(super) struct File {
    pub(super) path: RelPath,
    pub(super) text: String,
}

/// A loaded crate.
pub(super) struct Crate {
    /// Crate name.
    pub(super) name: String,
    /// Root module.
    pub(super) root: ModuleId,
    /// Crates in scope, by name.
    pub(super) externs: HashMap<String, Extern>,
    /// Types with a manual `impl Schema`, by name.
    pub(super) manual_schemas: Vec<String>,
    /// Whether macro calls may expand to items.
    pub(super) has_item_macros: bool,
}

/// A crate in scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Extern {
    /// A loaded crate.
    Source(CrateId),
    /// Any other crate, by its own name.
    Foreign(String),
}

/// A module.
pub(super) struct Module {
    pub(super) krate: CrateId,
    pub(super) parent: Option<ModuleId>,
    /// Name; empty for a crate root.
    pub(super) name: String,
    pub(super) file: FileId,
    /// Declarations and named imports.
    pub(super) names: HashMap<String, Vec<Binding>>,
    /// Glob imports.
    pub(super) globs: Vec<Glob>,
    /// Macro calls that may expand to items.
    pub(super) macros: Vec<String>,
}

/// A name in a module.
#[derive(Clone)]
pub(super) struct Binding {
    pub(super) target: BindingTarget,
    pub(super) visibility: Visibility,
    pub(super) condition: Option<ConditionId>,
}

/// What a name is bound to.
#[derive(Clone)]
pub(super) enum BindingTarget {
    /// A module.
    Module(ModuleId),
    /// An item.
    Item(ItemId),
    /// Root type of the kind that the item declares.
    Kind(ItemId),
    /// `use`.
    Import(Rc<Import>),
}

/// Path of a `use`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Import {
    /// Whether it begins with `::`.
    pub(super) absolute: bool,
    pub(super) segments: Vec<String>,
}

/// `use path::*`.
pub(super) struct Glob {
    pub(super) import: Import,
    pub(super) visibility: Visibility,
    pub(super) condition: Option<ConditionId>,
}

/// Visibility of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Visibility {
    /// Visible everywhere.
    Public,
    /// Visible in the module and its descendants.
    Within(ModuleId),
}

/// An item.
pub(super) struct Item {
    pub(super) module: ModuleId,
    pub(super) ident: Ident,
    pub(super) visibility: Visibility,
    pub(super) condition: Option<ConditionId>,
    pub(super) content: ItemContent,
}

/// Content of an item.
pub(super) enum ItemContent {
    /// A struct, enum or union without an attribute of kb.
    Data(Box<syn::Item>),
    /// A type with `#[kb::object]`.
    Object(Box<Object>),
    /// A type with `#[kb::resource]`.
    Resource(Box<ResourceItem>),
    /// A type with errors, which are reported.
    Broken,
    /// `type X = Y;`
    Alias(Box<syn::ItemType>),
    /// `const X: T = ..;`
    Constant(Box<syn::ItemConst>),
    /// `fn`
    Function(Box<syn::ItemFn>),
    /// Anything else in the type namespace.
    OtherType,
    /// Anything else in the value namespace.
    OtherValue,
}

impl ItemContent {
    /// Returns the parsed type.
    pub(super) fn object(&self) -> Option<&Object> {
        match self {
            Self::Object(object) => Some(object),
            Self::Resource(resource) => Some(&resource.object),
            _ => None,
        }
    }

    /// Returns the struct or enum.
    pub(super) fn data(&self) -> Option<&syn::Item> {
        match self {
            Self::Data(item) => Some(item),
            _ => self.object().map(|object| &object.item),
        }
    }
}

/// A `cfg` that only cargo can evaluate.
pub(super) struct Condition {
    pub(super) file: FileId,
    pub(super) span: Span,
    /// Source text.
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

    /// Returns the path of a module, starting with its crate.
    pub(super) fn module_path(&self, id: ModuleId) -> String {
        let module = self.module(id);
        match module.parent {
            None => self.crates[module.krate.0].name.clone(),
            Some(parent) => format!("{}::{}", self.module_path(parent), module.name),
        }
    }

    /// Returns the path of an item, starting with its crate.
    pub(super) fn item_path(&self, id: ItemId) -> String {
        let item = self.item(id);
        format!("{}::{}", self.module_path(item.module), item.ident)
    }

    /// Returns whether `module` is `outer` or a descendant of it.
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

    /// Creates a diagnostic for a span.
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

    /// Creates a fallback reason for a span.
    pub(super) fn reason(
        &self,
        file: FileId,
        span: Span,
        text: impl Into<String>,
    ) -> FallbackReason {
        FallbackReason {
            path: self.files[file.0].path.clone(),
            line: span.start().line,
            text: text.into(),
        }
    }
}
