//! Runs cargo on generated projects: copies of the goldens below the target folder, with one target folder and one Cargo.lock for all.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    sync::{Mutex, PoisonError},
    time::Instant,
};

use anyhow::{Context, Result, ensure};

use crate::{Run, Scenario, Tree, scenario::package};

const SCRATCH_WORKSPACE: &str = "[workspace]\nresolver = \"3\"\nmembers = [\"api\"]\n";
const SCRATCH_RECORD: &str =
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

/// Whether the folder has been prepared: tests of one program run at once, and preparing it removes what others have put there.
static MADE: Mutex<bool> = Mutex::new(false);

/// A folder in which generated projects are built.
#[derive(Debug)]
pub struct Cargo {
    root: PathBuf,
}

impl Cargo {
    /// The folder, kept between runs so that only what changed is built again.
    pub fn new() -> Result<Self> {
        // Test binaries are in TARGET/debug/deps.
        let binary = env::current_exe()?;
        let target = binary
            .ancestors()
            .nth(3)
            .context("the test is in a target folder")?;
        let root = target.join("generated");
        let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
        if *made {
            return Ok(Self { root });
        }
        Tree::read(&package().join("fixtures"))?.write(&root.join("fixtures"))?;
        // Clippy and rustfmt look for their settings in the folders above: ours are not the generated projects'.
        for settings in ["clippy.toml", "rustfmt.toml"] {
            fs::write(root.join(settings), "")?;
        }
        // A golden names kb's crates by their version; here they are those of this checkout.
        let patched = |(name, folder)| {
            let path = package().with_file_name(folder);
            format!("{name} = {{ path = '{}' }}\n", path.display())
        };
        let crates = [("kb-envtest", "envtest"), ("kb-runtime", "runtime")];
        let patch = format!("[patch.crates-io]\n{}", crates.map(patched).concat());
        fs::create_dir_all(root.join(".cargo"))?;
        fs::write(root.join(".cargo/config.toml"), patch)?;
        *made = true;
        Ok(Self { root })
    }

    /// Copies a scenario's golden; gives the copy's folder, which is called `name`.
    pub fn project(&self, scenario: &Scenario, name: &str) -> Result<PathBuf> {
        self.place(&scenario.golden_tree()?, name)
    }

    /// Writes a project into the folder of this name, and gives that folder. What is right already is not touched.
    pub(crate) fn place(&self, project: &Tree, name: &str) -> Result<PathBuf> {
        let folder = self.root.join("projects").join(name);
        let lock = folder.join("Cargo.lock");
        let kept = fs::read_to_string(&lock).ok();
        project.write(&folder)?;
        let pinned = fs::read_to_string(package().join("goldens.lock"))?;
        fs::write(&lock, kept.unwrap_or(pinned))?;
        Ok(folder)
    }

    /// The copy of a fixture that is a project.
    pub fn fixture(&self, name: &str) -> Result<PathBuf> {
        let folder = self.root.join("fixtures").join(name);
        let lock = folder.join("Cargo.lock");
        if !lock.exists() {
            fs::copy(package().join("goldens.lock"), &lock)?;
        }
        Ok(folder)
    }

    /// A project with an API crate that has no types yet, for tests that write them.
    pub fn scratch(&self, folder: &str, name: &str) -> Result<PathBuf> {
        let folder = self.root.join("scratch").join(folder);
        if folder.join("api/src").exists() {
            fs::remove_dir_all(folder.join("api/src"))?;
        }
        fs::create_dir_all(folder.join("api/src/bin"))?;
        let files = [
            ("Cargo.toml", SCRATCH_WORKSPACE.to_owned()),
            ("PROJECT", SCRATCH_RECORD.to_owned()),
            ("api/Cargo.toml", SCRATCH_API.replace("NAME", name)),
            (
                "api/src/bin/crdgen.rs",
                SCRATCH_CRDGEN.replace("NAME", name),
            ),
            (
                "Cargo.lock",
                fs::read_to_string(package().join("goldens.lock"))?,
            ),
        ];
        for (path, text) in files {
            if path != "Cargo.lock" || !folder.join(path).exists() {
                fs::write(folder.join(path), text)?;
            }
        }
        Ok(folder)
    }

    /// Runs `cargo` in a folder; its output goes to the test's, its failure is an error that names the command.
    pub fn run(&self, folder: &Path, arguments: &[&str]) -> Result<()> {
        let started = Instant::now();
        let status = self
            .command(folder, arguments)
            .status()
            .context("cargo starts")?;
        ensure!(
            status.success(),
            "`cargo {}` failed in {}",
            arguments.join(" "),
            folder.display()
        );
        eprintln!(
            "cargo {} took {:.1} s",
            arguments.join(" "),
            started.elapsed().as_secs_f32()
        );
        Ok(())
    }

    /// Runs `cargo` in a folder and gives its standard output.
    pub fn output(&self, folder: &Path, arguments: &[&str]) -> Result<String> {
        let output = self
            .command(folder, arguments)
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

    fn command(&self, folder: &Path, arguments: &[&str]) -> Command {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = self.program(Path::new(&cargo), folder);
        command.args(arguments);
        command
    }

    /// What `kb-rs generate crd --stdout` prints for a project, with more arguments; its failure is an error with what it said.
    pub fn crds(&self, kb_rs: &str, project: &Path, arguments: &[&str]) -> Result<Run> {
        let output = self
            .program(Path::new(kb_rs), project)
            .args(["generate", "crd", "--stdout"])
            .args(arguments)
            .output()
            .context("kb-rs starts")?;
        let run = Run::from(output);
        ensure!(run.code == Some(0), "{arguments:?}: {}", run.stderr);
        Ok(run)
    }

    /// A program that `cargo build` has made, of whichever project.
    pub fn built(&self, name: &str) -> PathBuf {
        let program = format!("{name}{}", env::consts::EXE_SUFFIX);
        self.root.join("target/debug").join(program)
    }

    /// Where `kb-envtest` records the calls of operators under test, in a folder for each package.
    pub fn calls(&self) -> PathBuf {
        self.root.join("target/kb-rs/calls")
    }

    /// A program that runs cargo on a generated project itself.
    pub fn program(&self, program: &Path, folder: &Path) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(folder)
            .env("CARGO_TARGET_DIR", self.root.join("target"))
            // Settings of this checkout, and of the cargo that runs this test, are not the generated project's.
            .env("K8S_OPENAPI_ENABLED_VERSION", "")
            .env_remove("RUSTFLAGS");
        // Types that tests make up are not linted.
        if !folder.starts_with(self.root.join("scratch")) {
            // Lints while it builds, as `cargo clippy -- -D warnings` would in a build of its own with all dependencies.
            command
                .env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver")
                .env("CLIPPY_ARGS", "-D__CLIPPY_HACKERY__warnings");
        }
        for (variable, _) in env::vars_os() {
            let name = variable.to_string_lossy();
            // Build scripts look at them, and would run again whenever another test starts cargo.
            if name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_") {
                command.env_remove(&variable);
            }
        }
        command
    }
}
