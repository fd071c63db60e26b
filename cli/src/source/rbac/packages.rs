//! Finds the crate roots of all packages in the project: workspace members and path dependencies.
//!
//! Libraries and binaries count; tests, examples and benchmarks do not run in a cluster.

use std::collections::BTreeSet;

use super::super::{
    Diagnostic, Files,
    cargo_toml::{self, CargoToml},
    findings::Findings,
};
use crate::plan::RelPath;

/// The runtime, which may be a checkout inside the project.
const KB: &str = "kb-runtime";

/// Root file of a crate.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CrateRoot {
    pub(super) path: RelPath,
    /// Whether Cargo.toml names it, so that it must exist.
    pub(super) is_explicit: bool,
}

/// Returns the crate roots of all packages. Reports errors of a Cargo.toml.
pub(super) fn roots(files: &dyn Files, findings: &mut Findings) -> BTreeSet<CrateRoot> {
    let mut packages = Packages {
        files,
        findings,
        known: BTreeSet::new(),
        excluded: Vec::new(),
        roots: BTreeSet::new(),
    };
    packages.workspace();
    packages.roots
}

struct Packages<'a> {
    files: &'a dyn Files,
    findings: &'a mut Findings,
    known: BTreeSet<Option<RelPath>>,
    excluded: Vec<RelPath>,
    roots: BTreeSet<CrateRoot>,
}

impl Packages<'_> {
    fn workspace(&mut self) {
        let Some(cargo_toml) = self.cargo_toml(None) else {
            // Otherwise the role would be empty.
            let help = "restore it: RBAC markers are read from the packages of the workspace";
            self.missing(None, help);
            return;
        };
        let excluded = cargo_toml.texts("workspace", "exclude");
        self.excluded = excluded
            .into_iter()
            .filter_map(|path| cargo_toml::join(None, path))
            .collect();
        self.package(None, &cargo_toml, true);
        for pattern in cargo_toml.texts("workspace", "members") {
            self.members(pattern, &cargo_toml);
        }
    }

    /// Adds the packages that an entry of `members` matches.
    fn members(&mut self, pattern: &str, workspace: &CargoToml) {
        if pattern.contains("**") || pattern.contains('[') {
            let message = format!("unsupported pattern `{pattern}` in `workspace.members`");
            let help = "list the members, or use `*` within one directory".to_owned();
            let path = cargo_toml::file_in(None, "Cargo.toml");
            return self
                .findings
                .error(Diagnostic::of_file(&path, message, Some(help)));
        }
        let is_pattern = pattern.contains(['*', '?']);
        let mut dirs: Vec<Option<RelPath>> = vec![None];
        for part in pattern.split('/').filter(|part| !matches!(*part, "" | ".")) {
            dirs = dirs
                .into_iter()
                .flat_map(|dir| self.matching(dir.as_ref(), part))
                .map(Some)
                .collect();
        }
        for dir in dirs.into_iter().flatten() {
            self.package(Some(&dir), workspace, !is_pattern);
        }
    }

    /// Returns the entries of a directory that match a component of a pattern.
    fn matching(&mut self, dir: Option<&RelPath>, part: &str) -> Vec<RelPath> {
        if !part.contains(['*', '?']) {
            return cargo_toml::join(dir, part).into_iter().collect();
        }
        let mut entries = self.entries(dir);
        entries.retain(|path| {
            let (_, name) = path
                .as_str()
                .rsplit_once('/')
                .unwrap_or(("", path.as_str()));
            matches_pattern(part.as_bytes(), name.as_bytes())
        });
        entries
    }

    fn entries(&mut self, dir: Option<&RelPath>) -> Vec<RelPath> {
        self.files.entries(dir).unwrap_or_else(|problem| {
            let path = dir.cloned().unwrap_or_else(|| RelPath::new("Cargo.toml"));
            self.findings
                .error(Diagnostic::of_file(&path, problem, None));
            Vec::new()
        })
    }

    /// Adds the crate roots of a package and of its path dependencies. A `required` package that does not exist is an error.
    fn package(&mut self, dir: Option<&RelPath>, workspace: &CargoToml, required: bool) {
        let is_excluded = dir.is_some_and(|dir| {
            let mut own = dir.parents().chain([dir.clone()]);
            own.any(|path| self.excluded.contains(&path))
        });
        if is_excluded || !self.known.insert(dir.cloned()) {
            return;
        }
        let Some(cargo_toml) = self.cargo_toml(dir) else {
            if required {
                let help = "restore it, or remove it from the Cargo.toml that refers to it";
                self.missing(dir, help);
            }
            return;
        };
        match cargo_toml.text("package", "name") {
            // A virtual workspace has no package.
            None | Some(KB) => return,
            Some(_) => self.targets(&cargo_toml),
        }
        for dependency in cargo_toml::read(&cargo_toml, Some(workspace)).dependencies {
            if let Some(dir) = dependency.dir {
                self.package(Some(&dir), workspace, true);
            }
        }
    }

    /// Reports a missing Cargo.toml, unless another error about it is known.
    fn missing(&mut self, dir: Option<&RelPath>, help: &str) {
        let path = cargo_toml::file_in(dir, "Cargo.toml");
        if !self.findings.errors.iter().any(|error| error.path == path) {
            let missing = Diagnostic::of_file(&path, "file not found", Some(help.to_owned()));
            self.findings.error(missing);
        }
    }

    fn cargo_toml(&mut self, dir: Option<&RelPath>) -> Option<CargoToml> {
        let path = cargo_toml::file_in(dir, "Cargo.toml");
        let text = match self.files.text(&path) {
            Ok(text) => text?,
            Err(problem) => {
                self.findings
                    .error(Diagnostic::of_file(&path, problem, None));
                return None;
            }
        };
        match CargoToml::parse(dir, &text) {
            Ok(cargo_toml) => Some(cargo_toml),
            Err(diagnostic) => {
                self.findings.error(diagnostic);
                None
            }
        }
    }

    /// Adds the library and the binaries of a package.
    fn targets(&mut self, cargo_toml: &CargoToml) {
        let dir = cargo_toml.dir.as_ref();
        let mut add = |path: &str, is_explicit| {
            let path = cargo_toml::join(dir, path);
            self.roots
                .extend(path.map(|path| CrateRoot { path, is_explicit }));
        };
        match cargo_toml.text("lib", "path") {
            Some(path) => add(path, true),
            None => add("src/lib.rs", false),
        }
        for path in cargo_toml.each("bin", "path") {
            add(path, true);
        }
        add("src/main.rs", false);
        let binaries = self.entries(Some(&cargo_toml::file_in(dir, "src/bin")));
        for path in binaries {
            let is_file = path.as_str().rsplit('.').next() == Some("rs");
            let path = if is_file {
                path
            } else {
                RelPath::new(format!("{path}/main.rs"))
            };
            self.roots.insert(CrateRoot {
                path,
                is_explicit: false,
            });
        }
    }
}

/// Returns whether a name matches a pattern with `*` and `?`.
fn matches_pattern(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern, name) {
        ([], []) => true,
        ([b'*', rest @ ..], _) => {
            matches_pattern(rest, name) || !name.is_empty() && matches_pattern(pattern, &name[1..])
        }
        ([b'?', rest @ ..], [_, others @ ..]) => matches_pattern(rest, others),
        ([one, rest @ ..], [other, others @ ..]) => one == other && matches_pattern(rest, others),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_names() {
        for (pattern, name, expected) in [
            ("*", "api", true),
            ("api-*", "api-types", true),
            ("*-api", "shop-api", true),
            ("a?i", "api", true),
            ("api", "apis", false),
            ("*-api", "shop", false),
        ] {
            assert_eq!(
                matches_pattern(pattern.as_bytes(), name.as_bytes()),
                expected,
                "{pattern} {name}"
            );
        }
    }
}
