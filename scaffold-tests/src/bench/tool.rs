//! Command-line tools: kb-rs next to this executable, and Go tools built once into a cache directory.
//!
//! Tools run with a minimal environment, so that neither the caller's settings nor a terminal influence the figures.

use std::{
    env,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use tempfile::TempDir;

pub(crate) const KUBEBUILDER_VERSION: &str = "v4.15.0";
pub(crate) const CONTROLLER_GEN_VERSION: &str = "v0.21.0";

/// Environment variables that are passed on.
const PASSED_ON: [&str; 10] = [
    "GOCACHE",
    "GOFLAGS",
    "GOMODCACHE",
    "GOPATH",
    "GOPROXY",
    "GOSUMDB",
    "HOME",
    "PATH",
    "TMPDIR",
    "XDG_CACHE_HOME",
];

/// Kubebuilder runs `go mod tidy` after scaffolding. That is Go's cost, not Kubebuilder's, so this stand-in skips it and `go get`.
const GO_STUB: &str = "\
#!/bin/sh
case \"$1 $2\" in
'mod tidy' | 'get '*) exit 0 ;;
esac
exec \"$KB_BENCH_GO\" \"$@\"
";

#[derive(Debug)]
pub(crate) struct Tool {
    binary: PathBuf,
    /// Arguments of every run.
    args: &'static [&'static str],
    env: Vec<(&'static str, OsString)>,
    _stub: Option<TempDir>,
}

impl Tool {
    pub(crate) fn new(binary: PathBuf, args: &'static [&'static str]) -> Self {
        Self {
            binary,
            args,
            env: Vec::new(),
            _stub: None,
        }
    }

    pub(crate) fn kb_rs() -> Result<Self> {
        let name = format!("kb-rs{}", env::consts::EXE_SUFFIX);
        let binary = env::current_exe()?.with_file_name(name);
        ensure!(
            binary.is_file(),
            "kb-rs not found: run `cargo build --release -p kb-rs` first"
        );
        Ok(Self::new(binary, &[]))
    }

    pub(crate) fn go() -> Result<Self> {
        Ok(Self::new(go_binary()?, &[]))
    }

    pub(crate) fn controller_gen() -> Result<Self> {
        let module = "sigs.k8s.io/controller-tools";
        let binary = go_install(module, CONTROLLER_GEN_VERSION, "./cmd/controller-gen")?;
        Ok(Self::new(binary, &[]))
    }

    pub(crate) fn kubebuilder() -> Result<Self> {
        let binary = go_install("sigs.k8s.io/kubebuilder/v4", KUBEBUILDER_VERSION, ".")?;
        let stub = TempDir::new()?;
        write_executable(&stub.path().join("go"), GO_STUB)?;
        let path = env::var_os("PATH").unwrap_or_default();
        let dirs = [stub.path().to_path_buf()];
        let path = env::join_paths(dirs.into_iter().chain(env::split_paths(&path)))?;
        Ok(Self {
            binary,
            args: &[],
            env: vec![
                ("PATH", path),
                ("KB_BENCH_GO", go_binary()?.into_os_string()),
            ],
            _stub: Some(stub),
        })
    }

    pub(crate) fn command(&self, dir: &Path, args: &[&str]) -> Command {
        let mut command = Command::new(&self.binary);
        let passed_on = PASSED_ON.iter();
        command
            .args(self.args)
            .args(args)
            .current_dir(dir)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .env_clear()
            .envs(passed_on.filter_map(|name| Some((name, env::var_os(name)?))))
            .envs(self.env.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Runs the tool and returns its wall time.
    pub(crate) fn run(&self, dir: &Path, args: &[&str]) -> Result<Duration> {
        timed(&mut self.command(dir, args))
    }

    /// Runs the tool and returns its peak resident memory in MiB, sampled from /proc until the process ends: a peak in the last moment
    /// is missed. Returns `None` without /proc.
    pub(crate) fn peak_memory(&self, dir: &Path, args: &[&str]) -> Result<Option<f64>> {
        let mut command = self.command(dir, args);
        let mut child = command.stderr(Stdio::null()).spawn()?;
        let mut peak = None;
        let status = loop {
            peak = peak_memory_of(child.id()).or(peak);
            if let Some(status) = child.try_wait()? {
                break status;
            }
        };
        ensure!(status.success(), "{command:?} failed ({status})");
        Ok(peak)
    }
}

/// Runs a command and returns its wall time.
pub(crate) fn timed(command: &mut Command) -> Result<Duration> {
    let start = Instant::now();
    let output = command.output();
    let time = start.elapsed();
    check(command, output)?;
    Ok(time)
}

/// Returns the peak resident memory of a process so far, in MiB.
pub(crate) fn peak_memory_of(pid: u32) -> Option<f64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let value = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: f64 = value.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kibibytes / 1024.0)
}

/// Directory for everything that the benchmark builds once.
pub(crate) fn cache_dir() -> Result<PathBuf> {
    let var = |name| env::var_os(name).map(PathBuf::from);
    let root = var("XDG_CACHE_HOME")
        .or_else(|| Some(var("HOME")?.join(".cache")))
        .context("set HOME or XDG_CACHE_HOME: Go tools are built into a cache directory")?;
    Ok(root.join("kb-rs/bench"))
}

fn check(command: &Command, output: std::io::Result<Output>) -> Result<Output> {
    let output = output.with_context(|| format!("failed to start {command:?}"))?;
    ensure!(
        output.status.success(),
        "{command:?} failed ({}):\n{}",
        output.status,
        String::from_utf8_lossy(&output.stderr).trim_end()
    );
    Ok(output)
}

fn go_binary() -> Result<PathBuf> {
    let name = format!("go{}", env::consts::EXE_SUFFIX);
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path)
        .map(|dir| dir.join(&name))
        .find(|go| go.is_absolute() && go.is_file())
        .context("go is not installed")
}

/// Builds a program of a Go module into the cache, unless it is there already.
fn go_install(module: &str, version: &str, package: &str) -> Result<PathBuf> {
    let go = go_binary()?;
    let name = package
        .strip_prefix("./cmd/")
        .or_else(|| module.split('/').nth(1))
        .unwrap_or(module);
    let dir = cache_dir()?.join(format!("{name}-{version}"));
    let binary = dir.join(format!("{name}{}", env::consts::EXE_SUFFIX));
    if binary.is_file() {
        return Ok(binary);
    }
    eprintln!("bench: building {name} {version}...");
    let run = |dir: &Path, args: &[&str]| -> Result<String> {
        let mut command = Command::new(&go);
        command.args(args).current_dir(dir);
        command.env("GOBIN", dir_of(&binary)).env("GOWORK", "off");
        let output = command.output();
        Ok(String::from_utf8(check(&command, output)?.stdout)?)
    };
    // `go install MODULE@VERSION` needs the list of all versions, which not every module proxy serves.
    let outside = TempDir::new()?;
    let module = format!("{module}@{version}");
    run(outside.path(), &["mod", "download", &module])?;
    let source = run(outside.path(), &["list", "-m", "-f", "{{.Dir}}", &module])?;
    run(Path::new(source.trim()), &["install", package])?;
    Ok(binary)
}

fn dir_of(file: &Path) -> &Path {
    file.parent().unwrap_or(file)
}

#[cfg(unix)]
fn write_executable(file: &Path, text: &str) -> Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::write(file, text)?;
    Ok(fs::set_permissions(
        file,
        fs::Permissions::from_mode(0o755),
    )?)
}

#[cfg(not(unix))]
fn write_executable(_file: &Path, _text: &str) -> Result<()> {
    anyhow::bail!("Kubebuilder is measured on Unix only: the go stub is a shell script")
}
