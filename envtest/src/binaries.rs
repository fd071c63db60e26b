//! Finds the binaries of the control plane.

use std::{
    env::{self, consts::EXE_SUFFIX},
    ffi::OsString,
    path::{Path, PathBuf},
};

use crate::{
    Cache, Error,
    cache::{env_var, missing},
};

/// A directory with `etcd`, `kube-apiserver` and optionally `kube-controller-manager`.
///
/// The first of these is used:
///
/// 1. the directory passed to the [builder](crate::Builder::binaries),
/// 2. `KUBEBUILDER_ASSETS`,
/// 3. `bin/k8s` in the project, i.e. in the closest ancestor directory with a `PROJECT` file,
/// 4. the kb-rs cache: `KB_CONTROL_PLANE_DIR`, by default `~/.cache/kb-rs/control-plane`,
/// 5. the cache of Kubebuilder's `setup-envtest`.
///
/// In a cache with several versions, the one selected by `kb-rs envtest use` wins, then the newest. An explicitly named directory (1 and 2)
/// that lacks a binary is an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binaries {
    folder: PathBuf,
}

impl Binaries {
    /// Finds the binaries, from `KUBEBUILDER_ASSETS` on.
    pub fn find() -> Result<Self, Error> {
        let start = env::current_dir().unwrap_or_default();
        Self::find_with(&start, &env_var)
    }

    /// Like [`find`](Self::find), but ignores the project: for commands that must not run programs of an untrusted clone.
    pub fn find_outside_project() -> Result<Self, Error> {
        Self::find_outside_project_with(&env_var)
    }

    /// Uses the binaries in a directory.
    pub fn at(folder: impl Into<PathBuf>) -> Result<Self, Error> {
        Self::named(folder.into(), "set in the test")
    }

    /// Returns their directory.
    pub fn dir(&self) -> &Path {
        &self.folder
    }

    /// Returns the path of a binary.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}{EXE_SUFFIX}"))
    }

    /// Fails if kube-controller-manager is missing.
    pub(crate) fn check_controller_manager(&self) -> Result<(), Error> {
        let name = "kube-controller-manager";
        if self.path(name).is_file() {
            return Ok(());
        }
        Err(Error::Incomplete {
            dir: self.folder.clone(),
            origin: "",
            missing: vec![name],
        })
    }

    fn find_with(start: &Path, variable: &dyn Fn(&str) -> Option<OsString>) -> Result<Self, Error> {
        Self::first_of(Cache::of_project(start), variable)
    }

    fn find_outside_project_with(
        variable: &dyn Fn(&str) -> Option<OsString>,
    ) -> Result<Self, Error> {
        Self::first_of(None, variable)
    }

    fn first_of(
        project: Option<Cache>,
        variable: &dyn Fn(&str) -> Option<OsString>,
    ) -> Result<Self, Error> {
        if let Some(folder) = variable("KUBEBUILDER_ASSETS") {
            return Self::named(folder.into(), "set by KUBEBUILDER_ASSETS");
        }
        let users = [Cache::user_with(variable), Cache::setup_envtest(variable)];
        let caches: Vec<Cache> = project
            .into_iter()
            .chain(users.into_iter().flatten())
            .collect();
        match caches.iter().find_map(Cache::in_use) {
            Some(installed) => Ok(Self {
                folder: installed.dir,
            }),
            None => Err(Error::NotFound {
                searched: caches.iter().map(|cache| cache.dir().to_owned()).collect(),
            }),
        }
    }

    fn named(folder: PathBuf, origin: &'static str) -> Result<Self, Error> {
        // The servers run in another working directory.
        let folder = std::path::absolute(&folder).unwrap_or(folder);
        let missing = missing(&folder);
        if missing.is_empty() {
            return Ok(Self { folder });
        }
        Err(Error::Incomplete {
            dir: folder,
            origin,
            missing,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tempfile::TempDir;

    use super::*;
    use crate::Platform;

    /// Creates these files.
    fn tree(files: &[&str]) -> TempDir {
        let root = TempDir::new().unwrap();
        for file in files {
            let file = file.replace("PLATFORM", &Platform::current().suffix());
            let path = root.path().join(format!("{file}{EXE_SUFFIX}"));
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        root
    }

    fn found(root: &TempDir, variables: &[(&str, &str)]) -> Result<String, Error> {
        let binaries = Binaries::find_with(&root.path().join("project/api"), &|name| {
            let found = variables.iter().find(|(variable, _)| *variable == name);
            found.map(|(_, folder)| root.path().join(folder).into_os_string())
        })?;
        let folder = binaries.folder.strip_prefix(root.path()).unwrap();
        Ok(folder
            .display()
            .to_string()
            .replace(&Platform::current().suffix(), "PLATFORM"))
    }

    const CACHE: &str = "cache/kb-rs/control-plane";

    #[test]
    fn the_newest_complete_version_is_used() {
        let root = tree(&[
            "v1.9.0-v3.6.16-PLATFORM/etcd",
            "v1.9.0-v3.6.16-PLATFORM/kube-apiserver",
            "v1.36.3-v3.6.9-PLATFORM/etcd",
            "v1.36.3-v3.6.9-PLATFORM/kube-apiserver",
            "v1.36.3-v3.6.16-PLATFORM/etcd",
            "v1.36.3-v3.6.16-PLATFORM/kube-apiserver",
            "v1.37.0-v3.6.16-PLATFORM/etcd",
            "v1.38.0-v3.6.16-plan9-mips/etcd",
            "v1.38.0-v3.6.16-plan9-mips/kube-apiserver",
        ]);
        let folder = found(&root, &[("KB_CONTROL_PLANE_DIR", "")]).unwrap();
        assert_eq!(folder, "v1.36.3-v3.6.16-PLATFORM");
    }

    #[test]
    fn the_setup_envtest_cache_comes_last() {
        let theirs = "data/kubebuilder-envtest/k8s/1.36.0-PLATFORM";
        let ours = format!("{CACHE}/v1.35.0-v3.6.0-PLATFORM");
        let file = |folder: &str, name: &str| format!("{folder}/{name}");
        let mut files = vec![file(theirs, "etcd"), file(theirs, "kube-apiserver")];
        let places = [
            ("XDG_CACHE_HOME", "cache"),
            ("XDG_DATA_HOME", "data"),
            ("LOCALAPPDATA", "data"),
        ];
        let as_str = |files: &[String]| tree(&files.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(found(&as_str(&files), &places).unwrap(), theirs);
        files.extend([file(&ours, "etcd"), file(&ours, "kube-apiserver")]);
        assert_eq!(found(&as_str(&files), &places).unwrap(), ours);
    }

    #[test]
    fn the_project_takes_precedence_over_caches() {
        let files = ["etcd", "kube-apiserver"].map(|name| {
            [
                format!("project/bin/k8s/v1.34.0-PLATFORM/{name}"),
                format!("{CACHE}/v1.36.0-PLATFORM/{name}"),
            ]
        });
        let files: Vec<&str> = files.as_flattened().iter().map(String::as_str).collect();
        let root = tree(&files);
        let places = [("XDG_CACHE_HOME", "cache")];
        let cached = format!("{CACHE}/v1.36.0-PLATFORM");
        assert_eq!(found(&root, &places).unwrap(), cached);
        fs::write(root.path().join("project/PROJECT"), "").unwrap();
        let own = "project/bin/k8s/v1.34.0-PLATFORM";
        assert_eq!(found(&root, &places).unwrap(), own);
        let find_outside_project = Binaries::find_outside_project_with(&|name| {
            (name == "XDG_CACHE_HOME").then(|| root.path().join("cache").into_os_string())
        });
        let platform = Platform::current().suffix();
        let cached = root.path().join(cached.replace("PLATFORM", &platform));
        assert_eq!(find_outside_project.unwrap().folder, cached);
    }

    #[test]
    fn an_explicit_directory_must_be_complete() {
        let root = tree(&["assets/etcd", "whole/etcd", "whole/kube-apiserver"]);
        let error = found(&root, &[("KUBEBUILDER_ASSETS", "assets")]).unwrap_err();
        assert!(
            matches!(&error, Error::Incomplete { missing, .. } if missing == &["kube-apiserver"]),
            "{error}"
        );
        assert_eq!(
            found(&root, &[("KUBEBUILDER_ASSETS", "whole")]).unwrap(),
            "whole"
        );
        assert!(Binaries::at(root.path().join("assets")).is_err());
        let whole = Binaries::at(root.path().join("whole")).unwrap();
        assert!(whole.check_controller_manager().is_err());
    }

    #[test]
    fn the_error_lists_all_locations() {
        let root = tree(&[]);
        let places = [
            ("XDG_CACHE_HOME", "cache"),
            ("XDG_DATA_HOME", "data"),
            ("LOCALAPPDATA", "data"),
        ];
        let error = found(&root, &places).unwrap_err();
        let Error::NotFound { searched } = error else {
            panic!("{error}");
        };
        assert_eq!(searched[0], root.path().join("cache/kb-rs/control-plane"));
    }
}
