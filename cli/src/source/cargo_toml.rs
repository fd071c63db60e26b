//! Reads crate root and dependencies from Cargo.toml.

use toml_edit::{Document, Item, TableLike};

use super::Diagnostic;
use crate::plan::RelPath;

/// The library of a package.
pub(super) struct Manifest {
    /// Crate name.
    pub(super) name: String,
    /// Root file.
    pub(super) root: RelPath,
    /// Dependencies.
    pub(super) dependencies: Vec<Dependency>,
}

/// A dependency.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Dependency {
    /// Name in this crate.
    pub(super) name: String,
    /// Crate name of its package.
    pub(super) package: String,
    /// Its directory, if it is in the project.
    pub(super) dir: Option<RelPath>,
}

/// A Cargo.toml and its directory; `None` is the project root.
pub(super) struct CargoToml {
    pub(super) dir: Option<RelPath>,
    document: Document<String>,
}

impl CargoToml {
    /// Parses the Cargo.toml in `dir`.
    pub(super) fn parse(dir: Option<&RelPath>, text: &str) -> Result<Self, Diagnostic> {
        let path = file_in(dir, "Cargo.toml");
        let document = text.parse::<Document<String>>().map_err(|error| {
            let message = format!("invalid TOML: {}", error.message());
            Diagnostic::of_file(&path, message, None)
        })?;
        Ok(Self {
            dir: dir.cloned(),
            document,
        })
    }

    /// Returns whether it is the root of a workspace.
    pub(super) fn is_workspace(&self) -> bool {
        self.document.get("workspace").is_some()
    }

    /// Returns the string at a key of a table.
    pub(super) fn text<'a>(&'a self, table: &str, key: &str) -> Option<&'a str> {
        self.value(table, key)?.as_str()
    }

    /// Returns the strings of the array at a key of a table.
    pub(super) fn texts(&self, table: &str, key: &str) -> Vec<&str> {
        let list = self.value(table, key).and_then(Item::as_array);
        list.into_iter()
            .flatten()
            .filter_map(|item| item.as_str())
            .collect()
    }

    fn value(&self, table: &str, key: &str) -> Option<&Item> {
        self.document.get(table)?.as_table_like()?.get(key)
    }

    /// Returns the strings at a key of each `[[table]]`.
    pub(super) fn each<'a>(&'a self, table: &str, key: &'a str) -> impl Iterator<Item = &'a str> {
        let tables = self.document.get(table).and_then(Item::as_array_of_tables);
        tables
            .into_iter()
            .flatten()
            .filter_map(move |table| table.get(key)?.as_str())
    }
}

/// Reads the library of a package. Inherited dependencies are looked up in the workspace.
pub(super) fn read(package: &CargoToml, workspace: Option<&CargoToml>) -> Manifest {
    let name = package
        .text("lib", "name")
        .or_else(|| package.text("package", "name"))
        .unwrap_or("api");
    let path = package.text("lib", "path").unwrap_or("src/lib.rs");
    let root = join(package.dir.as_ref(), path)
        .unwrap_or_else(|| file_in(package.dir.as_ref(), "src/lib.rs"));
    let dependencies = package
        .document
        .get("dependencies")
        .and_then(Item::as_table_like)
        .into_iter()
        .flat_map(TableLike::iter)
        .map(|(name, value)| dependency(name, value, package, workspace))
        .collect();
    Manifest {
        name: rust_name(name),
        root,
        dependencies,
    }
}

fn dependency(
    name: &str,
    value: &Item,
    package: &CargoToml,
    workspace: Option<&CargoToml>,
) -> Dependency {
    let own = value.as_table_like();
    let is_inherited = own
        .and_then(|table| table.get("workspace"))
        .and_then(Item::as_bool)
        .unwrap_or(false);
    let inherited = || {
        let workspace = workspace?;
        let table = workspace.document.get("workspace")?.as_table_like()?;
        let value = table.get("dependencies")?.as_table_like()?.get(name)?;
        Some((workspace, value.as_table_like()?))
    };
    let (from, table) = match own {
        Some(table) if !is_inherited => (package, Some(table)),
        _ if is_inherited => match inherited() {
            Some((workspace, table)) => (workspace, Some(table)),
            None => (package, None),
        },
        _ => (package, None),
    };
    let text = |key: &str| {
        table
            .and_then(|table| table.get(key))
            .and_then(Item::as_str)
    };
    let dir = text("path").and_then(|path| join(from.dir.as_ref(), path));
    Dependency {
        name: rust_name(name),
        package: rust_name(text("package").unwrap_or(name)),
        dir,
    }
}

/// Returns the crate name of a package.
fn rust_name(package: &str) -> String {
    package.replace('-', "_")
}

/// Returns the path of a file in a directory, by default the project root.
pub(super) fn file_in(dir: Option<&RelPath>, file: &str) -> RelPath {
    match dir {
        Some(dir) => RelPath::new(format!("{dir}/{file}")),
        None => RelPath::new(file),
    }
}

/// Resolves a path relative to `dir`. Returns `None` if it leaves the project.
pub(super) fn join(dir: Option<&RelPath>, path: &str) -> Option<RelPath> {
    let path = path.replace('\\', "/");
    if path.starts_with('/') {
        return None;
    }
    let mut parts: Vec<&str> = dir.map_or_else(Vec::new, |dir| dir.as_str().split('/').collect());
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    RelPath::try_from(parts.join("/")).ok()
}
