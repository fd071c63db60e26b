//! The tools that are compared: how each is called for the same job, and what it must have made.
//!
//! Both get the same small environment, so that neither the caller's settings nor a terminal play a part.

use std::{
    env,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context, Result, ensure};
use tempfile::TempDir;

/// What is kept of the caller's environment.
const KEPT: [&str; 4] = ["HOME", "PATH", "SYSTEMROOT", "TMPDIR"];

/// A tool that scaffolds operator projects.
#[derive(Debug)]
pub(crate) struct Tool {
    binary: PathBuf,
    settings: Vec<(&'static str, OsString)>,
    init: &'static [&'static str],
    api: &'static [&'static str],
    /// Files that `init` makes.
    init_makes: &'static [&'static str],
    /// Files that `create api` makes for `AppService`.
    api_makes: &'static [&'static str],
    /// The stand-in for the go command, kept as long as the tool.
    _stub: Option<TempDir>,
}

impl Tool {
    /// The kb-rs that was built beside this benchmark.
    pub(crate) fn kb_rs() -> Result<Self> {
        let name = format!("kb-rs{}", env::consts::EXE_SUFFIX);
        let binary = env::current_exe()
            .context("cannot find this benchmark's own executable")?
            .with_file_name(name);
        ensure!(
            binary.is_file(),
            "there is no kb-rs beside this benchmark: run `cargo build --release -p kb-rs` first"
        );
        Ok(Self {
            binary,
            settings: Vec::new(),
            init: &["--domain", "example.com", "--project-name", "demo"],
            api: &["--resource", "--controller"],
            init_makes: &["PROJECT", "Cargo.toml", "src/main.rs"],
            api_makes: &[
                "api/src/v1/app_service.rs",
                "src/controller/app_service.rs",
                "config/samples/batch_v1_appservice.yaml",
            ],
            _stub: None,
        })
    }

    /// Kubebuilder at `binary`, which finds `stub` first when it looks for go, and `go` when it needs the real one.
    pub(crate) fn kubebuilder(binary: PathBuf, go: PathBuf, stub: TempDir) -> Result<Self> {
        let path = env::var_os("PATH").unwrap_or_default();
        let folders = [stub.path().to_path_buf()]
            .into_iter()
            .chain(env::split_paths(&path));
        let path = env::join_paths(folders).context("cannot put the stub into PATH")?;
        Ok(Self {
            binary,
            settings: vec![("PATH", path), ("KB_BENCH_GO", go.into_os_string())],
            init: &[
                "--domain",
                "example.com",
                "--repo",
                "example.com/demo",
                "--project-name",
                "demo",
                "--fetch-deps=false",
                "--skip-go-version-check",
            ],
            api: &["--resource", "--controller", "--make=false"],
            init_makes: &["PROJECT", "go.mod", "cmd/main.go"],
            api_makes: &[
                "api/v1/appservice_types.go",
                "internal/controller/appservice_controller.go",
                "config/samples/batch_v1_appservice.yaml",
            ],
            _stub: Some(stub),
        })
    }

    /// Another tool, which scaffolds nothing.
    pub(crate) fn plain(binary: PathBuf, settings: Vec<(&'static str, OsString)>) -> Self {
        Self {
            binary,
            settings,
            init: &[],
            api: &[],
            init_makes: &[],
            api_makes: &[],
            _stub: None,
        }
    }

    /// The arguments of `init`.
    pub(crate) fn init(&self) -> Vec<&str> {
        [&["init"], self.init].concat()
    }

    /// The arguments of `create api` for a kind.
    pub(crate) fn api<'a>(&'a self, kind: &'a str) -> Vec<&'a str> {
        let names = [
            "create",
            "api",
            "--group",
            "batch",
            "--version",
            "v1",
            "--kind",
            kind,
        ];
        [&names, self.api].concat()
    }

    /// The tool's command in a folder; `launcher` is what starts it, if not this process.
    pub(crate) fn command(
        &self,
        folder: &Path,
        launcher: &[OsString],
        arguments: &[&str],
    ) -> Command {
        let mut command = match launcher {
            [] => Command::new(&self.binary),
            [program, rest @ ..] => {
                let mut command = Command::new(program);
                command.args(rest).arg(&self.binary);
                command
            }
        };
        command
            .args(arguments)
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .env_clear()
            .envs(
                KEPT.iter()
                    .filter_map(|name| Some((name, env::var_os(name)?))),
            )
            .envs(self.settings.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Checks that a folder holds what `init` and `create api` for `AppService` make: a tool that does nothing is fast.
    pub(crate) fn check_project(&self, folder: &Path) -> Result<()> {
        for file in self.init_makes.iter().chain(self.api_makes) {
            ensure!(folder.join(file).is_file(), "it did not make {file}");
        }
        check_kind(folder, "AppService")
    }
}

/// Checks that a project records a kind, which both tools do last.
pub(crate) fn check_kind(folder: &Path, kind: &str) -> Result<()> {
    let project =
        fs::read_to_string(folder.join("PROJECT")).context("cannot read the project's PROJECT")?;
    let line = format!("kind: {kind}");
    ensure!(
        project.lines().any(|found| found.trim() == line),
        "PROJECT does not list {kind}"
    );
    Ok(())
}
