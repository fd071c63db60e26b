//! kubectl as the administrator: builds and applies manifests.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use kb_envtest::Binaries;
use scaffold_tests::{Run, Scenario, skip};
use serde_json::Value;
use tempfile::TempDir;

use crate::test_namespace::TestNamespace;

/// The command with its own kubeconfig and cache.
pub(crate) struct Kubectl {
    program: PathBuf,
    dir: TempDir,
}

impl Kubectl {
    /// Finds it among the binaries of the control plane; skips the test if it is missing.
    pub(crate) fn new(test: &TestNamespace) -> Option<Self> {
        let program = Binaries::find().unwrap().dir().join("kubectl");
        if !program.exists() {
            skip(format_args!("there is no {}", program.display()));
            return None;
        }
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("kubeconfig"), test.environment.kubeconfig()).unwrap();
        Some(Self { program, dir })
    }

    pub(crate) fn program(&self) -> &Path {
        &self.program
    }

    pub(crate) fn kubeconfig(&self) -> PathBuf {
        self.dir.path().join("kubeconfig")
    }

    /// Sets the kubeconfig and cache of a command.
    pub(crate) fn configure(&self, command: &mut Command) {
        command
            .env("KUBECONFIG", self.kubeconfig())
            .env("KUBECACHEDIR", self.dir.path().join("cache"))
            .env("HOME", self.dir.path());
    }

    /// Runs it with documents as its input.
    pub(crate) fn run(&self, arguments: &[&str], documents: &[Value]) -> Run {
        let mut command = Command::new(&self.program);
        self.configure(&mut command);
        let mut child = command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let list = serde_json::json!({"apiVersion": "v1", "kind": "List", "items": documents});
        // It may exit without reading all input.
        let _ = write!(child.stdin.take().unwrap(), "{list}");
        Run::from(child.wait_with_output().unwrap())
    }

    /// Runs it and expects success.
    pub(crate) fn succeed(&self, arguments: &[&str], documents: &[Value]) -> Run {
        let run = self.run(arguments, documents);
        assert_eq!(run.code, Some(0), "kubectl {arguments:?}: {}", run.stderr);
        run
    }

    /// Builds a kustomization.
    pub(crate) fn kustomize(&self, dir: &Path) -> Vec<Value> {
        let run = self.succeed(&["kustomize", dir.to_str().unwrap()], &[]);
        assert_eq!(run.stderr, "", "{}", dir.display());
        serde_saphyr::from_multiple(&run.stdout).unwrap()
    }
}

/// Copies a golden.
pub(crate) fn project(name: &str) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let tree = Scenario::named(name).unwrap().golden_tree().unwrap();
    tree.write(dir.path()).unwrap();
    dir
}

/// Edits a file of a project.
pub(crate) fn edit(project: &Path, file: &str, change: impl Fn(&str) -> String) {
    let path = project.join(file);
    let before = fs::read_to_string(&path).unwrap();
    let after = change(&before);
    assert_ne!(before, after, "{file} did not change");
    fs::write(path, after).unwrap();
}
