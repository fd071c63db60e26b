//! Loads the API crate and its path dependencies inside the project.
//!
//! A path dependency is loaded if its name occurs in the sources. All other crates are foreign, including `kb` itself, which may
//! be a checkout inside the project.

use std::collections::HashMap;

use super::{
    Diagnostic, Files,
    cargo_toml::{self, CargoToml, Dependency, Manifest},
    loader::Loader,
    tree::{Crate, CrateId, Extern, ModuleId},
};
use crate::plan::RelPath;

/// Package and crate name of the runtime.
const KB: (&str, &str) = ("kb_runtime", "kb");

/// Crates that are always in scope.
const STANDARD: [&str; 3] = ["std", "core", "alloc"];

/// Crates that are recognized without a dependency in Cargo.toml.
const KNOWN: [&str; 4] = ["kb", "kube", "k8s_openapi", "serde_json"];

impl Loader<'_> {
    /// Loads the crate in `dir` and its path dependencies.
    pub(super) fn load_crate(&mut self, dir: &RelPath) -> Option<CrateId> {
        self.load_once(dir, &mut HashMap::new())
    }

    fn load_once(
        &mut self,
        dir: &RelPath,
        known: &mut HashMap<RelPath, Option<CrateId>>,
    ) -> Option<CrateId> {
        if let Some(known) = known.get(dir) {
            return *known;
        }
        known.insert(dir.clone(), None);
        let manifest = self.manifest(dir)?;
        let first_file = self.tree.files.len();
        let id = CrateId(self.tree.crates.len());
        self.tree.crates.push(Crate {
            name: manifest.name.clone(),
            root: ModuleId(self.tree.modules.len()),
            externs: HashMap::new(),
            manual_schemas: Vec::new(),
            has_item_macros: false,
        });
        self.root(id, &manifest.root);
        known.insert(dir.clone(), Some(id));
        let last_file = self.tree.files.len();
        let mut externs = standard_externs();
        for dependency in manifest.dependencies {
            let is_named = self.tree.files[first_file..last_file]
                .iter()
                .any(|file| file.text.contains(&dependency.name));
            let source = dependency
                .dir
                .as_ref()
                .filter(|_| is_named && dependency.package != KB.0)
                .and_then(|dir| self.load_once(dir, known));
            let (name, meaning) = extern_of(dependency, source);
            externs.insert(name, meaning);
        }
        self.tree.crates[id.0].externs = externs;
        Some(id)
    }

    /// Reads the Cargo.toml of the crate in `dir`.
    fn manifest(&mut self, dir: &RelPath) -> Option<Manifest> {
        let path = cargo_toml::file_in(Some(dir), "Cargo.toml");
        let Some(package) = self.cargo_toml(Some(dir)) else {
            if self.findings.errors.is_empty() {
                let help = "run `kb-rs create api` to create the API crate";
                self.findings.error(Diagnostic::of_file(
                    &path,
                    "file not found",
                    Some(help.to_owned()),
                ));
            }
            return None;
        };
        if package.is_workspace() {
            return Some(cargo_toml::read(&package, Some(&package)));
        }
        let parents: Vec<RelPath> = dir.parents().collect();
        let workspace = parents
            .iter()
            .rev()
            .map(Some)
            .chain([None])
            .filter_map(|parent| self.cargo_toml(parent))
            .find(CargoToml::is_workspace);
        Some(cargo_toml::read(&package, workspace.as_ref()))
    }

    fn cargo_toml(&mut self, dir: Option<&RelPath>) -> Option<CargoToml> {
        let text = self.text(&cargo_toml::file_in(dir, "Cargo.toml"))?;
        match CargoToml::parse(dir, &text) {
            Ok(cargo_toml) => Some(cargo_toml),
            Err(diagnostic) => {
                self.findings.error(diagnostic);
                None
            }
        }
    }

    /// Reads a file. Reports a failure as an error.
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
        // A dependency that is not renamed has the name of its library: `kb` for the package `kb-runtime`.
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
