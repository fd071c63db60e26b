//! What `*` brings into a module.
//!
//! A version of an API with a thousand kinds imports from a thousand modules by `*`. So each name is looked for only where it
//! can be: for modules that import nothing by `*` themselves, that is where it is declared.

use std::{collections::HashMap, rc::Rc};

use super::{
    known,
    resolve::{Entity, Found, Lost, Namespace, Resolver},
    tree::{Glob, ModuleId},
};

/// Where the names may come from that `*` brings: positions in the list of a module.
#[derive(Default)]
pub(super) struct GlobIndex {
    by_name: HashMap<String, Vec<usize>>,
    /// Those that have to be asked for every name.
    always: Vec<usize>,
}

impl Resolver<'_> {
    /// The `*` of a module that may bring a name.
    pub(super) fn globs_with(&self, module: ModuleId, name: &str) -> Vec<usize> {
        let count = self.tree.module(module).globs.len();
        if count < 2 {
            return (0..count).collect();
        }
        let known = self.globs.borrow().get(&module).cloned();
        let index = match known {
            Some(Some(index)) => index,
            // The paths behind the `*` are being resolved: their own names may come from any.
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
            match self.source(module, glob).map(|found| found.entity) {
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

    fn source(&self, module: ModuleId, glob: &Glob) -> Result<Found, Lost> {
        let from = &glob.import;
        self.segments(module, &from.segments, from.absolute, Namespace::Type)
    }

    /// What `use path::*` brings under this name.
    pub(super) fn through(
        &self,
        module: ModuleId,
        glob: &Glob,
        name: &str,
        namespace: Namespace,
    ) -> Result<Option<Found>, Lost> {
        let source = match self.source(module, glob) {
            Ok(source) => source,
            Err(Lost::Unknown { .. }) => return Ok(None),
            Err(lost) => return Err(lost),
        };
        let found = match source.entity {
            Entity::Module(id) => self.in_module(id, name, namespace, Some(module))?,
            Entity::Item(id) => self.variant(id, name).map(Found::of),
            Entity::Foreign(path) => {
                let path = known::canonical(&format!("{path}::{name}"));
                known::is_exported(&path).then(|| Found::of(Entity::Foreign(path)))
            }
            _ => None,
        };
        Ok(found.map(|found| found.under(source.condition).under(glob.condition)))
    }

    /// The path of a `*` that may bring names that nobody here knows.
    pub(super) fn open_glob(&self, module: ModuleId) -> Option<String> {
        if self.in_globs.replace(true) {
            return None;
        }
        let mut globs = self.tree.module(module).globs.iter();
        let open = globs.find_map(|glob| match self.source(module, glob).ok()?.entity {
            Entity::Foreign(path) if !known::is_closed(&path) => Some(path),
            _ => None,
        });
        self.in_globs.set(false);
        open
    }
}
