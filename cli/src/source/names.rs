//! Looks up names in a module.
//!
//! Declarations and named imports shadow glob imports, which shadow crate names and the prelude. A name that two globs import
//! from different modules is ambiguous; a name that a glob of an unknown crate may import is uncertain. Both are left to rustc.

use super::{
    known_types,
    resolve::{Entity, Namespace, Resolution, ResolveError, Resolver},
    tree::{Binding, BindingTarget, ItemContent, ItemId, ModuleId, Visibility},
};

/// Names of the prelude.
const PRELUDE: [(&str, &str); 9] = [
    ("Vec", "std::vec::Vec"),
    ("Option", "std::option::Option"),
    ("Some", "std::option::Option::Some"),
    ("None", "std::option::Option::None"),
    ("String", "std::string::String"),
    ("Box", "std::boxed::Box"),
    ("Default", "std::default::Default"),
    ("From", "std::convert::From"),
    ("Result", "std::result::Result"),
];

/// Primitive types.
const PRIMITIVES: [&str; 17] = [
    "bool", "char", "str", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64",
    "u128", "usize", "f32", "f64",
];

impl Resolver<'_> {
    /// Resolves the first segment of a path.
    pub(super) fn resolve_first(
        &self,
        module: ModuleId,
        name: &str,
        namespace: Namespace,
    ) -> Result<Resolution, ResolveError> {
        if let Some(found) = self.lookup(module, name, namespace, None)? {
            return Ok(found);
        }
        if namespace == Namespace::Type
            && let Some(found) = self.resolve_crate(module, name)
        {
            return Ok(found);
        }
        // An unknown glob may export a `String`, but hardly an `i32`.
        if namespace == Namespace::Type
            && let Some(primitive) = PRIMITIVES.iter().find(|known| **known == name)
        {
            return Ok(Resolution::of(Entity::Primitive(primitive)));
        }
        if let Some(path) = self.open_glob(module) {
            return Err(ResolveError::Uncertain {
                name: name.to_owned(),
                path,
            });
        }
        let in_prelude = PRELUDE.iter().find(|(known, _)| *known == name);
        if let Some((_, path)) = in_prelude {
            return Ok(Resolution::of(Entity::Foreign((*path).to_owned())));
        }
        Err(self.not_found(module, name))
    }

    /// Resolves the name of a crate.
    pub(super) fn resolve_crate(&self, module: ModuleId, name: &str) -> Option<Resolution> {
        use super::tree::Extern;
        let entity = match self.tree.crate_of(module).externs.get(name)? {
            Extern::Source(id) => Entity::Module(self.tree.crates[id.0].root),
            Extern::Foreign(name) => Entity::Foreign(known_types::canonical(name)),
        };
        Some(Resolution::of(entity))
    }

    /// Looks up a name in a module. With `seen_from`, only names visible from there.
    pub(super) fn lookup(
        &self,
        module: ModuleId,
        name: &str,
        namespace: Namespace,
        seen_from: Option<ModuleId>,
    ) -> Result<Option<Resolution>, ResolveError> {
        let key = (module, name.to_owned(), namespace, seen_from);
        if let Some(found) = self.memo.borrow().get(&key) {
            return found.clone();
        }
        // A cyclic import resolves elsewhere: in `use serde_json;` the name is the crate.
        if self.active.borrow().contains(&key) {
            self.cycles.set(self.cycles.get() + 1);
            return Ok(None);
        }
        self.active.borrow_mut().push(key.clone());
        let cycles = self.cycles.get();
        let found = self.search(module, name, namespace, seen_from);
        self.active.borrow_mut().pop();
        if self.active.borrow().is_empty() || self.cycles.get() == cycles {
            self.memo.borrow_mut().insert(key, found.clone());
        }
        found
    }

    fn search(
        &self,
        module: ModuleId,
        name: &str,
        namespace: Namespace,
        seen_from: Option<ModuleId>,
    ) -> Result<Option<Resolution>, ResolveError> {
        let is_seen = |visibility| {
            seen_from.is_none_or(|from| match visibility {
                Visibility::Public => true,
                Visibility::Within(outer) => self.tree.is_within(from, outer),
            })
        };
        let content = self.tree.module(module);
        for binding in content.names.get(name).into_iter().flatten() {
            if is_seen(binding.visibility)
                && let Some(found) = self.resolve_binding(module, binding, namespace)?
            {
                return Ok(Some(found));
            }
        }
        let mut found: Option<Resolution> = None;
        for position in self.globs_with(module, name) {
            let glob = &content.globs[position];
            if !is_seen(glob.visibility) {
                continue;
            }
            let Some(next) = self.resolve_glob(module, glob, name, namespace)? else {
                continue;
            };
            match &found {
                Some(first) if first.entity != next.entity => {
                    return Err(ResolveError::Ambiguous(name.to_owned()));
                }
                _ => found = Some(next),
            }
        }
        // A macro in this module may declare the name, which would shadow the glob.
        if found.is_some() && !content.macros.is_empty() {
            return Err(self.not_found(module, name));
        }
        Ok(found)
    }

    /// Resolves a declaration or a named import in a namespace.
    fn resolve_binding(
        &self,
        module: ModuleId,
        binding: &Binding,
        namespace: Namespace,
    ) -> Result<Option<Resolution>, ResolveError> {
        let entity = match &binding.target {
            BindingTarget::Module(id) if namespace == Namespace::Type => Entity::Module(*id),
            BindingTarget::Kind(id) if namespace == Namespace::Type => Entity::Kind(*id),
            BindingTarget::Item(id) if self.is_in_namespace(*id, namespace) => Entity::Item(*id),
            BindingTarget::Import(import) => {
                let found =
                    self.resolve_segments(module, &import.segments, import.absolute, namespace);
                return match found {
                    Ok(found) => Ok(Some(found.under(binding.condition))),
                    // The name may exist in another namespace, or in another glob.
                    Err(ResolveError::Unknown {
                        macro_name: None, ..
                    }) => Ok(None),
                    Err(error) => Err(error),
                };
            }
            _ => return Ok(None),
        };
        Ok(Some(Resolution::of(entity).under(binding.condition)))
    }

    fn is_in_namespace(&self, item: ItemId, namespace: Namespace) -> bool {
        match (&self.tree.item(item).content, namespace) {
            (
                ItemContent::Constant(_) | ItemContent::Function(_) | ItemContent::OtherValue,
                namespace,
            ) => namespace == Namespace::Value,
            (
                ItemContent::Data(_) | ItemContent::Object(_) | ItemContent::Resource(_),
                Namespace::Value,
            ) => true,
            (_, namespace) => namespace == Namespace::Type,
        }
    }
}
