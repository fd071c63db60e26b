//! Resolves names through glob imports.
//!
//! An API version with a thousand kinds has a thousand globs. An index limits the lookup of a name to the globs whose module
//! declares it.

use std::{collections::HashMap, rc::Rc};

use super::{
    known_types,
    resolve::{Entity, Namespace, Resolution, ResolveError, Resolver},
    tree::{Glob, ModuleId},
};

/// Globs of a module by the names they provide.
#[derive(Default)]
pub(super) struct GlobIndex {
    by_name: HashMap<String, Vec<usize>>,
    /// Globs that may provide any name.
    always: Vec<usize>,
}

impl Resolver<'_> {
    /// Returns the globs of a module that may provide a name.
    pub(super) fn globs_with(&self, module: ModuleId, name: &str) -> Vec<usize> {
        let count = self.tree.module(module).globs.len();
        if count < 2 {
            return (0..count).collect();
        }
        let known = self.globs.borrow().get(&module).cloned();
        let index = match known {
            Some(Some(index)) => index,
            // The index is being built, and the paths of the globs may use any of them.
            Some(None) => return (0..count).collect(),
            None => {
                self.globs.borrow_mut().insert(module, None);
                let index = Rc::new(self.index(module));
                self.globs
                    .borrow_mut()
                    .insert(module, Some(Rc::clone(&index)));
                index
            }
        };
        let declared = index.by_name.get(name).into_iter().flatten();
        let mut positions: Vec<usize> = declared.chain(&index.always).copied().collect();
        positions.sort_unstable();
        positions
    }

    fn index(&self, module: ModuleId) -> GlobIndex {
        let mut index = GlobIndex::default();
        for (position, glob) in self.tree.module(module).globs.iter().enumerate() {
            match self.glob_source(module, glob).map(|found| found.entity) {
                Ok(Entity::Module(id)) if self.tree.module(id).globs.is_empty() => {
                    for name in self.tree.module(id).names.keys() {
                        index
                            .by_name
                            .entry(name.clone())
                            .or_default()
                            .push(position);
                    }
                }
                _ => index.always.push(position),
            }
        }
        index
    }

    fn glob_source(&self, module: ModuleId, glob: &Glob) -> Result<Resolution, ResolveError> {
        let from = &glob.import;
        self.resolve_segments(module, &from.segments, from.absolute, Namespace::Type)
    }

    /// Resolves a name through `use path::*`.
    pub(super) fn resolve_glob(
        &self,
        module: ModuleId,
        glob: &Glob,
        name: &str,
        namespace: Namespace,
    ) -> Result<Option<Resolution>, ResolveError> {
        let source = match self.glob_source(module, glob) {
            Ok(source) => source,
            Err(ResolveError::Unknown { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        let found = match source.entity {
            Entity::Module(id) => self.lookup(id, name, namespace, Some(module))?,
            Entity::Item(id) => self.variant(id, name).map(Resolution::of),
            Entity::Foreign(path) => {
                let path = known_types::canonical(&format!("{path}::{name}"));
                known_types::is_exported(&path).then(|| Resolution::of(Entity::Foreign(path)))
            }
            _ => None,
        };
        Ok(found.map(|found| found.under(source.condition).under(glob.condition)))
    }

    /// Returns the path of a glob that may provide unknown names.
    pub(super) fn open_glob(&self, module: ModuleId) -> Option<String> {
        if self.in_globs.replace(true) {
            return None;
        }
        let mut globs = self.tree.module(module).globs.iter();
        let open = globs.find_map(|glob| match self.glob_source(module, glob).ok()?.entity {
            Entity::Foreign(path) if !known_types::is_closed(&path) => Some(path),
            _ => None,
        });
        self.in_globs.set(false);
        open
    }
}
