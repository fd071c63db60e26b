//! One API crate of 100 kinds, and its builds.
//!
//! The crates are kept in the cache folder, each with a target folder of its own: their dependencies are built once, and what is
//! timed is the API crate alone. Both take their versions from this repository's Cargo.lock.

use std::{
    env,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use anyhow::{Context, Result, ensure};

use super::{
    kinds::{self, Spelling},
    project::write,
};
use crate::{call::timed, kubebuilder::cache};

/// How many kinds are compiled.
pub(crate) const KINDS: usize = 100;

const MANIFEST: &str = r#"[package]
name = "api"
version = "0.1.0"
edition = "2024"

[dependencies]
DEPENDENCIES
[workspace]

[profile.dev]
debug = "line-tables-only"
"#;

const KUBE: &str = r#"k8s-openapi = { version = "0.29", default-features = false, features = ["schemars", "v1_36"] }
kube = { version = "5", default-features = false, features = ["derive"] }
schemars = "1"
serde = { version = "1", features = ["derive"] }
serde_json = "1"
"#;

const CRD: &str =
    "k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition";

/// An API crate in one spelling.
#[derive(Debug)]
pub(crate) struct Style {
    spelling: Spelling,
    folder: PathBuf,
    revision: usize,
}

impl Style {
    /// Writes the crate.
    pub(crate) fn write(spelling: Spelling) -> Result<Self> {
        let name = format!("compile-{spelling:?}").to_lowercase();
        let style = Self {
            spelling,
            folder: cache()?.join(name),
            revision: 0,
        };
        let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let modules = style.folder.join("src/v1");
        fs::create_dir_all(&modules)
            .with_context(|| format!("cannot make {}", modules.display()))?;
        let lock = repository.join("Cargo.lock");
        fs::copy(&lock, style.folder.join("Cargo.lock"))
            .with_context(|| format!("cannot copy {}", lock.display()))?;
        let dependencies = match spelling {
            Spelling::Kb => kb_dependencies(&repository)?,
            Spelling::Kube | Spelling::Go => KUBE.to_owned(),
        };
        let manifest = MANIFEST.replace("DEPENDENCIES\n", &(dependencies + "\n"));
        write(&style.folder.join("Cargo.toml"), &manifest)?;
        write(&style.folder.join("src/lib.rs"), &style.library())?;
        write(&modules.join("mod.rs"), &modules_file())?;
        for number in 1..=KINDS {
            write(&style.source(number), &spelling.source(number, 0))?;
        }
        Ok(style)
    }

    /// Builds the crate and what it depends on.
    pub(crate) fn prepare(&self) -> Result<()> {
        timed(&mut self.cargo(&["build"]))?;
        Ok(())
    }

    /// The whole crate, its dependencies excepted: nothing of an earlier build of it is used.
    pub(crate) fn build(&self) -> Result<Duration> {
        let kept = self.target().join("debug/incremental");
        if kept.exists() {
            fs::remove_dir_all(&kept)
                .with_context(|| format!("cannot remove {}", kept.display()))?;
        }
        // Newer than what was built of it.
        write(&self.folder.join("src/lib.rs"), &self.library())?;
        self.timed_build()
    }

    /// A build after an edit of one kind.
    pub(crate) fn edit(&mut self) -> Result<Duration> {
        self.revision += 1;
        let number = self.revision % KINDS + 1;
        let source = self.spelling.source(number, self.revision);
        write(&self.source(number), &source)?;
        self.timed_build()
    }

    fn timed_build(&self) -> Result<Duration> {
        let built = || {
            let file = self.target().join("debug/libapi.rlib");
            let modified = fs::metadata(&file).and_then(|about| about.modified());
            modified.with_context(|| format!("cannot look at {}", file.display()))
        };
        let before = built()?;
        let time = timed(&mut self.cargo(&["build", "--offline"]))?;
        ensure!(built()? > before, "cargo built nothing after an edit");
        Ok(time)
    }

    fn cargo(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command
            .args(arguments)
            .current_dir(&self.folder)
            .env("CARGO_TARGET_DIR", self.target())
            .env_remove("CARGO_INCREMENTAL")
            // Set by this repository's settings of cargo, for its own builds.
            .env_remove("K8S_OPENAPI_ENABLED_VERSION");
        command
    }

    fn target(&self) -> PathBuf {
        self.folder.join("target")
    }

    fn source(&self, number: usize) -> PathBuf {
        let module = kinds::module(number);
        self.folder.join(format!("src/v1/{module}.rs"))
    }

    /// The crate's root: the kinds, and the list of their CRDs.
    fn library(&self) -> String {
        let calls = |call: &str| {
            let mut calls = String::new();
            for number in 1..=KINDS {
                let _ = writeln!(calls, "        v1::{}::{call}(),", kinds::kind(number));
            }
            calls
        };
        let (import, root, crds) = match self.spelling {
            Spelling::Kb => (
                "",
                "kb::",
                format!("kb::crds([\n{}    ])", calls("definition")),
            ),
            Spelling::Kube | Spelling::Go => (
                "use kube::CustomResourceExt;\n\n",
                "",
                format!("vec![\n{}    ]", calls("crd")),
            ),
        };
        format!(
            "//! Types that are compiled to see how long it takes.\n\n{import}pub mod v1;\n\n\
             /// The CRDs.\npub fn crds() -> Vec<{root}{CRD}> {{\n    {crds}\n}}\n"
        )
    }
}

fn kb_dependencies(repository: &Path) -> Result<String> {
    let runtime = repository.join("runtime");
    let runtime = runtime
        .canonicalize()
        .with_context(|| format!("cannot find {}", runtime.display()))?;
    Ok(format!(
        "kb-runtime = {{ path = {:?}, features = [\"v1_36\"] }}\n",
        runtime.display().to_string()
    ))
}

fn modules_file() -> String {
    let mut text = "//! The kinds.\n\n".to_owned();
    for number in 1..=KINDS {
        let module = kinds::module(number);
        let _ = writeln!(text, "mod {module};\npub use {module}::*;");
    }
    text
}
