//! Where the file of a module is, as rustc looks for it.
//!
//! What is done with a file is the caller's: a search asks it for each place, and ends at the first that it has something for.

use syn::Attribute;

use super::manifest;
use crate::plan::RelPath;

/// Where the modules of a file or of an inline module are looked for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Folders {
    /// Where `mod x;` looks.
    modules: String,
    /// Where `#[path]` begins.
    paths: String,
}

impl Folders {
    /// Those of the root of a crate, and of a file that is named by `#[path]`: rustc takes it for a mod.rs.
    pub(super) fn beside(path: &RelPath) -> Self {
        Self::in_folder(folder_of(path))
    }

    fn in_folder(folder: String) -> Self {
        Self {
            modules: folder.clone(),
            paths: folder,
        }
    }

    /// Those of an inline module; `written` is its `#[path]`.
    pub(super) fn inline(&self, name: &str, written: Option<&str>) -> Self {
        Self::in_folder(join(&self.modules, written.unwrap_or(name)))
    }

    /// The file of `mod name;`, what the caller has for it, and where its own modules are.
    pub(super) fn find<T>(
        &self,
        name: &str,
        written: Option<&str>,
        mut look: impl FnMut(&RelPath) -> Option<T>,
    ) -> Option<(RelPath, T, Self)> {
        if let Some(written) = written {
            let folder = RelPath::try_from(self.paths.clone()).ok();
            let path = manifest::join(folder.as_ref(), written)?;
            let found = look(&path)?;
            let folders = Self::beside(&path);
            return Some((path, found, folders));
        }
        let own = join(&self.modules, name);
        let candidates = [
            (format!("{own}.rs"), &self.modules),
            (format!("{own}/mod.rs"), &own),
        ];
        candidates.into_iter().find_map(|(path, paths)| {
            let path = RelPath::try_from(path).ok()?;
            let found = look(&path)?;
            let folders = Self {
                modules: own.clone(),
                paths: paths.clone(),
            };
            Some((path, found, folders))
        })
    }

    /// What to do about a module that has no file.
    pub(super) fn advice(&self, name: &str, written: Option<&str>) -> String {
        if let Some(written) = written {
            return format!("create {}", join(&self.paths, written));
        }
        let path = join(&self.modules, name);
        format!("create {path}.rs or {path}/mod.rs")
    }
}

/// What is wrong with a module that has no file.
pub(super) fn without_file(name: &str) -> String {
    format!("there is no file for the module `{name}`")
}

/// What `#[path = "..."]` says.
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

fn folder_of(path: &RelPath) -> String {
    path.as_str()
        .rsplit_once('/')
        .map_or("", |(folder, _)| folder)
        .to_owned()
}

fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() {
        name.to_owned()
    } else {
        format!("{folder}/{name}")
    }
}
