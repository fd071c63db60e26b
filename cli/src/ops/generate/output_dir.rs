//! The directory of generated manifests. It must be inside the project, because a plan cannot write elsewhere.

use std::{
    fmt,
    path::{Component, Path},
};

use crate::{plan::RelPath, problem::Problem};

/// A directory of the project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OutputDir(RelPath);

impl OutputDir {
    /// Returns the default directory of CRDs.
    pub(crate) fn of_crds() -> Self {
        Self(RelPath::new("config/crd/bases"))
    }

    /// Returns the default directory of roles.
    pub(crate) fn of_roles() -> Self {
        Self(RelPath::new("config/rbac"))
    }

    /// Parses `--output-dir`, absolute or relative to the project in `root`.
    pub(crate) fn parse(path: &Path, root: &Path) -> Result<Self, Problem> {
        let inside = path.strip_prefix(root).unwrap_or(path);
        let mut parts = Vec::new();
        for component in inside.components() {
            match component {
                Component::CurDir => {}
                Component::Normal(part) => parts.push(part.to_str()),
                Component::ParentDir | Component::RootDir | Component::Prefix(_) => {
                    parts.push(None);
                }
            }
        }
        let parts: Option<Vec<&str>> = parts.into_iter().collect();
        parts
            .and_then(|parts| RelPath::try_from(parts.join("/")).ok())
            .map(Self)
            .ok_or_else(|| {
                Problem::new(
                    format!("output directory {:?} is not inside the project", path.display().to_string()),
                    "pass a path relative to the project root, such as `config/crd/bases`, or redirect the output of --stdout",
                )
            })
    }

    /// Returns the path.
    pub(crate) fn path(&self) -> &RelPath {
        &self.0
    }

    /// Returns the path of a file in it.
    pub(crate) fn file(&self, name: &str) -> RelPath {
        RelPath::new(format!("{}/{name}", self.0))
    }
}

impl fmt::Display for OutputDir {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(path: &str) -> Option<String> {
        OutputDir::parse(Path::new(path), Path::new("/project"))
            .ok()
            .map(|dir| dir.to_string())
    }

    #[test]
    fn accepts_relative_and_absolute_paths_in_the_project() {
        for path in ["out/crds", "./out/crds", "out/./crds/", "/project/out/crds"] {
            assert_eq!(parse(path).as_deref(), Some("out/crds"), "{path}");
        }
    }

    #[test]
    fn rejects_paths_outside_the_project() {
        for path in ["..", "../out", "out/../..", "/tmp", "", "."] {
            assert_eq!(parse(path), None, "{path}");
        }
    }
}
