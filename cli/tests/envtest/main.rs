//! `kb-rs envtest` as a user calls it: versions from a mirror in a folder or on loopback, and a control plane that really runs.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests start processes, write files and fail"
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
use tempfile::TempDir;

use self::mirror::write_mirror;

/// A machine of its own: a mirror with v1.35.4, v1.36.1 and v1.36.2, an empty cache, and a folder to work in.
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

    /// Fails with 1; gives what it says.
    fn problem(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        assert!(output.stdout.is_empty());
        stderr(&output)
    }

    fn cache(&self) -> PathBuf {
        self.root.path().join("cache")
    }

    fn folder(&self, version: &str) -> PathBuf {
        let platform = kb_envtest::Platform::current().to_string();
        self.cache()
            .join(format!("{version}-{}", platform.replace('/', "-")))
    }

    /// Makes the working folder a project that is compiled for a version of Kubernetes.
    fn make_project(&self, feature: &str) -> PathBuf {
        let project = self.root.path().join("work");
        fs::write(project.join("PROJECT"), "version: \"3\"\n").unwrap();
        let manifest = format!(
            "[dependencies]\nk8s-openapi = {{ version = \"0.29\", features = [\"{feature}\"] }}\n"
        );
        fs::write(project.join("Cargo.toml"), manifest).unwrap();
        project
    }
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn line(path: &Path) -> String {
    format!("{}\n", path.display())
}

#[test]
fn what_is_used_is_what_tests_find() {
    let machine = Machine::new();
    let shown = machine.stdout(&["use"]);
    let newest = machine.folder("v1.36.2");
    assert_eq!(shown, format!("v1.36.2 is in use: {}\n", newest.display()));
    assert_eq!(machine.stdout(&["path"]), line(&newest));

    let older = machine.folder("v1.35.4");
    assert_eq!(machine.stdout(&["use", "1.35", "-p", "path"]), line(&older));
    assert_eq!(
        machine.stdout(&["path"]),
        line(&older),
        "the last that was chosen"
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
fn a_project_gets_the_version_it_is_compiled_for() {
    let machine = Machine::new();
    machine.make_project("v1_35");
    let output = machine.run(&["use", "--output", "json"]);
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["version"], "v1.35.4");
    assert_eq!(document["downloaded"], true);
    let note = "note: v1.35 is the version of k8s-openapi in Cargo.toml";
    assert!(stderr(&output).contains(note), "{}", stderr(&output));
}

#[test]
fn a_project_may_have_versions_of_its_own() {
    let machine = Machine::new();
    let project = machine.make_project("v1_36");
    machine.stdout(&["use"]);
    machine.stdout(&["use", "1.35", "--dir", "bin/k8s"]);
    let own = project
        .join("bin/k8s")
        .join(machine.folder("v1.35.4").file_name().unwrap());
    assert_eq!(machine.stdout(&["path", "--dir", "bin/k8s"]), line(&own));
    // A clone may have brought them: without a name, commands take the user's own, and say so.
    let users = machine.folder("v1.36.2");
    assert_eq!(machine.stdout(&["path"]), line(&users));
    let note = format!("tests that are started here take {}", own.display());
    for arguments in [&["use", "1.36"][..], &["path"]] {
        let output = machine.run(arguments);
        assert!(stderr(&output).contains(&note), "{}", stderr(&output));
    }
}

#[test]
fn an_installed_version_needs_no_index() {
    let machine = Machine::new();
    machine.stdout(&["use", "1.36.1"]);
    fs::remove_file(machine.root.path().join("index.yaml")).unwrap();
    let document: Value =
        serde_json::from_str(&machine.stdout(&["use", "1.36", "--output", "json"])).unwrap();
    assert_eq!(document["version"], "v1.36.1");
    assert_eq!(document["downloaded"], false);
    let listed = machine.stdout(&["list", "--installed-only"]);
    assert!(
        listed.starts_with("v1.36.1   ") && listed.contains("in use"),
        "{listed}"
    );
    let problem = machine.problem(&["use", "latest"]);
    assert!(problem.contains("index.yaml cannot be read"), "{problem}");
    let problem = machine.problem(&["list"]);
    assert!(problem.contains("index.yaml cannot be read"), "{problem}");
}

#[test]
fn the_list_has_what_is_there_and_what_can_be() {
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
fn what_is_missing_is_said_with_what_to_do() {
    let machine = Machine::new();
    let problem = machine.problem(&["path"]);
    assert!(problem.contains("Run `kb-rs envtest use`"), "{problem}");
    let problem = machine.problem(&["path", "1.36"]);
    assert!(
        problem.contains("help: run `kb-rs envtest use v1.36`"),
        "{problem}"
    );
    let problem = machine.problem(&["use", "1.30"]);
    assert!(problem.contains("no v1.30 for"), "{problem}");
    assert!(problem.contains("its newest is v1.36.2"), "{problem}");
    assert_eq!(machine.run(&["use", "newest"]).status.code(), Some(2));
    let output = machine.run(&["use", "1.30", "--output", "json"]);
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["outcome"], "failed");
}

#[test]
fn an_index_may_be_named_in_the_call() {
    let machine = Machine::new();
    let index = machine.root.path().join("bad.yaml");
    fs::write(&index, "no: index").unwrap();
    let problem = machine.problem(&["use", "--index", index.to_str().unwrap()]);
    assert!(
        problem.contains("bad.yaml is not an index of envtest releases"),
        "{problem}"
    );
    assert_eq!(
        machine.run(&["use", "--index", "ftp://host"]).status.code(),
        Some(2)
    );
}

#[test]
fn only_what_was_installed_is_cleaned_up() {
    let machine = Machine::new();
    for version in ["1.35", "1.36.1", "1.36.2"] {
        machine.stdout(&["use", version]);
    }
    let built = machine.folder("v1.34.0-v3.6.1");
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
    assert!(machine.folder("v1.36.2").exists());
    machine.stdout(&["cleanup", "1.36"]);
    assert!(!machine.folder("v1.36.2").exists() && !machine.folder("v1.36.1").exists());
    assert_eq!(machine.stdout(&["path"]), line(&machine.folder("v1.35.4")));

    let problem = machine.problem(&["cleanup", "1.36"]);
    assert!(problem.contains("v1.36 is not installed in"), "{problem}");
    let problem = machine.problem(&["cleanup", "1.34"]);
    assert!(
        problem.contains("was not installed by kb-rs envtest"),
        "{problem}"
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
    assert!(stderr(&output).contains("it stays"), "{}", stderr(&output));
    assert!(built.exists());
    assert!(!machine.folder("v1.35.4").exists());
    assert!(!machine.cache().join(".download-0123.part").exists());
    assert_eq!(machine.stdout(&["path"]), line(&built));
}
