//! Where the servers' binaries are.

use std::{
    env::{self, consts::EXE_SUFFIX},
    ffi::OsString,
    path::{Path, PathBuf},
};

use crate::{
    Cache, Error,
    cache::{missing, set_variable},
};

/// A folder with `etcd` and `kube-apiserver`, and perhaps `kube-controller-manager`.
///
/// It is, in this order: the folder that the [builder](crate::Builder::binaries) is given, the one that `KUBEBUILDER_ASSETS` names, one in
/// `bin/k8s` of the project (the nearest folder above with a file `PROJECT`), one in the cache of kb-rs (`KB_CONTROL_PLANE_DIR`, by
/// default `~/.cache/kb-rs/control-plane`), one in that of Kubebuilder's `setup-envtest`. Where there are several versions, it is the
/// one that `kb-rs envtest use` chose last, or else the newest. A folder that is named and lacks a binary is an error; no other is taken
/// in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binaries {
    folder: PathBuf,
}

impl Binaries {
    /// Looks in all places but a folder of one's own.
    pub fn find() -> Result<Self, Error> {
        let start = env::current_dir().unwrap_or_default();
        Self::find_with(&start, &set_variable)
    }

    /// Looks in all places but those in a project: whoever has not looked at a project does not want to run its programs.
    pub fn of_user() -> Result<Self, Error> {
        Self::of_user_with(&set_variable)
    }

    /// Those in this folder.
    pub fn at(folder: impl Into<PathBuf>) -> Result<Self, Error> {
        Self::named(folder.into(), "named by the test")
    }

    /// Where they are.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The path of one of them.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}{EXE_SUFFIX}"))
    }

    /// Refuses a folder without kube-controller-manager.
    pub(crate) fn check_controller_manager(&self) -> Result<(), Error> {
        let name = "kube-controller-manager";
        if self.path(name).is_file() {
            return Ok(());
        }
        Err(Error::Incomplete {
            folder: self.folder.clone(),
            origin: "where the binaries are",
            missing: vec![name],
        })
    }

    fn find_with(start: &Path, variable: &dyn Fn(&str) -> Option<OsString>) -> Result<Self, Error> {
        Self::first_of(Cache::of_project(start), variable)
    }

    fn of_user_with(variable: &dyn Fn(&str) -> Option<OsString>) -> Result<Self, Error> {
        Self::first_of(None, variable)
    }

    /// The first of: what `KUBEBUILDER_ASSETS` names, the project, the user's caches.
    fn first_of(
        project: Option<Cache>,
        variable: &dyn Fn(&str) -> Option<OsString>,
    ) -> Result<Self, Error> {
        if let Some(folder) = variable("KUBEBUILDER_ASSETS") {
            return Self::named(folder.into(), "named by KUBEBUILDER_ASSETS");
        }
        let users = [Cache::user_with(variable), Cache::of_kubebuilder(variable)];
        let caches: Vec<Cache> = project
            .into_iter()
            .chain(users.into_iter().flatten())
            .collect();
        match caches.iter().find_map(Cache::in_use) {
            Some(installed) => Ok(Self {
                folder: installed.folder,
            }),
            None => Err(Error::NotFound {
                looked_in: caches
                    .iter()
                    .map(|cache| cache.folder().to_owned())
                    .collect(),
            }),
        }
    }

    fn named(folder: PathBuf, origin: &'static str) -> Result<Self, Error> {
        // The servers run in a folder of their own.
        let folder = std::path::absolute(&folder).unwrap_or(folder);
        let missing = missing(&folder);
        if missing.is_empty() {
            return Ok(Self { folder });
        }
        Err(Error::Incomplete {
            folder,
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

    /// Folders with these files.
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
    fn the_newest_version_is_taken_by_number_and_only_if_it_is_complete() {
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
    fn kubebuilders_cache_is_the_last_place() {
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
    fn the_project_comes_before_the_caches() {
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
        let of_user = Binaries::of_user_with(&|name| {
            (name == "XDG_CACHE_HOME").then(|| root.path().join("cache").into_os_string())
        });
        let platform = Platform::current().suffix();
        let cached = root.path().join(cached.replace("PLATFORM", &platform));
        assert_eq!(of_user.unwrap().folder, cached);
    }

    #[test]
    fn a_named_folder_must_have_them() {
        let root = tree(&["assets/etcd", "whole/etcd", "whole/kube-apiserver"]);
        let error = found(&root, &[("KUBEBUILDER_ASSETS", "assets")]).unwrap_err();
        let text = error.to_string();
        assert!(
            text.contains("KUBEBUILDER_ASSETS) has no kube-apiserver"),
            "{text}"
        );
        assert_eq!(
            found(&root, &[("KUBEBUILDER_ASSETS", "whole")]).unwrap(),
            "whole"
        );
        assert!(Binaries::at(root.path().join("assets")).is_err());
        let whole = Binaries::at(root.path().join("whole")).unwrap();
        let error = whole.check_controller_manager().unwrap_err().to_string();
        assert!(error.contains("has no kube-controller-manager"), "{error}");
    }

    #[test]
    fn without_any_it_is_said_what_to_do() {
        let root = tree(&[]);
        let places = [
            ("XDG_CACHE_HOME", "cache"),
            ("XDG_DATA_HOME", "data"),
            ("LOCALAPPDATA", "data"),
        ];
        let text = found(&root, &places).unwrap_err().to_string();
        for part in [
            "kb-rs/control-plane",
            "kubebuilder-envtest",
            "KUBEBUILDER_ASSETS",
            "kb-rs envtest use",
            "make control-plane",
        ] {
            assert!(text.contains(part), "{text}");
        }
    }
}
