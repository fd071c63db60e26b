//! The folder that manifests are written to: inside the project, because a plan reaches no further.

use std::{
    fmt,
    path::{Component, Path},
};

use crate::{plan::RelPath, problem::Problem};

/// A folder of the project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OutputDir(RelPath);

impl OutputDir {
    /// Where kustomize looks for CRDs in a project.
    pub(crate) fn of_crds() -> Self {
        Self(RelPath::new("config/crd/bases"))
    }

    /// Where kustomize looks for roles in a project.
    pub(crate) fn of_roles() -> Self {
        Self(RelPath::new("config/rbac"))
    }

    /// The folder that the user named, seen from the project in `root`.
    pub(crate) fn named(path: &Path, root: &Path) -> Result<Self, Problem> {
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
                    format!("the output folder {:?} is not a folder inside the project", path.display().to_string()),
                    "name one relative to the project's root, such as `config/crd/bases`, or redirect what --stdout prints",
                )
            })
    }

    /// Its path.
    pub(crate) fn path(&self) -> &RelPath {
        &self.0
    }

    /// A file in it.
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

    fn named(path: &str) -> Option<String> {
        OutputDir::named(Path::new(path), Path::new("/project"))
            .ok()
            .map(|dir| dir.to_string())
    }

    #[test]
    fn a_folder_of_the_project_can_be_named_in_several_ways() {
        for path in ["out/crds", "./out/crds", "out/./crds/", "/project/out/crds"] {
            assert_eq!(named(path).as_deref(), Some("out/crds"), "{path}");
        }
    }

    #[test]
    fn a_folder_outside_of_the_project_is_refused() {
        for path in ["..", "../out", "out/../..", "/tmp", "", "."] {
            assert_eq!(named(path), None, "{path}");
        }
    }
}
