//! A directory with several versions of the binaries, each in `VERSION-OS-ARCH`.
//!
//! The file `in-use` names the version that tests use. If it is missing or stale, tests use the newest version.

use std::{
    env::{self, consts::EXE_SUFFIX},
    ffi::OsString,
    fs, io,
    io::Write,
    path::{Path, PathBuf},
};

use crate::{Error, Platform, Version, VersionSelector, small_file};

/// Required binaries.
const REQUIRED: [&str; 2] = ["etcd", "kube-apiserver"];

/// Names the version in use.
const IN_USE: &str = "in-use";

/// Installed versions of the control plane's binaries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cache {
    folder: PathBuf,
}

/// A complete set of binaries for this platform.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installation {
    /// Kubernetes version.
    pub version: Version,
    /// Directory of the binaries.
    pub dir: PathBuf,
    /// Version numbers of Kubernetes and, if known, etcd.
    numbers: Vec<u32>,
}

impl Cache {
    /// Returns the user's cache: `KB_CONTROL_PLANE_DIR`, by default `~/.cache/kb-rs/control-plane`. `None` without a home directory.
    pub fn user() -> Option<Self> {
        Self::user_with(&env_var)
    }

    /// Returns the cache in a directory, which need not exist.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        let folder = folder.into();
        // The servers run in another working directory.
        let folder = std::path::absolute(&folder).unwrap_or(folder);
        Self { folder }
    }

    /// Returns the directory.
    pub fn dir(&self) -> &Path {
        &self.folder
    }

    /// Lists the installations for this platform, newest first.
    pub fn installed(&self) -> Vec<Installation> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut installed: Vec<Installation> = entries
            .filter_map(|entry| Installation::read(entry.path()))
            .collect();
        installed.sort_by(|one, other| other.numbers.cmp(&one.numbers));
        installed
    }

    /// Finds the newest matching installation.
    pub fn find(&self, selector: VersionSelector) -> Option<Installation> {
        let mut installed = self.installed().into_iter();
        installed.find(|one| selector.matches(one.version))
    }

    /// Returns the installation that tests use: the selected one, otherwise the newest.
    pub fn in_use(&self) -> Option<Installation> {
        let named = small_file::read(&self.folder.join(IN_USE)).unwrap_or_default();
        let named = named.trim_ascii();
        let mut installed = self.installed();
        let is_named = |one: &Installation| one.name().as_bytes() == named;
        let selected = installed.iter().position(is_named).unwrap_or(0);
        (!installed.is_empty()).then(|| installed.swap_remove(selected))
    }

    /// Selects the installation that tests use.
    pub fn set_in_use(&self, installed: &Installation) -> Result<(), Error> {
        let path = self.folder.join(IN_USE);
        let write = || -> io::Result<()> {
            let mut file = tempfile::NamedTempFile::new_in(&self.folder)?;
            writeln!(file, "{}", installed.name())?;
            // Other users may share the cache.
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt;
                let readable = fs::Permissions::from_mode(0o644);
                file.as_file().set_permissions(readable)?;
            }
            file.persist(&path)?;
            Ok(())
        };
        write().map_err(|source| Error::File {
            path: path.clone(),
            action: "written",
            source,
        })
    }

    // Keep in sync with hack/control-plane.
    pub(crate) fn user_with(variable: &dyn Fn(&str) -> Option<OsString>) -> Option<Self> {
        if let Some(folder) = variable("KB_CONTROL_PLANE_DIR") {
            return Some(Self::at(folder));
        }
        let cache = match variable("XDG_CACHE_HOME") {
            Some(cache) => PathBuf::from(cache),
            None => home(variable)?.join(".cache"),
        };
        Some(Self::at(cache.join("kb-rs").join("control-plane")))
    }

    /// Returns the cache of Kubebuilder's `setup-envtest`.
    pub(crate) fn setup_envtest(variable: &dyn Fn(&str) -> Option<OsString>) -> Option<Self> {
        let store = if cfg!(windows) {
            PathBuf::from(variable("LOCALAPPDATA")?).join("kubebuilder-envtest")
        } else if cfg!(target_os = "macos") {
            home(variable)?.join("Library/Application Support/io.kubebuilder.envtest")
        } else if let Some(data) = variable("XDG_DATA_HOME") {
            PathBuf::from(data).join("kubebuilder-envtest")
        } else {
            home(variable)?.join(".local/share/kubebuilder-envtest")
        };
        Some(Self::at(store.join("k8s")))
    }

    /// Returns `bin/k8s` in the closest ancestor directory with a PROJECT file.
    pub(crate) fn of_project(start: &Path) -> Option<Self> {
        let root = start
            .ancestors()
            .find(|folder| folder.join("PROJECT").is_file())?;
        Some(Self::at(root.join("bin").join("k8s")))
    }
}

impl Installation {
    /// Returns the name of its directory.
    fn name(&self) -> &str {
        let name = self.dir.file_name().and_then(|name| name.to_str());
        name.unwrap_or_default()
    }

    #[cfg(feature = "download")]
    pub(crate) fn new(version: Version, dir: PathBuf) -> Self {
        Self {
            version,
            dir,
            numbers: version.numbers().to_vec(),
        }
    }

    /// Reads a directory. `None` if it is incomplete or for another platform.
    fn read(folder: PathBuf) -> Option<Self> {
        let (versions, platform) = Platform::split(folder.file_name()?.to_str()?)?;
        if platform != Platform::current() || !missing(&folder).is_empty() {
            return None;
        }
        let versions = versions
            .split('-')
            .flat_map(|version| version.strip_prefix('v').unwrap_or(version).split('.'));
        let numbers: Vec<u32> = versions
            .map(|number| number.parse().ok())
            .collect::<Option<_>>()?;
        let &[major, minor, patch, ..] = &numbers[..] else {
            return None;
        };
        Some(Self {
            version: Version::new(major, minor, patch),
            dir: folder,
            numbers,
        })
    }
}

/// Returns a non-empty environment variable.
pub(crate) fn env_var(name: &str) -> Option<OsString> {
    env::var_os(name).filter(|value| !value.is_empty())
}

/// Lists the missing binaries.
pub(crate) fn missing(folder: &Path) -> Vec<&'static str> {
    let is_missing = |name: &&str| !folder.join(format!("{name}{EXE_SUFFIX}")).is_file();
    REQUIRED.into_iter().filter(is_missing).collect()
}

fn home(variable: &dyn Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let name = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
    variable(name).map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    fn cache(names: &[&str]) -> (TempDir, Cache) {
        let root = TempDir::new().unwrap();
        for name in names {
            let name = name.replace("PLATFORM", &Platform::current().suffix());
            let folder = root.path().join(name);
            fs::create_dir(&folder).unwrap();
            for binary in REQUIRED {
                fs::write(folder.join(format!("{binary}{EXE_SUFFIX}")), "").unwrap();
            }
        }
        let cache = Cache::at(root.path());
        (root, cache)
    }

    fn version(installed: Option<Installation>) -> String {
        installed.unwrap().version.to_string()
    }

    #[test]
    fn the_newest_version_is_in_use_unless_another_is_selected() {
        let (_root, cache) = cache(&["v1.9.0-PLATFORM", "v1.36.2-PLATFORM", "v1.35.1-PLATFORM"]);
        assert_eq!(version(cache.in_use()), "v1.36.2");
        let older = cache.find(VersionSelector::Minor(1, 35)).unwrap();
        cache.set_in_use(&older).unwrap();
        assert_eq!(cache.in_use(), Some(older.clone()));
        fs::remove_dir_all(older.dir).unwrap();
        assert_eq!(version(cache.in_use()), "v1.36.2");
    }

    #[test]
    fn find_returns_the_newest_matching_version() {
        let (_root, cache) = cache(&[
            "v1.36.2-PLATFORM",
            "v1.36.10-v3.6.9-PLATFORM",
            "v1.36.11-plan9-mips",
            ".new-v1.36.12-PLATFORM",
            "1.34.0-PLATFORM",
        ]);
        let found = |wanted: &str| cache.find(wanted.parse().unwrap()).map(|one| one.version);
        assert_eq!(found("1.36"), "1.36.10".parse().ok());
        assert_eq!(found("1.36.2"), "1.36.2".parse().ok());
        assert_eq!(found("1.34.x"), "1.34.0".parse().ok());
        assert_eq!(found("1.36.11"), None);
        assert_eq!(found("1.33"), None);
    }

    #[test]
    fn an_empty_cache_has_no_version_in_use() {
        let (root, cache) = cache(&[]);
        assert_eq!(cache.in_use(), None);
        assert_eq!(Cache::at(root.path().join("absent")).in_use(), None);
    }
}
