//! The names in a module: declared ones, imported ones, and what every module has.
//!
//! What is declared or imported by name wins over what `*` brings, which wins over the names of crates and Rust's own. A name
//! that two `*` bring from different places is ambiguous, and one that the `*` of an unknown crate may bring is uncertain: only
//! rustc can say.

use super::{
    known,
    resolve::{Entity, Found, Lost, Namespace, Resolver},
    tree::{Binding, Content, ItemId, ModuleId, Target, Visibility},
};

/// What every module has without an import.
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

/// Types that are part of the language.
const PRIMITIVES: [&str; 17] = [
    "bool", "char", "str", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64",
    "u128", "usize", "f32", "f64",
];

impl Resolver<'_> {
    /// What a name stands for in a module where nothing stands before it.
    pub(super) fn unqualified(
        &self,
        module: ModuleId,
        name: &str,
        namespace: Namespace,
    ) -> Result<Found, Lost> {
        if let Some(found) = self.in_module(module, name, namespace, None)? {
            return Ok(found);
        }
        if namespace == Namespace::Type
            && let Some(found) = self.of_crate(module, name)
        {
            return Ok(found);
        }
        // Nobody exports an `i32` of their own; a `String` some do.
        if namespace == Namespace::Type
            && let Some(primitive) = PRIMITIVES.iter().find(|known| **known == name)
        {
            return Ok(Found::of(Entity::Primitive(primitive)));
        }
        if let Some(path) = self.open_glob(module) {
            return Err(Lost::Uncertain {
                name: name.to_owned(),
                path,
            });
        }
        let in_prelude = PRELUDE.iter().find(|(known, _)| *known == name);
        if let Some((_, path)) = in_prelude {
            return Ok(Found::of(Entity::Foreign((*path).to_owned())));
        }
        Err(self.unknown(module, name))
    }

    /// What the name of a crate stands for.
    pub(super) fn of_crate(&self, module: ModuleId, name: &str) -> Option<Found> {
        use super::tree::Extern;
        let entity = match self.tree.crate_of(module).externs.get(name)? {
            Extern::Source(id) => Entity::Module(self.tree.crates[id.0].root),
            Extern::Foreign(name) => Entity::Foreign(known::canonical(name)),
        };
        Some(Found::of(entity))
    }

    /// What a name stands for in a module, seen from `seen_from`; from anywhere if that is none.
    pub(super) fn in_module(
        &self,
        module: ModuleId,
        name: &str,
        namespace: Namespace,
        seen_from: Option<ModuleId>,
    ) -> Result<Option<Found>, Lost> {
        let key = (module, name.to_owned(), namespace, seen_from);
        if let Some(found) = self.memo.borrow().get(&key) {
            return found.clone();
        }
        // A name that leads back to itself is not found that way: `use serde_json;` means the crate.
        if self.active.borrow().contains(&key) {
            self.circles.set(self.circles.get() + 1);
            return Ok(None);
        }
        self.active.borrow_mut().push(key.clone());
        let circles = self.circles.get();
        let found = self.search(module, name, namespace, seen_from);
        self.active.borrow_mut().pop();
        if self.active.borrow().is_empty() || self.circles.get() == circles {
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
    ) -> Result<Option<Found>, Lost> {
        let is_seen = |visibility| {
            seen_from.is_none_or(|from| match visibility {
                Visibility::Public => true,
                Visibility::Within(outer) => self.tree.is_within(from, outer),
            })
        };
        let content = self.tree.module(module);
        for binding in content.names.get(name).into_iter().flatten() {
            if is_seen(binding.visibility)
                && let Some(found) = self.bound(module, binding, namespace)?
            {
                return Ok(Some(found));
            }
        }
        let mut found: Option<Found> = None;
        for position in self.globs_with(module, name) {
            let glob = &content.globs[position];
            if !is_seen(glob.visibility) {
                continue;
            }
            let Some(next) = self.through(module, glob, name, namespace)? else {
                continue;
            };
            match &found {
                Some(first) if first.entity != next.entity => {
                    return Err(Lost::Ambiguous(name.to_owned()));
                }
                _ => found = Some(next),
            }
        }
        // What a macro declares here would hide what a `*` brings.
        if found.is_some() && !content.macros.is_empty() {
            return Err(self.unknown(module, name));
        }
        Ok(found)
    }

    /// What a name that is declared or imported stands for, if it is of this namespace.
    fn bound(
        &self,
        module: ModuleId,
        binding: &Binding,
        namespace: Namespace,
    ) -> Result<Option<Found>, Lost> {
        let entity = match &binding.target {
            Target::Module(id) if namespace == Namespace::Type => Entity::Module(*id),
            Target::Kind(id) if namespace == Namespace::Type => Entity::Kind(*id),
            Target::Item(id) if self.has_name(*id, namespace) => Entity::Item(*id),
            Target::Import(import) => {
                let found = self.segments(module, &import.segments, import.absolute, namespace);
                return match found {
                    Ok(found) => Ok(Some(found.under(binding.condition))),
                    // The name may be there in another namespace, or below another `*`.
                    Err(Lost::Unknown {
                        macro_name: None, ..
                    }) => Ok(None),
                    Err(lost) => Err(lost),
                };
            }
            _ => return Ok(None),
        };
        Ok(Some(Found::of(entity).under(binding.condition)))
    }

    fn has_name(&self, item: ItemId, namespace: Namespace) -> bool {
        match (&self.tree.item(item).content, namespace) {
            (Content::Constant(_) | Content::Function(_) | Content::OtherValue, namespace) => {
                namespace == Namespace::Value
            }
            (Content::Data(_) | Content::Object(_) | Content::Resource(_), Namespace::Value) => {
                true
            }
            (Content::Elsewhere, _) => {
                self.tree.missed.set(true);
                true
            }
            (_, namespace) => namespace == Namespace::Type,
        }
    }
}
