//! A small project with an API crate, written by hand: no template is part of these tests.

use std::{
    fs,
    path::{Path, PathBuf},
    time::SystemTime,
};

use scaffold_tests::{KbRs, Run};
use tempfile::TempDir;

/// Where the list for kustomize is.
pub(crate) const LIST: &str = "config/crd/kustomization.yaml";

/// Where the role is.
pub(crate) const ROLE: &str = "config/rbac/role.yaml";

/// The line that marks a generated file.
pub(crate) const MARK: &str =
    "# Made by kb-rs generate. Do not edit: change the Rust code instead.\n";

/// A project in a folder of its own.
pub(crate) struct Project {
    folder: TempDir,
}

impl Project {
    /// With these kinds.
    pub(crate) fn new(kinds: &[&str]) -> Self {
        let project = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        project.write(
            "PROJECT",
            "domain: example.com\nlayout:\n- rust.kb-rs.dev/v1\nprojectName: demo\nversion: \"3\"\n",
        );
        project.write(
            "Cargo.toml",
            "[workspace]\nmembers = [\"api\"]\nresolver = \"3\"\n",
        );
        project.write(
            "api/Cargo.toml",
            "[package]\nname = \"demo-api\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\nkb = { package = \"kb-runtime\", version = \"0.1\" }\n",
        );
        project.write(LIST, "resources:\n# +kb:scaffold:crds\n");
        for kind in kinds {
            project.kind(kind, "What it asks for.");
        }
        project.list_kinds(kinds);
        project
    }

    /// Writes the file of a kind, with a doc comment.
    pub(crate) fn kind(&self, kind: &str, docs: &str) {
        let text = format!(
            "//! A kind.\n\n/// {docs}\n#[kb::resource(group = \"batch.example.com\", version = \"v1\", kind = \"{kind}\")]\npub struct {kind}Spec {{\n    /// How many.\n    pub replicas: Option<i32>,\n}}\n"
        );
        self.write(&source(kind), &text);
    }

    /// Writes the list of kinds.
    pub(crate) fn list_kinds(&self, kinds: &[&str]) {
        let modules: Vec<String> = kinds
            .iter()
            .map(|kind| format!("pub mod {};\n", kind.to_lowercase()))
            .collect();
        let entries: Vec<String> = kinds
            .iter()
            .map(|kind| format!("        {}::{kind}::definition(),\n", kind.to_lowercase()))
            .collect();
        let text = format!(
            "//! The API.\n\nuse kb::CrdDefinition;\n\n{}\n/// The kinds.\npub fn definitions() -> Vec<CrdDefinition> {{\n    vec![\n{}    ]\n}}\n",
            modules.concat(),
            entries.concat()
        );
        self.write("api/src/lib.rs", &text);
    }

    /// Writes a file.
    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// The text of a file.
    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Whether there is such a file.
    pub(crate) fn has(&self, path: &str) -> bool {
        self.path(path).exists()
    }

    /// When a file was written last.
    pub(crate) fn modified(&self, path: &str) -> SystemTime {
        fs::metadata(self.path(path)).unwrap().modified().unwrap()
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.root().join(path)
    }

    pub(crate) fn root(&self) -> &Path {
        self.folder.path()
    }

    /// Runs a command that must succeed.
    #[track_caller]
    pub(crate) fn succeed(&self, command: &str) -> Run {
        kb_rs().succeed(self.root(), command)
    }

    /// Runs a command that must fail, say all of `expected` and write nothing.
    #[track_caller]
    pub(crate) fn refused(&self, command: &str, code: i32, expected: &[&str]) -> Run {
        kb_rs().refused(self.root(), command, code, expected)
    }
}

/// The file of a kind in the API crate.
pub(crate) fn source(kind: &str) -> String {
    format!("api/src/{}.rs", kind.to_lowercase())
}

/// The CRD of a kind.
pub(crate) fn base(kind: &str) -> String {
    format!(
        "config/crd/bases/batch.example.com_{}s.yaml",
        kind.to_lowercase()
    )
}

pub(crate) fn kb_rs() -> KbRs {
    KbRs::at(env!("CARGO_BIN_EXE_kb-rs-under-test"))
}
