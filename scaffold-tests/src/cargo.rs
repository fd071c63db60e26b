//! Runs cargo on generated projects: copies of the goldens below the target folder, with one target folder and one Cargo.lock for all.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    time::Instant,
};

use anyhow::{Context, Result, ensure};

use crate::{Scenario, Tree, scenario::package};

/// Whether a check that cannot run has to fail instead of being skipped.
pub fn in_ci() -> bool {
    env::var_os("CI").is_some_and(|value| value == "true")
}

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
        Tree::read(&package().join("fixtures"))?.write(&root.join("fixtures"))?;
        // Clippy and rustfmt look for their settings in the folders above: ours are not the generated projects'.
        for settings in ["clippy.toml", "rustfmt.toml"] {
            fs::write(root.join(settings), "")?;
        }
        Ok(Self { root })
    }

    /// Copies a scenario's golden; gives the copy's folder, which is called `name`.
    pub fn project(&self, scenario: &Scenario, name: &str) -> Result<PathBuf> {
        let folder = self.root.join("projects").join(name);
        let lock = folder.join("Cargo.lock");
        let kept = fs::read_to_string(&lock).ok();
        scenario.golden_tree()?.write(&folder)?;
        let pinned = fs::read_to_string(package().join("goldens.lock"))?;
        fs::write(&lock, kept.unwrap_or(pinned))?;
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
        let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command
            .args(arguments)
            .current_dir(folder)
            .env("CARGO_TARGET_DIR", self.root.join("target"))
            // Variables of the cargo that runs this test are not the generated project's.
            .env_remove("CARGO_MANIFEST_DIR")
            .env_remove("RUSTFLAGS");
        command
    }
}
