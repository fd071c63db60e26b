//! What the Cargo.toml of a crate says of its sources and of the crates that it names.

use toml_edit::{Document, Item, TableLike};

use super::Diagnostic;
use crate::plan::RelPath;

/// A package.
pub(super) struct Manifest {
    /// The name of the library in Rust.
    pub(super) name: String,
    /// The root file.
    pub(super) root: RelPath,
    /// Its dependencies.
    pub(super) dependencies: Vec<Dependency>,
}

/// A dependency.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Dependency {
    /// Its name in this crate.
    pub(super) name: String,
    /// Its own name, as far as it can be told from here.
    pub(super) package: String,
    /// Its folder, if it is in the project.
    pub(super) folder: Option<RelPath>,
}

/// A Cargo.toml with the folder that it is in; none for the project's own.
pub(super) struct Parsed {
    pub(super) folder: Option<RelPath>,
    document: Document<String>,
}

impl Parsed {
    /// Reads the text of the Cargo.toml in `folder`.
    pub(super) fn new(folder: Option<&RelPath>, text: &str) -> Result<Self, Diagnostic> {
        let path = file_in(folder, "Cargo.toml");
        let document = text.parse::<Document<String>>().map_err(|error| {
            let message = format!("is no TOML: {}", error.message());
            Diagnostic::of_file(&path, message, Some("mend it".to_owned()))
        })?;
        Ok(Self {
            folder: folder.cloned(),
            document,
        })
    }

    /// Whether it is the root of a workspace.
    pub(super) fn is_workspace(&self) -> bool {
        self.document.get("workspace").is_some()
    }

    /// The text at a key of a table.
    pub(super) fn text<'a>(&'a self, table: &str, key: &str) -> Option<&'a str> {
        self.value(table, key)?.as_str()
    }

    /// The texts in a list at a key of a table.
    pub(super) fn texts(&self, table: &str, key: &str) -> Vec<&str> {
        let list = self.value(table, key).and_then(Item::as_array);
        list.into_iter()
            .flatten()
            .filter_map(|item| item.as_str())
            .collect()
    }

    /// What stands at a key of a table.
    pub(super) fn value(&self, table: &str, key: &str) -> Option<&Item> {
        self.document.get(table)?.as_table_like()?.get(key)
    }

    /// The texts at a key of each `[[table]]`.
    pub(super) fn each<'a>(&'a self, table: &str, key: &'a str) -> impl Iterator<Item = &'a str> {
        let tables = self.document.get(table).and_then(Item::as_array_of_tables);
        tables
            .into_iter()
            .flatten()
            .filter_map(move |table| table.get(key)?.as_str())
    }
}

/// What a package says, with what its workspace says of shared dependencies.
pub(super) fn read(package: &Parsed, workspace: Option<&Parsed>) -> Manifest {
    let name = package
        .text("lib", "name")
        .or_else(|| package.text("package", "name"))
        .unwrap_or("api");
    let written = package.text("lib", "path").unwrap_or("src/lib.rs");
    let root = join(package.folder.as_ref(), written)
        .unwrap_or_else(|| file_in(package.folder.as_ref(), "src/lib.rs"));
    let dependencies = package
        .document
        .get("dependencies")
        .and_then(Item::as_table_like)
        .into_iter()
        .flat_map(TableLike::iter)
        .map(|(name, said)| dependency(name, said, package, workspace))
        .collect();
    Manifest {
        name: rust_name(name),
        root,
        dependencies,
    }
}

fn dependency(name: &str, said: &Item, package: &Parsed, workspace: Option<&Parsed>) -> Dependency {
    let own = said.as_table_like();
    let is_shared = own
        .and_then(|table| table.get("workspace"))
        .and_then(Item::as_bool)
        .unwrap_or(false);
    let shared = || {
        let workspace = workspace?;
        let table = workspace.document.get("workspace")?.as_table_like()?;
        let said = table.get("dependencies")?.as_table_like()?.get(name)?;
        Some((workspace, said.as_table_like()?))
    };
    let (from, table) = match own {
        Some(table) if !is_shared => (package, Some(table)),
        _ if is_shared => match shared() {
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
    let folder = text("path").and_then(|path| join(from.folder.as_ref(), path));
    Dependency {
        name: rust_name(name),
        package: rust_name(text("package").unwrap_or(name)),
        folder,
    }
}

/// The Rust name of a package.
fn rust_name(package: &str) -> String {
    package.replace('-', "_")
}

/// A file in a folder of the project, or in the project's own.
pub(super) fn file_in(folder: Option<&RelPath>, file: &str) -> RelPath {
    match folder {
        Some(folder) => RelPath::new(format!("{folder}/{file}")),
        None => RelPath::new(file),
    }
}

/// A path as it is written in a file of `folder`; none if it leads out of the project.
pub(super) fn join(folder: Option<&RelPath>, written: &str) -> Option<RelPath> {
    let written = written.replace('\\', "/");
    if written.starts_with('/') {
        return None;
    }
    let mut parts: Vec<&str> =
        folder.map_or_else(Vec::new, |folder| folder.as_str().split('/').collect());
    for part in written.split('/') {
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
