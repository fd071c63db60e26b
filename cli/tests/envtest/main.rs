//! `kb-rs envtest` end to end: versions from a local mirror, and a running control plane.
//!
//! `SNAPSHOTS=overwrite cargo test -p kb-rs --test envtest` rewrites the snapshots.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests start processes, write files and may panic"
)]

mod mirror;
mod resumed;
#[cfg(unix)]
mod running;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use serde_json::Value;
use snapbox::{Data, assert_data_eq, data::DataFormat};
use tempfile::TempDir;

use self::mirror::write_mirror;

/// An isolated home directory: a mirror with v1.35.4, v1.36.1 and v1.36.2, an empty cache, and a working directory.
struct Machine {
    root: TempDir,
}

impl Machine {
    fn new() -> Self {
        let root = TempDir::new().unwrap();
        write_mirror(root.path(), &["v1.35.4", "v1.36.1", "v1.36.2"]);
        fs::create_dir(root.path().join("work")).unwrap();
        Self { root }
    }

    fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kb-rs"));
        for variable in ["KUBEBUILDER_ASSETS", "XDG_DATA_HOME", "LOCALAPPDATA"] {
            command.env_remove(variable);
        }
        command
            .arg("envtest")
            .current_dir(self.root.path().join("work"))
            .env("HOME", self.root.path())
            .env("KB_CONTROL_PLANE_DIR", self.cache())
            .env("KB_ENVTEST_INDEX", self.root.path().join("index.yaml"));
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command().args(arguments).output().unwrap()
    }

    fn stdout(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{}", stderr(&output));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs a command that fails, and returns its redacted standard error.
    fn problem(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        assert!(output.stdout.is_empty());
        self.redacted(&output)
    }

    /// Returns the standard error with the platform and the paths of this machine replaced.
    fn redacted(&self, output: &Output) -> String {
        let platform = kb_envtest::Platform::current().to_string();
        stderr(output)
            .replace(&self.root.path().display().to_string(), "ROOT")
            .replace(&platform, "PLATFORM")
            .replace(&platform.replace('/', "-"), "PLATFORM")
    }

    fn cache(&self) -> PathBuf {
        self.root.path().join("cache")
    }

    fn dir(&self, version: &str) -> PathBuf {
        let platform = kb_envtest::Platform::current().to_string();
        self.cache()
            .join(format!("{version}-{}", platform.replace('/', "-")))
    }

    /// Creates a project with a feature of k8s-openapi in the working directory.
    fn create_project(&self, feature: &str) -> PathBuf {
        let project = self.root.path().join("work");
        fs::write(project.join("PROJECT"), "version: \"3\"\n").unwrap();
        let manifest = format!(
            "[dependencies]\nk8s-openapi = {{ version = \"0.29\", features = [\"{feature}\"] }}\n"
        );
        fs::write(project.join("Cargo.toml"), manifest).unwrap();
        project
    }
}

/// Compares text with a snapshot file.
#[track_caller]
fn assert_snapshot(name: &str, text: impl Into<String>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots/envtest");
    let snapshot = Data::read_from(&path.join(format!("{name}.txt")), Some(DataFormat::Text));
    assert_data_eq!(text.into(), snapshot.raw());
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn line(path: &Path) -> String {
    format!("{}\n", path.display())
}

#[test]
fn path_returns_the_version_in_use() {
    let machine = Machine::new();
    machine.stdout(&["use"]);
    let newest = machine.dir("v1.36.2");
    assert_eq!(machine.stdout(&["path"]), line(&newest));

    let older = machine.dir("v1.35.4");
    assert_eq!(machine.stdout(&["use", "1.35", "-p", "path"]), line(&older));
    assert_eq!(
        machine.stdout(&["path"]),
        line(&older),
        "the version chosen last"
    );
    assert_eq!(machine.stdout(&["path", "1.36.x"]), line(&newest));
    let shown = machine.stdout(&["use", "v1.36.2", "--print", "env", "--quiet"]);
    assert_eq!(
        shown,
        format!("export KUBEBUILDER_ASSETS={}\n", newest.display())
    );
    assert_eq!(machine.stdout(&["path"]), line(&newest));
}

#[test]
fn use_defaults_to_the_kubernetes_version_of_the_project() {
    let machine = Machine::new();
    machine.create_project("v1_35");
    let output = machine.run(&["use", "--output", "json"]);
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["version"], "v1.35.4");
    assert_eq!(document["downloaded"], true);
    assert_snapshot("k8s_openapi_version", machine.redacted(&output));
}

#[test]
fn a_directory_of_the_project_is_used_on_request_only() {
    let machine = Machine::new();
    let project = machine.create_project("v1_36");
    machine.stdout(&["use"]);
    machine.stdout(&["use", "1.35", "--dir", "bin/k8s"]);
    let own = project
        .join("bin/k8s")
        .join(machine.dir("v1.35.4").file_name().unwrap());
    assert_eq!(machine.stdout(&["path", "--dir", "bin/k8s"]), line(&own));
    // It may come from a hostile clone, so commands default to the user's cache, with a note.
    let users = machine.dir("v1.36.2");
    assert_eq!(machine.stdout(&["path"]), line(&users));
    let output = machine.run(&["use", "1.36"]);
    assert_snapshot("use_with_project_dir", machine.redacted(&output));
    let output = machine.run(&["path"]);
    assert_snapshot("path_with_project_dir", machine.redacted(&output));
}

#[test]
fn an_installed_version_does_not_require_the_index() {
    let machine = Machine::new();
    machine.stdout(&["use", "1.36.1"]);
    fs::remove_file(machine.root.path().join("index.yaml")).unwrap();
    let document: Value =
        serde_json::from_str(&machine.stdout(&["use", "1.36", "--output", "json"])).unwrap();
    assert_eq!(document["version"], "v1.36.1");
    assert_eq!(document["downloaded"], false);
    machine.stdout(&["list", "--installed-only"]);
    let problem = machine.problem(&["use", "latest"]);
    assert_snapshot("missing_index", &problem);
    assert_eq!(machine.problem(&["list"]), problem);
}

#[test]
fn lists_installed_and_available_versions() {
    let machine = Machine::new();
    machine.stdout(&["use", "1.36.1"]);
    machine.stdout(&["use", "1.35"]);
    let states = |arguments: &[&str]| -> Vec<String> {
        let document: Value = serde_json::from_str(&machine.stdout(arguments)).unwrap();
        let rows = document["versions"].as_array().unwrap();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        rows.iter()
            .map(|row| format!("{} {}", text(&row["version"]), text(&row["state"])))
            .collect()
    };
    let all = ["v1.36.2 available", "v1.36.1 installed", "v1.35.4 in-use"];
    assert_eq!(states(&["list", "--output", "json"]), all);
    assert_eq!(
        states(&["list", "--installed-only", "--output", "json"]),
        all[1..]
    );
    let other = states(&["list", "--platform", "plan9/mips", "--output", "json"]);
    assert_eq!(other, ["v1.36.2 available"]);
    assert_eq!(
        states(&["list", "--platform", "all", "--output", "json"]).len(),
        4
    );
    assert_eq!(
        machine.run(&["list", "--platform", "linux"]).status.code(),
        Some(2)
    );
}

#[test]
fn reports_missing_versions() {
    let machine = Machine::new();
    assert_snapshot("nothing_installed", machine.problem(&["path"]));
    assert_snapshot("version_not_installed", machine.problem(&["path", "1.36"]));
    assert_snapshot(
        "version_not_in_the_index",
        machine.problem(&["use", "1.30"]),
    );
    assert_eq!(machine.run(&["use", "newest"]).status.code(), Some(2));
    let output = machine.run(&["use", "1.30", "--output", "json"]);
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["outcome"], "failed");
}

#[test]
fn accepts_another_index() {
    let machine = Machine::new();
    let index = machine.root.path().join("bad.yaml");
    fs::write(&index, "no: index").unwrap();
    let problem = machine.problem(&["use", "--index", index.to_str().unwrap()]);
    assert_snapshot("invalid_index", problem);
    assert_eq!(
        machine.run(&["use", "--index", "ftp://host"]).status.code(),
        Some(2)
    );
}

#[test]
fn cleanup_removes_installed_versions_only() {
    let machine = Machine::new();
    for version in ["1.35", "1.36.1", "1.36.2"] {
        machine.stdout(&["use", version]);
    }
    let built = machine.dir("v1.34.0-v3.6.1");
    fs::create_dir(&built).unwrap();
    for name in ["etcd", "kube-apiserver"] {
        fs::write(
            built.join(format!("{name}{}", std::env::consts::EXE_SUFFIX)),
            "",
        )
        .unwrap();
    }
    let shown = machine.stdout(&["cleanup", "1.36", "--dry-run"]);
    assert_eq!(shown.lines().count(), 2, "{shown}");
    assert!(machine.dir("v1.36.2").exists());
    machine.stdout(&["cleanup", "1.36"]);
    assert!(!machine.dir("v1.36.2").exists() && !machine.dir("v1.36.1").exists());
    assert_eq!(machine.stdout(&["path"]), line(&machine.dir("v1.35.4")));

    assert_snapshot(
        "cleanup_of_a_missing_version",
        machine.problem(&["cleanup", "1.36"]),
    );
    assert_snapshot(
        "cleanup_of_a_built_version",
        machine.problem(&["cleanup", "1.34"]),
    );
    for arguments in [
        &["cleanup"][..],
        &["cleanup", "latest"],
        &["cleanup", "--all", "1.36"],
    ] {
        assert_eq!(
            machine.run(arguments).status.code(),
            Some(2),
            "{arguments:?}"
        );
    }

    fs::write(machine.cache().join(".download-0123.part"), "").unwrap();
    let output = machine.run(&["cleanup", "--all"]);
    assert_snapshot("cleanup_keeps_built_versions", machine.redacted(&output));
    assert!(built.exists());
    assert!(!machine.dir("v1.35.4").exists());
    assert!(!machine.cache().join(".download-0123.part").exists());
    assert_eq!(machine.stdout(&["path"]), line(&built));
}
