//! Kubebuilder, built once into a cache folder, with a stand-in for the go command.
//!
//! After it has scaffolded, Kubebuilder calls `go mod tidy`. That is Go's cost and the network's, not its own, so the stand-in does
//! nothing for it and for `go get`; whatever else Kubebuilder asks go for (`go env`, to format what it wrote) is passed on.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

use crate::{call::printed, tool::Tool};

/// The version that kb-rs is compared with.
pub(crate) const VERSION: &str = "v4.15.0";

const MODULE: &str = "sigs.k8s.io/kubebuilder/v4";

const STUB: &str = "\
#!/bin/sh
case \"$1 $2\" in
'mod tidy' | 'get '*) exit 0 ;;
esac
exec \"$KB_BENCH_GO\" \"$@\"
";

/// Why Kubebuilder is not measured.
#[derive(Debug)]
pub(crate) enum Absence {
    /// There is no go command to build it with.
    NoGo,
    /// Something went wrong.
    Failed(anyhow::Error),
}

/// Kubebuilder, ready to be called.
pub(crate) fn prepare() -> Result<Tool, Absence> {
    let go = go_command().ok_or(Absence::NoGo)?;
    built(&go)
        .and_then(|binary| Tool::kubebuilder(binary, go, stub()?))
        .map_err(Absence::Failed)
}

/// The go command, by its full path: the stand-in shadows it.
pub(crate) fn go_command() -> Option<PathBuf> {
    let name = format!("go{}", env::consts::EXE_SUFFIX);
    env::split_paths(&env::var_os("PATH")?)
        .map(|folder| folder.join(&name))
        .find(|go| go.is_file() && go.is_absolute())
}

/// The binary in the cache; built if it is not there.
fn built(go: &Path) -> Result<PathBuf> {
    built_from(go, MODULE, VERSION, ".", "kubebuilder")
}

/// A program of a Go module in the cache, by its package's folder in the module; built if it is not there.
pub(crate) fn built_from(
    go: &Path,
    module: &str,
    version: &str,
    package: &str,
    name: &str,
) -> Result<PathBuf> {
    let folder = cache()?.join(format!("{name}-{version}"));
    let binary = folder.join(format!("{name}{}", env::consts::EXE_SUFFIX));
    if !binary.is_file() {
        eprintln!("bench: building {name} {version} (once, about a minute)...");
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        install(go, &format!("{module}@{version}"), package, &folder)?;
    }
    Ok(binary)
}

/// `go install` from the module's own folder: with `MODULE@VERSION` go also wants the list of all versions, which not every module
/// proxy has. What is built is the same.
fn install(go: &Path, module: &str, package: &str, into: &Path) -> Result<()> {
    // Outside any module, so that no go.mod of the caller's plays a part.
    let outside = TempDir::new().context("cannot make a temporary folder")?;
    let run = |folder: &Path, arguments: &[&str]| {
        let mut command = Command::new(go);
        command.args(arguments).current_dir(folder);
        command.env("GOBIN", into).env("GOWORK", "off");
        printed(&mut command)
    };
    run(outside.path(), &["mod", "download", module])?;
    let source = run(outside.path(), &["list", "-m", "-f", "{{.Dir}}", module])?;
    run(Path::new(&source), &["install", package])?;
    Ok(())
}

/// Where the benchmark keeps what it builds.
pub(crate) fn cache() -> Result<PathBuf> {
    let folder = |name| env::var_os(name).map(PathBuf::from);
    let Some(root) = folder("XDG_CACHE_HOME")
        .filter(|root| root.is_absolute())
        .or_else(|| Some(folder("HOME")?.join(".cache")))
    else {
        bail!(
            "set HOME or XDG_CACHE_HOME, so that what is compared with can be built into a cache folder"
        );
    };
    Ok(root.join("kb-rs").join("bench"))
}

/// A folder with a go command that leaves out what is not to be measured.
fn stub() -> Result<TempDir> {
    let folder = TempDir::new().context("cannot make a temporary folder")?;
    let file = folder.path().join("go");
    fs::write(&file, STUB).context("cannot write the stub of go")?;
    make_executable(&file)?;
    Ok(folder)
}

#[cfg(unix)]
fn make_executable(file: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(file, fs::Permissions::from_mode(0o755))
        .context("cannot make the stub of go executable")
}

#[cfg(not(unix))]
fn make_executable(_file: &Path) -> Result<()> {
    bail!("the stub of go is a shell script, and this system starts none")
}
