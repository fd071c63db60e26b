//! A folder with the binaries of several versions side by side, each in a folder `VERSION-OS-ARCH`.
//!
//! The file `in-use` names the one that tests take. Without it, or when what it names is gone, they take the newest. Here the folder is
//! read, and that file written; what is in the folder comes from elsewhere.

use std::{
    env::{self, consts::EXE_SUFFIX},
    ffi::OsString,
    fs, io,
    io::Write,
    path::{Path, PathBuf},
};

use crate::{Error, Platform, Version, Wanted, small_file};

/// Those that every control plane needs.
const NEEDED: [&str; 2] = ["etcd", "kube-apiserver"];

/// The file that names the version in use.
const IN_USE: &str = "in-use";

/// Versions of the control plane's binaries, side by side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cache {
    folder: PathBuf,
}

/// The complete binaries of one version, for this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installed {
    /// The version of Kubernetes.
    pub version: Version,
    /// Where they are.
    pub folder: PathBuf,
    /// Kubernetes' numbers, then those of etcd where they are known.
    numbers: Vec<u32>,
}

impl Cache {
    /// The user's: `KB_CONTROL_PLANE_DIR`, by default `~/.cache/kb-rs/control-plane`. None where there is no home folder either.
    pub fn user() -> Option<Self> {
        Self::user_with(&set_variable)
    }

    /// This folder, which need not exist.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        let folder = folder.into();
        // The servers run in a folder of their own.
        let folder = std::path::absolute(&folder).unwrap_or(folder);
        Self { folder }
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What is in it for this machine, the newest first.
    pub fn installed(&self) -> Vec<Installed> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut installed: Vec<Installed> = entries
            .filter_map(|entry| Installed::read(entry.path()))
            .collect();
        installed.sort_by(|one, other| other.numbers.cmp(&one.numbers));
        installed
    }

    /// The newest in it that is wanted.
    pub fn find(&self, wanted: Wanted) -> Option<Installed> {
        let mut installed = self.installed().into_iter();
        installed.find(|one| wanted.allows(one.version))
    }

    /// The one that tests take: what was last chosen, or else the newest.
    pub fn in_use(&self) -> Option<Installed> {
        let named = small_file::read(&self.folder.join(IN_USE)).unwrap_or_default();
        let named = named.trim_ascii();
        let mut installed = self.installed();
        let is_named = |one: &Installed| one.name().as_bytes() == named;
        let chosen = installed.iter().position(is_named).unwrap_or(0);
        (!installed.is_empty()).then(|| installed.swap_remove(chosen))
    }

    /// Chooses the one that tests take.
    pub fn choose(&self, installed: &Installed) -> Result<(), Error> {
        let path = self.folder.join(IN_USE);
        let write = || -> io::Result<()> {
            let mut file = tempfile::NamedTempFile::new_in(&self.folder)?;
            writeln!(file, "{}", installed.name())?;
            // As the versions themselves: others may share the folder.
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

    /// The user's, as `hack/control-plane` of kb-rs has it.
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

    /// That of Kubebuilder's `setup-envtest`.
    pub(crate) fn of_kubebuilder(variable: &dyn Fn(&str) -> Option<OsString>) -> Option<Self> {
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

    /// `bin/k8s` of the project that a folder is in: of the nearest folder above it with a file PROJECT.
    pub(crate) fn of_project(start: &Path) -> Option<Self> {
        let root = start
            .ancestors()
            .find(|folder| folder.join("PROJECT").is_file())?;
        Some(Self::at(root.join("bin").join("k8s")))
    }
}

impl Installed {
    /// The name of its folder.
    fn name(&self) -> &str {
        let name = self.folder.file_name().and_then(|name| name.to_str());
        name.unwrap_or_default()
    }

    /// In a folder of just this version.
    #[cfg(feature = "download")]
    pub(crate) fn new(version: Version, folder: PathBuf) -> Self {
        Self {
            version,
            folder,
            numbers: version.numbers().to_vec(),
        }
    }

    /// What is in a folder, if it is complete and for this machine.
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
            folder,
            numbers,
        })
    }
}

/// A variable of the environment that is set and not empty.
pub(crate) fn set_variable(name: &str) -> Option<OsString> {
    env::var_os(name).filter(|value| !value.is_empty())
}

/// The binaries that a folder lacks.
pub(crate) fn missing(folder: &Path) -> Vec<&'static str> {
    let is_missing = |name: &&str| !folder.join(format!("{name}{EXE_SUFFIX}")).is_file();
    NEEDED.into_iter().filter(is_missing).collect()
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
            for binary in NEEDED {
                fs::write(folder.join(format!("{binary}{EXE_SUFFIX}")), "").unwrap();
            }
        }
        let cache = Cache::at(root.path());
        (root, cache)
    }

    fn version(installed: Option<Installed>) -> String {
        installed.unwrap().version.to_string()
    }

    #[test]
    fn the_newest_is_in_use_until_another_is_chosen() {
        let (_root, cache) = cache(&["v1.9.0-PLATFORM", "v1.36.2-PLATFORM", "v1.35.1-PLATFORM"]);
        assert_eq!(version(cache.in_use()), "v1.36.2");
        let older = cache.find(Wanted::Minor(1, 35)).unwrap();
        cache.choose(&older).unwrap();
        assert_eq!(cache.in_use(), Some(older.clone()));
        fs::remove_dir_all(older.folder).unwrap();
        assert_eq!(version(cache.in_use()), "v1.36.2");
    }

    #[test]
    fn what_is_wanted_is_found_and_the_newest_of_it() {
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
    fn nothing_is_in_use_where_nothing_is_installed() {
        let (root, cache) = cache(&[]);
        assert_eq!(cache.in_use(), None);
        assert_eq!(Cache::at(root.path().join("absent")).in_use(), None);
    }
}
