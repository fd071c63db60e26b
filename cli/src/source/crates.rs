//! Which crates are read: that of the API, and those of the project that it names.
//!
//! A dependency in the project's folder is read like the API crate itself, if its name occurs in the sources at all.
//! Any other crate is foreign. kb's own library is never read: it may be a checkout in the project.

use std::collections::HashMap;

use super::{
    Diagnostic, Files,
    files::Loader,
    manifest::{self, Dependency, Manifest, Parsed},
    tree::{Crate, CrateId, Extern, ModuleId},
};
use crate::plan::RelPath;

/// The package of kb's library, and its name in Rust.
const KB: (&str, &str) = ("kb_runtime", "kb");

/// Crates that every crate can name.
const STANDARD: [&str; 3] = ["std", "core", "alloc"];

/// Crates that are known well enough to be named without a look into Cargo.toml.
const KNOWN: [&str; 4] = ["kb", "kube", "k8s_openapi", "serde_json"];

impl Loader<'_> {
    /// Reads the crate in `folder` and those that it needs.
    pub(super) fn crate_in(&mut self, folder: &RelPath) -> Option<CrateId> {
        self.crate_once(folder, &mut HashMap::new())
    }

    fn crate_once(
        &mut self,
        folder: &RelPath,
        known: &mut HashMap<RelPath, Option<CrateId>>,
    ) -> Option<CrateId> {
        if let Some(known) = known.get(folder) {
            return *known;
        }
        known.insert(folder.clone(), None);
        let manifest = self.manifest(folder)?;
        let first_file = self.tree.files.len();
        let id = CrateId(self.tree.crates.len());
        self.tree.crates.push(Crate {
            name: manifest.name.clone(),
            root: ModuleId(self.tree.modules.len()),
            externs: HashMap::new(),
            by_hand: Vec::new(),
            has_item_macros: false,
        });
        self.root(id, &manifest.root);
        known.insert(folder.clone(), Some(id));
        let last_file = self.tree.files.len();
        let mut externs = standard_externs();
        for dependency in manifest.dependencies {
            let is_named = self.tree.files[first_file..last_file]
                .iter()
                .any(|file| file.text.contains(&dependency.name));
            let source = dependency
                .folder
                .as_ref()
                .filter(|_| is_named && dependency.package != KB.0)
                .and_then(|folder| self.crate_once(folder, known));
            let (name, meaning) = extern_of(dependency, source);
            externs.insert(name, meaning);
        }
        self.tree.crates[id.0].externs = externs;
        Some(id)
    }

    /// The Cargo.toml of the crate in `folder`.
    fn manifest(&mut self, folder: &RelPath) -> Option<Manifest> {
        let path = manifest::file_in(Some(folder), "Cargo.toml");
        let Some(package) = self.parsed(Some(folder)) else {
            if self.findings.errors.is_empty() {
                let help =
                    "the types of the API are in a crate of their own: `kb-rs create api` makes it";
                self.findings.error(Diagnostic::of_file(
                    &path,
                    "there is no such file",
                    Some(help.to_owned()),
                ));
            }
            return None;
        };
        if package.is_workspace() {
            return Some(manifest::read(&package, Some(&package)));
        }
        let parents: Vec<RelPath> = folder.parents().collect();
        let workspace = parents
            .iter()
            .rev()
            .map(Some)
            .chain([None])
            .filter_map(|parent| self.parsed(parent))
            .find(Parsed::is_workspace);
        Some(manifest::read(&package, workspace.as_ref()))
    }

    fn parsed(&mut self, folder: Option<&RelPath>) -> Option<Parsed> {
        let text = self.text(&manifest::file_in(folder, "Cargo.toml"))?;
        match Parsed::new(folder, &text) {
            Ok(parsed) => Some(parsed),
            Err(diagnostic) => {
                self.findings.error(diagnostic);
                None
            }
        }
    }

    /// The text of a file; an error is noted.
    pub(super) fn text(&mut self, path: &RelPath) -> Option<String> {
        let files: &dyn Files = self.files;
        files.text(path).unwrap_or_else(|problem| {
            self.findings
                .error(Diagnostic::of_file(path, problem, None));
            None
        })
    }
}

fn extern_of(dependency: Dependency, source: Option<CrateId>) -> (String, Extern) {
    let Dependency { name, package, .. } = dependency;
    match source {
        Some(id) => (name, Extern::Source(id)),
        // Without a new name the library's own counts, and kb's differs from its package's.
        None if package == KB.0 => {
            let name = if name == KB.0 { KB.1.to_owned() } else { name };
            (name, Extern::Foreign(KB.1.to_owned()))
        }
        None => (name, Extern::Foreign(package)),
    }
}

fn standard_externs() -> HashMap<String, Extern> {
    STANDARD
        .iter()
        .chain(&KNOWN)
        .map(|name| ((*name).to_owned(), Extern::Foreign((*name).to_owned())))
        .collect()
}
