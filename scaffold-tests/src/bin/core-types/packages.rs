//! The Go packages of the types, read on demand.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::rc::Rc;

use anyhow::{Context, Result};

use crate::modules::Modules;
use crate::source::{Declaration, Declarations};

/// Cached packages by import path.
#[derive(Debug)]
pub(crate) struct Packages<'a> {
    modules: &'a Modules,
    read: BTreeMap<String, Declarations>,
}

impl<'a> Packages<'a> {
    /// Creates an empty cache.
    pub(crate) fn new(modules: &'a Modules) -> Self {
        let read = BTreeMap::new();
        Self { modules, read }
    }

    /// Returns a type of a package.
    pub(crate) fn declaration(&mut self, package: &str, name: &str) -> Result<Rc<Declaration>> {
        let declaration = self.package(package)?.types.get(name);
        let declaration = declaration.with_context(|| format!("no type {name} in {package}"))?;
        Ok(Rc::clone(declaration))
    }

    /// Returns the sorted values of a type's constants.
    pub(crate) fn constants(&mut self, package: &str, name: &str) -> Result<Vec<&str>> {
        let constants = self.package(package)?.constants.iter();
        let values = constants.filter(|(go_type, _)| go_type == name);
        let mut values: Vec<&str> = values.map(|(_, value)| value.as_str()).collect();
        values.sort_unstable();
        Ok(values)
    }

    fn package(&mut self, package: &str) -> Result<&Declarations> {
        if !self.read.contains_key(package) {
            let dir = self.modules.package(package);
            let dir = dir.with_context(|| format!("{package} is in none of the modules"))?;
            self.read.insert(package.to_owned(), read(&dir)?);
        }
        Ok(&self.read[package])
    }
}

fn read(dir: &Path) -> Result<Declarations> {
    let files = fs::read_dir(dir);
    let files = files.with_context(|| format!("failed to read {}", dir.display()))?;
    let mut files: Vec<fs::DirEntry> = files.collect::<std::io::Result<_>>()?;
    files.sort_by_key(fs::DirEntry::path);
    let mut declarations = Declarations::default();
    for file in files {
        let path = file.path();
        let name = path.to_string_lossy();
        if name.ends_with(".go") && !name.ends_with("_test.go") {
            let source = fs::read_to_string(&path);
            declarations.read(&source.with_context(|| format!("failed to read {name}"))?);
        }
    }
    Ok(declarations)
}
