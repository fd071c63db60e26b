//! Where the servers' binaries are.

use std::{
    cmp::Reverse,
    env::{self, consts::EXE_SUFFIX},
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};

use crate::Error;

/// Those that every control plane needs.
const NEEDED: [&str; 2] = ["etcd", "kube-apiserver"];

/// A folder with `etcd` and `kube-apiserver`, and perhaps `kube-controller-manager`.
///
/// It is, in this order: the folder that the [builder](crate::Builder::binaries) is given, the one that `KUBEBUILDER_ASSETS` names, the newest
/// version in the cache of kb-rs (`KB_CONTROL_PLANE_DIR`, by default `~/.cache/kb-rs/control-plane`), the newest in that of Kubebuilder's
/// `setup-envtest`. A folder that is named and lacks a binary is an error; no other is taken in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binaries {
    folder: PathBuf,
}

impl Binaries {
    /// Looks in all places but a folder of one's own.
    pub fn find() -> Result<Self, Error> {
        Self::find_with(&|name| env::var_os(name))
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

    fn find_with(variable: &dyn Fn(&str) -> Option<OsString>) -> Result<Self, Error> {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty());
        if let Some(folder) = set("KUBEBUILDER_ASSETS") {
            return Self::named(folder.into(), "named by KUBEBUILDER_ASSETS");
        }
        let looked_in: Vec<PathBuf> = [own_cache(&set), kubebuilder_cache(&set)]
            .into_iter()
            .flatten()
            .collect();
        let newest = looked_in.iter().find_map(|cache| newest(cache));
        newest.map_or(Err(Error::NotFound { looked_in }), |folder| {
            Ok(Self { folder })
        })
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

fn missing(folder: &Path) -> Vec<&'static str> {
    let is_missing = |name: &&str| !folder.join(format!("{name}{EXE_SUFFIX}")).is_file();
    NEEDED.into_iter().filter(is_missing).collect()
}

/// As `hack/control-plane` of kb-rs has it.
fn own_cache(variable: &dyn Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    if let Some(folder) = variable("KB_CONTROL_PLANE_DIR") {
        return Some(folder.into());
    }
    let cache = match variable("XDG_CACHE_HOME") {
        Some(cache) => PathBuf::from(cache),
        None => home(variable)?.join(".cache"),
    };
    Some(cache.join("kb-rs/control-plane"))
}

/// As `setup-envtest` has it.
fn kubebuilder_cache(variable: &dyn Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let store = if cfg!(windows) {
        PathBuf::from(variable("LOCALAPPDATA")?).join("kubebuilder-envtest")
    } else if let Some(data) = variable("XDG_DATA_HOME") {
        PathBuf::from(data).join("kubebuilder-envtest")
    } else if cfg!(target_os = "macos") {
        home(variable)?.join("Library/Application Support/io.kubebuilder.envtest")
    } else {
        home(variable)?.join(".local/share/kubebuilder-envtest")
    };
    Some(store.join("k8s"))
}

fn home(variable: &dyn Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let name = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
    variable(name).map(PathBuf::from)
}

/// The folder of the newest version in a cache, if it is complete. Both caches name folders `VERSION-OS-ARCH`.
fn newest(cache: &Path) -> Option<PathBuf> {
    let cache = std::path::absolute(cache).ok()?;
    let entries = fs::read_dir(cache).ok()?.flatten();
    let mut versions: Vec<(Vec<u32>, PathBuf)> = entries
        .filter_map(|entry| Some((version(entry.file_name().to_str()?)?, entry.path())))
        .collect();
    versions.sort_by(|one, other| Reverse(&one.0).cmp(&Reverse(&other.0)));
    let mut folders = versions.into_iter().map(|(_, folder)| folder);
    folders.find(|folder| missing(folder).is_empty())
}

/// The numbers in the name of a folder for this machine: those of Kubernetes, then those of etcd.
fn version(name: &str) -> Option<Vec<u32>> {
    let versions = name.strip_suffix(&format!("-{}-{}", os(), arch()))?;
    let numbers = versions.split('-').flat_map(|version| {
        let version = version.strip_prefix('v').unwrap_or(version);
        version.split('.')
    });
    numbers.map(|number| number.parse().ok()).collect()
}

/// Go's name of it.
fn os() -> &'static str {
    match env::consts::OS {
        "macos" => "darwin",
        other => other,
    }
}

/// Go's name of it.
fn arch() -> &'static str {
    match env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        "powerpc64" => "ppc64le",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    /// Folders with these files.
    fn tree(files: &[&str]) -> TempDir {
        let root = TempDir::new().unwrap();
        for file in files {
            let file = file.replace("PLATFORM", &format!("{}-{}", os(), arch()));
            let path = root.path().join(format!("{file}{EXE_SUFFIX}"));
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        root
    }

    fn found(root: &TempDir, variables: &[(&str, &str)]) -> Result<String, Error> {
        let binaries = Binaries::find_with(&|name| {
            let found = variables.iter().find(|(variable, _)| *variable == name);
            found.map(|(_, folder)| root.path().join(folder).into_os_string())
        })?;
        let folder = binaries.folder.strip_prefix(root.path()).unwrap();
        Ok(folder
            .display()
            .to_string()
            .replace(&format!("{}-{}", os(), arch()), "PLATFORM"))
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
            "make control-plane",
        ] {
            assert!(text.contains(part), "{text}");
        }
    }
}
