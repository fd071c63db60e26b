//! Runs cargo on scaffolded projects: copies of the goldens below the target directory, with one shared target directory and Cargo.lock.

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    sync::{Mutex, PoisonError},
    time::Instant,
};

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use serde_json::Value;

use crate::{KbRs, Run, Scenario, Tree, scenario::package};

const SCRATCH_WORKSPACE: &str = "[workspace]\nresolver = \"3\"\nmembers = [\"api\"]\n";
const SCRATCH_PROJECT: &str =
    "domain: example.com\nlayout:\n- rust.kb-rs.dev/v1\nprojectName: scratch\nversion: \"3\"\n";
const SCRATCH_API: &str = r#"[package]
name = "NAME-api"
version = "0.1.0"
edition = "2024"

[dependencies]
kb = { package = "kb-runtime", version = "0.1", features = ["v1_36"] }
serde = "1"
"#;
const SCRATCH_CRDGEN: &str = "//! Prints the CRDs.\n\nfn main() -> std::process::ExitCode {\n    kb::crdgen(NAME_api::definitions())\n}\n";

/// Whether the directory is prepared: tests of one program run in parallel, and preparation removes files of other tests.
static IS_PREPARED: Mutex<bool> = Mutex::new(false);

/// A directory in which scaffolded projects are built.
#[derive(Debug)]
pub struct Cargo {
    root: PathBuf,
}

impl Cargo {
    /// Prepares the directory. It is kept between runs, so that only changes are built again.
    pub fn new() -> Result<Self> {
        // Test binaries are in TARGET/debug/deps.
        let binary = env::current_exe()?;
        let target = binary
            .ancestors()
            .nth(3)
            .context("the test is in a target directory")?;
        let root = target.join("generated");
        let mut is_prepared = IS_PREPARED.lock().unwrap_or_else(PoisonError::into_inner);
        if *is_prepared {
            return Ok(Self { root });
        }
        Tree::read(&package().join("fixtures"))?.write(&root.join("fixtures"))?;
        // Clippy and rustfmt search parent directories for settings: those of this repository do not apply.
        for settings in ["clippy.toml", "rustfmt.toml"] {
            fs::write(root.join(settings), "")?;
        }
        // Goldens depend on published versions of kb's crates; use those of this checkout.
        let patched = |(name, dir)| {
            let path = package().with_file_name(dir);
            format!("{name} = {{ path = '{}' }}\n", path.display())
        };
        let crates = [("kb-envtest", "envtest"), ("kb-runtime", "runtime")];
        let patch = format!("[patch.crates-io]\n{}", crates.map(patched).concat());
        fs::create_dir_all(root.join(".cargo"))?;
        fs::write(root.join(".cargo/config.toml"), patch)?;
        *is_prepared = true;
        Ok(Self { root })
    }

    /// Copies the golden of a scenario into the directory `name`. Returns its path.
    pub fn project(&self, scenario: &Scenario, name: &str) -> Result<PathBuf> {
        self.write_project(&scenario.golden_tree()?, name)
    }

    /// Writes a project into the directory `name` and returns its path. Unchanged files are not touched.
    pub(crate) fn write_project(&self, project: &Tree, name: &str) -> Result<PathBuf> {
        let dir = self.root.join("projects").join(name);
        let lock = fs::read_to_string(dir.join("Cargo.lock"));
        project.write(&dir)?;
        if let Ok(lock) = lock {
            fs::write(dir.join("Cargo.lock"), lock)?;
        }
        pin_dependencies(&dir)?;
        Ok(dir)
    }

    /// Returns the copy of a fixture that is a project.
    pub fn fixture(&self, name: &str) -> Result<PathBuf> {
        let dir = self.root.join("fixtures").join(name);
        pin_dependencies(&dir)?;
        Ok(dir)
    }

    /// Creates a project `name` with an API crate that consists of these files below `src`.
    pub fn scratch(&self, name: &str, sources: &[(String, String)]) -> Result<PathBuf> {
        let dir = self.root.join("scratch").join(name);
        let manifests = [
            ("Cargo.toml", SCRATCH_WORKSPACE.to_owned()),
            ("PROJECT", SCRATCH_PROJECT.to_owned()),
            ("api/Cargo.toml", SCRATCH_API.replace("NAME", name)),
            (
                "api/src/bin/crdgen.rs",
                SCRATCH_CRDGEN.replace("NAME", name),
            ),
        ];
        let manifests = manifests.map(|(path, text)| (path.to_owned(), text));
        let sources = sources.iter().cloned();
        let sources = sources.map(|(path, text)| (format!("api/src/{path}"), text));
        let lock = fs::read_to_string(dir.join("Cargo.lock"));
        let lock = lock.map(|text| ("Cargo.lock".to_owned(), text));
        let files = manifests.into_iter().chain(sources).chain(lock);
        files.collect::<Tree>().write(&dir)?;
        pin_dependencies(&dir)?;
        Ok(dir)
    }

    /// Runs `cargo` in `dir` with the output of the test. Its failure is an error.
    pub fn run(&self, dir: &Path, arguments: &[&str]) -> Result<()> {
        let started = Instant::now();
        let status = self
            .command(dir, arguments)
            .status()
            .context("cargo starts")?;
        ensure!(
            status.success(),
            "`cargo {}` failed in {}",
            arguments.join(" "),
            dir.display()
        );
        eprintln!(
            "cargo {} took {:.1} s",
            arguments.join(" "),
            started.elapsed().as_secs_f32()
        );
        Ok(())
    }

    /// Runs `cargo` in `dir` and returns its standard output.
    pub fn output(&self, dir: &Path, arguments: &[&str]) -> Result<String> {
        let output = self
            .command(dir, arguments)
            .output()
            .context("cargo starts")?;
        let errors = String::from_utf8_lossy(&output.stderr);
        ensure!(
            output.status.success(),
            "`cargo {}` failed:\n{errors}",
            arguments.join(" ")
        );
        Ok(String::from_utf8(output.stdout)?)
    }

    fn command(&self, dir: &Path, arguments: &[&str]) -> Command {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = self.program(Path::new(&cargo), dir);
        command.args(arguments);
        command
    }

    /// Returns the CRDs of a project by kind: `kb-rs generate crd --stdout` with more arguments.
    pub fn crds(&self, project: &Path, arguments: &[&str]) -> Result<BTreeMap<String, Value>> {
        let mut command = self.program(KbRs::new().path(), project);
        command
            .args(["generate", "crd", "--stdout"])
            .args(arguments);
        let run = Run::of(command);
        ensure!(run.code == Some(0), "{arguments:?}: {run}");
        let is_built = run.stderr.contains("crdgen");
        let must_build = arguments.contains(&"--build");
        ensure!(
            is_built == must_build,
            "crdgen was built: {is_built}\n{run}"
        );
        let documents: Vec<Value> = serde_saphyr::from_multiple(&run.stdout)?;
        let again = serde_yaml::Deserializer::from_str(&run.stdout);
        let again: Vec<Value> = again.map(Value::deserialize).collect::<Result<_, _>>()?;
        ensure!(
            documents == again,
            "serde_yaml reads other documents\n{run}"
        );
        let kind = |document: &Value| {
            document["spec"]["names"]["kind"]
                .as_str()
                .map(str::to_owned)
        };
        let crds = documents
            .into_iter()
            .map(|document| Some((kind(&document)?, document)));
        crds.collect::<Option<_>>().context("a CRD without a kind")
    }

    /// Returns the directory of the k8s-openapi that scaffolded projects depend on. `name` is unique to the test.
    pub fn k8s_openapi(&self, name: &str) -> Result<PathBuf> {
        let project = self.project(&Scenario::named("minimal")?, name)?;
        let metadata = self.output(&project, &["metadata", "--format-version", "1"])?;
        let metadata: Value = serde_json::from_str(&metadata)?;
        let mut packages = metadata["packages"].as_array().into_iter().flatten();
        let package = packages.find(|package| package["name"] == "k8s-openapi");
        let manifest = package.and_then(|package| package["manifest_path"].as_str());
        let dir = manifest.and_then(|manifest| Path::new(manifest).parent());
        Ok(dir.context("no k8s-openapi")?.to_owned())
    }

    /// Returns the path of a program that `cargo build` built in any project.
    pub fn built(&self, name: &str) -> PathBuf {
        let program = format!("{name}{}", env::consts::EXE_SUFFIX);
        self.root.join("target/debug").join(program)
    }

    /// Returns the directory in which `kb-envtest` records the calls of operators, one directory per package.
    pub fn calls(&self) -> PathBuf {
        self.root.join("target/kb-rs/calls")
    }

    /// Returns a command in `dir` for a program that runs cargo.
    pub fn program(&self, program: &Path, dir: &Path) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(dir)
            .env("CARGO_TARGET_DIR", self.root.join("target"))
            // Settings of this checkout and of the outer cargo do not apply.
            .env("K8S_OPENAPI_ENABLED_VERSION", "")
            .env_remove("RUSTFLAGS");
        // Random types are not linted.
        if !dir.starts_with(self.root.join("scratch")) {
            // Lints during the build: `cargo clippy -- -D warnings` would build all dependencies again.
            command
                .env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver")
                .env("CLIPPY_ARGS", "-D__CLIPPY_HACKERY__warnings");
        }
        for (variable, _) in env::vars_os() {
            let name = variable.to_string_lossy();
            // Build scripts read them, and would run again whenever another test starts cargo.
            if name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_") {
                command.env_remove(&variable);
            }
        }
        command
    }
}

/// Pins the dependencies of a project to those of the goldens, unless it has a Cargo.lock.
fn pin_dependencies(dir: &Path) -> Result<()> {
    let lock = dir.join("Cargo.lock");
    if !lock.exists() {
        fs::copy(package().join("goldens.lock"), &lock)?;
    }
    Ok(())
}
