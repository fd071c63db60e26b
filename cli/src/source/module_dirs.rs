//! Finds the file of a module as rustc does.

use syn::Attribute;

use super::cargo_toml;
use crate::plan::RelPath;

/// Directories that contain the submodules of a module.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct ModuleDirs {
    /// Directory for `mod x;`.
    modules: String,
    /// Base of `#[path]`.
    paths: String,
}

impl ModuleDirs {
    /// Directories of a crate root or of a file named by `#[path]`, which rustc treats like a mod.rs.
    pub(super) fn beside(path: &RelPath) -> Self {
        Self::in_dir(dir_of(path))
    }

    fn in_dir(dir: String) -> Self {
        Self {
            modules: dir.clone(),
            paths: dir,
        }
    }

    /// Directories of an inline module.
    pub(super) fn inline(&self, name: &str, path_attribute: Option<&str>) -> Self {
        Self::in_dir(join(&self.modules, path_attribute.unwrap_or(name)))
    }

    /// Finds the file of `mod name;`: the first candidate that `read` returns something for. Also returns the directories of its
    /// submodules.
    pub(super) fn find<T>(
        &self,
        name: &str,
        path_attribute: Option<&str>,
        mut read: impl FnMut(&RelPath) -> Option<T>,
    ) -> Option<(RelPath, T, Self)> {
        if let Some(attribute) = path_attribute {
            let dir = RelPath::try_from(self.paths.clone()).ok();
            let path = cargo_toml::join(dir.as_ref(), attribute)?;
            let content = read(&path)?;
            let dirs = Self::beside(&path);
            return Some((path, content, dirs));
        }
        let own = join(&self.modules, name);
        let candidates = [
            (format!("{own}.rs"), &self.modules),
            (format!("{own}/mod.rs"), &own),
        ];
        candidates.into_iter().find_map(|(path, paths)| {
            let path = RelPath::try_from(path).ok()?;
            let content = read(&path)?;
            let dirs = Self {
                modules: own.clone(),
                paths: paths.clone(),
            };
            Some((path, content, dirs))
        })
    }

    /// Help for a module without a file.
    pub(super) fn help(&self, name: &str, path_attribute: Option<&str>) -> String {
        if let Some(attribute) = path_attribute {
            return format!("create {}", join(&self.paths, attribute));
        }
        let path = join(&self.modules, name);
        format!("create {path}.rs or {path}/mod.rs")
    }
}

/// Message for a module without a file.
pub(super) fn missing_file(name: &str) -> String {
    format!("file not found for module `{name}`")
}

/// Returns the value of `#[path = "..."]`.
pub(super) fn path_attribute(attributes: &[Attribute]) -> Option<String> {
    attributes.iter().find_map(|attribute| {
        let syn::Meta::NameValue(pair) = &attribute.meta else {
            return None;
        };
        match &pair.value {
            syn::Expr::Lit(syn::ExprLit {
                lit: syn::Lit::Str(text),
                ..
            }) if pair.path.is_ident("path") => Some(text.value()),
            _ => None,
        }
    })
}

fn dir_of(path: &RelPath) -> String {
    path.as_str()
        .rsplit_once('/')
        .map_or("", |(dir, _)| dir)
        .to_owned()
}

fn join(dir: &str, name: &str) -> String {
    if dir.is_empty() {
        name.to_owned()
    } else {
        format!("{dir}/{name}")
    }
}
