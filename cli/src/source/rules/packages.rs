//! The packages of the project, and the files that their crates begin with.
//!
//! A package is a member of the workspace, or a dependency in the project's folder: its code is part of the operator. Libraries
//! and programs count; tests, examples and benchmarks do not run in a cluster.

use std::collections::BTreeSet;

use super::super::{
    Diagnostic, Files,
    findings::Findings,
    manifest::{self, Parsed},
};
use crate::plan::RelPath;

/// kb's own library: it may be a checkout in the project.
const KB: &str = "kb-runtime";

/// The file that a crate begins with.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Root {
    pub(super) path: RelPath,
    /// Whether Cargo.toml says that it is there.
    pub(super) named: bool,
}

/// The roots of all crates of all packages. What is wrong with a Cargo.toml is noted.
pub(super) fn roots(files: &dyn Files, findings: &mut Findings) -> BTreeSet<Root> {
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
    roots: BTreeSet<Root>,
}

impl Packages<'_> {
    fn workspace(&mut self) {
        let Some(parsed) = self.parsed(None) else {
            // Without packages there would be a role without rules.
            let help = "restore it: rules are read from the packages that it leads to";
            self.missing(None, help);
            return;
        };
        let excluded = parsed.texts("workspace", "exclude");
        self.excluded = excluded
            .into_iter()
            .filter_map(|path| manifest::join(None, path))
            .collect();
        self.package(None, &parsed, true);
        for pattern in parsed.texts("workspace", "members") {
            self.members(pattern, &parsed);
        }
    }

    /// The packages that an entry of `members` means.
    fn members(&mut self, pattern: &str, workspace: &Parsed) {
        if pattern.contains("**") || pattern.contains('[') {
            let message = format!("the member `{pattern}` is a pattern that kb-rs cannot read");
            let help = "list the members, or use `*` within one folder".to_owned();
            let path = manifest::file_in(None, "Cargo.toml");
            return self
                .findings
                .error(Diagnostic::of_file(&path, message, Some(help)));
        }
        let is_pattern = pattern.contains(['*', '?']);
        let mut folders: Vec<Option<RelPath>> = vec![None];
        for part in pattern.split('/').filter(|part| !matches!(*part, "" | ".")) {
            folders = folders
                .into_iter()
                .flat_map(|folder| self.matching(folder.as_ref(), part))
                .map(Some)
                .collect();
        }
        for folder in folders.into_iter().flatten() {
            self.package(Some(&folder), workspace, !is_pattern);
        }
    }

    /// What a part of a pattern means in a folder.
    fn matching(&mut self, folder: Option<&RelPath>, part: &str) -> Vec<RelPath> {
        if !part.contains(['*', '?']) {
            return manifest::join(folder, part).into_iter().collect();
        }
        let mut entries = self.entries(folder);
        entries.retain(|path| {
            let (_, name) = path
                .as_str()
                .rsplit_once('/')
                .unwrap_or(("", path.as_str()));
            fits(part.as_bytes(), name.as_bytes())
        });
        entries
    }

    fn entries(&mut self, folder: Option<&RelPath>) -> Vec<RelPath> {
        self.files.entries(folder).unwrap_or_else(|problem| {
            let path = folder
                .cloned()
                .unwrap_or_else(|| RelPath::new("Cargo.toml"));
            self.findings
                .error(Diagnostic::of_file(&path, problem, None));
            Vec::new()
        })
    }

    /// Notes the roots of the package in a folder, and of those that it depends on. If it `must` be there, it is a mistake if it is not.
    fn package(&mut self, folder: Option<&RelPath>, workspace: &Parsed, must: bool) {
        let is_excluded = folder.is_some_and(|folder| {
            let mut own = folder.parents().chain([folder.clone()]);
            own.any(|path| self.excluded.contains(&path))
        });
        if is_excluded || !self.known.insert(folder.cloned()) {
            return;
        }
        let Some(parsed) = self.parsed(folder) else {
            if must {
                let help =
                    "a Cargo.toml of the project leads to it: restore it, or take it out there";
                self.missing(folder, help);
            }
            return;
        };
        match parsed.text("package", "name") {
            // A workspace may have no package of its own.
            None | Some(KB) => return,
            Some(_) => self.targets(&parsed),
        }
        for dependency in manifest::read(&parsed, Some(workspace)).dependencies {
            if let Some(folder) = dependency.folder {
                self.package(Some(&folder), workspace, true);
            }
        }
    }

    /// A Cargo.toml that is not there, unless it is there and something else is wrong with it.
    fn missing(&mut self, folder: Option<&RelPath>, help: &str) {
        let path = manifest::file_in(folder, "Cargo.toml");
        if !self.findings.errors.iter().any(|error| error.path == path) {
            let missing =
                Diagnostic::of_file(&path, "there is no such file", Some(help.to_owned()));
            self.findings.error(missing);
        }
    }

    fn parsed(&mut self, folder: Option<&RelPath>) -> Option<Parsed> {
        let path = manifest::file_in(folder, "Cargo.toml");
        let text = match self.files.text(&path) {
            Ok(text) => text?,
            Err(problem) => {
                self.findings
                    .error(Diagnostic::of_file(&path, problem, None));
                return None;
            }
        };
        match Parsed::new(folder, &text) {
            Ok(parsed) => Some(parsed),
            Err(diagnostic) => {
                self.findings.error(diagnostic);
                None
            }
        }
    }

    /// The library and the programs of a package.
    fn targets(&mut self, parsed: &Parsed) {
        let folder = parsed.folder.as_ref();
        let mut add = |path: &str, named| {
            let path = manifest::join(folder, path);
            self.roots.extend(path.map(|path| Root { path, named }));
        };
        match parsed.text("lib", "path") {
            Some(path) => add(path, true),
            None => add("src/lib.rs", false),
        }
        for path in parsed.each("bin", "path") {
            add(path, true);
        }
        add("src/main.rs", false);
        let programs = self.entries(Some(&manifest::file_in(folder, "src/bin")));
        for path in programs {
            let is_file = path.as_str().rsplit('.').next() == Some("rs");
            let path = if is_file {
                path
            } else {
                RelPath::new(format!("{path}/main.rs"))
            };
            self.roots.insert(Root { path, named: false });
        }
    }
}

/// Whether a name fits a pattern with `*` and `?`.
fn fits(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern, name) {
        ([], []) => true,
        ([b'*', rest @ ..], _) => fits(rest, name) || !name.is_empty() && fits(pattern, &name[1..]),
        ([b'?', rest @ ..], [_, others @ ..]) => fits(rest, others),
        ([one, rest @ ..], [other, others @ ..]) => one == other && fits(rest, others),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_fit_names() {
        for (pattern, name, expected) in [
            ("*", "api", true),
            ("api-*", "api-types", true),
            ("*-api", "shop-api", true),
            ("a?i", "api", true),
            ("api", "apis", false),
            ("*-api", "shop", false),
        ] {
            assert_eq!(
                fits(pattern.as_bytes(), name.as_bytes()),
                expected,
                "{pattern} {name}"
            );
        }
    }
}
