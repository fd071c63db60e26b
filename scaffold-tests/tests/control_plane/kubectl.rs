//! kubectl, as a user has it: it builds what is deployed, and applies it as the administrator.

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

use crate::place::Place;

/// The command, with a kubeconfig and a cache of its own.
pub(crate) struct Kubectl {
    program: PathBuf,
    folder: TempDir,
}

impl Kubectl {
    /// None, loudly, if it is not among the control plane's binaries.
    pub(crate) fn new(place: &Place) -> Option<Self> {
        let program = Binaries::find().unwrap().folder().join("kubectl");
        if !program.exists() {
            skip(format_args!("there is no {}", program.display()));
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        fs::write(
            folder.path().join("kubeconfig"),
            place.environment.kubeconfig(),
        )
        .unwrap();
        Some(Self { program, folder })
    }

    pub(crate) fn program(&self) -> &Path {
        &self.program
    }

    pub(crate) fn kubeconfig(&self) -> PathBuf {
        self.folder.path().join("kubeconfig")
    }

    /// Gives a process the kubeconfig, and a folder for what kubectl remembers.
    pub(crate) fn lend(&self, command: &mut Command) {
        command
            .env("KUBECONFIG", self.kubeconfig())
            .env("KUBECACHEDIR", self.folder.path().join("cache"))
            .env("HOME", self.folder.path());
    }

    /// Runs it with these documents as its input.
    pub(crate) fn run(&self, arguments: &[&str], documents: &[Value]) -> Run {
        let mut command = Command::new(&self.program);
        self.lend(&mut command);
        let mut child = command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let list = serde_json::json!({"apiVersion": "v1", "kind": "List", "items": documents});
        // It may end without having read all.
        let _ = write!(child.stdin.take().unwrap(), "{list}");
        Run::from(child.wait_with_output().unwrap())
    }

    /// Runs it, and expects that it succeeds.
    pub(crate) fn succeed(&self, arguments: &[&str], documents: &[Value]) -> Run {
        let run = self.run(arguments, documents);
        assert_eq!(run.code, Some(0), "kubectl {arguments:?}: {}", run.stderr);
        run
    }

    /// What it builds from a folder.
    pub(crate) fn kustomize(&self, folder: &Path) -> Vec<Value> {
        let run = self.succeed(&["kustomize", folder.to_str().unwrap()], &[]);
        assert_eq!(run.stderr, "", "{}", folder.display());
        serde_saphyr::from_multiple(&run.stdout).unwrap()
    }
}

/// A copy of a golden, to be changed.
pub(crate) fn project(name: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let tree = Scenario::named(name).unwrap().golden_tree().unwrap();
    tree.write(folder.path()).unwrap();
    folder
}

/// Changes a file of a project, as a user would with an editor.
pub(crate) fn edit(project: &Path, file: &str, change: impl Fn(&str) -> String) {
    let path = project.join(file);
    let before = fs::read_to_string(&path).unwrap();
    let after = change(&before);
    assert_ne!(before, after, "{file} is as it was");
    fs::write(path, after).unwrap();
}
