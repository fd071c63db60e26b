//! A project of many kinds, in Rust or in Go, that grows and is edited.
//!
//! The Rust one is made by `kb-rs init` and `kb-rs create api`, without controllers, and each kind's file is then overwritten. The Go one
//! is the API package alone as Kubebuilder scaffolds it, deepcopy code included: no controllers, whose imports would cost
//! controller-gen much more.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, ensure};
use tempfile::TempDir;

use super::kinds::{self, Spelling};
use crate::{call::timed, tool::Tool};

const GO_MOD: &str = "\
module example.com/demo

go 1.26.0

require k8s.io/apimachinery v0.36.3
";

/// A project on disk.
#[derive(Debug)]
pub(crate) struct Project {
    folder: TempDir,
    spelling: Spelling,
    kinds: usize,
    revision: usize,
}

impl Project {
    /// An empty Rust project.
    pub(crate) fn rust(kb_rs: &Tool) -> Result<Self> {
        let project = Self::new(Spelling::Kb)?;
        let arguments = ["init", "--domain", "example.com", "--project-name", "demo"];
        timed(&mut kb_rs.command(project.folder(), &[], &arguments))?;
        Ok(project)
    }

    /// An empty Go project.
    pub(crate) fn go() -> Result<Self> {
        let project = Self::new(Spelling::Go)?;
        let package = project.folder().join("api/v1");
        fs::create_dir_all(&package).context("cannot make the Go package")?;
        write(&project.folder().join("go.mod"), GO_MOD)?;
        write(
            &package.join("groupversion_info.go"),
            kinds::GROUP_VERSION_GO,
        )?;
        Ok(project)
    }

    fn new(spelling: Spelling) -> Result<Self> {
        Ok(Self {
            folder: TempDir::new().context("cannot make a temporary folder")?,
            spelling,
            kinds: 0,
            revision: 0,
        })
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Adds kinds to the Rust project until it has `kinds`.
    pub(crate) fn grow_rust(&mut self, kb_rs: &Tool, kinds: usize) -> Result<()> {
        for number in self.kinds + 1..=kinds {
            let kind = kinds::kind(number);
            let arguments = [
                "create",
                "api",
                "--group=batch",
                "--version=v1",
                "--resource",
                "--controller=false",
                "--kind",
                &kind,
            ];
            timed(&mut kb_rs.command(self.folder(), &[], &arguments))?;
            let file = self.source(number);
            ensure!(
                file.is_file(),
                "`create api` did not make {}",
                file.display()
            );
            write(&file, &self.spelling.source(number, 0))?;
        }
        self.kinds = kinds;
        Ok(())
    }

    /// Adds kinds to the Go project until it has `kinds`, and their deepcopy code.
    pub(crate) fn grow_go(&mut self, go: &Tool, controller_gen: &Tool, kinds: usize) -> Result<()> {
        let first = self.kinds == 0;
        for number in self.kinds + 1..=kinds {
            write(&self.source(number), &self.spelling.source(number, 0))?;
        }
        self.kinds = kinds;
        let run = |tool: &Tool, arguments: &[&str]| {
            timed(&mut tool.command(self.folder(), &[], arguments))
        };
        if first {
            // It fills in go.mod and go.sum, and downloads what is missing.
            run(go, &["list", "-mod=mod", "-deps", "./..."])?;
        }
        run(controller_gen, &["object", "paths=./..."])?;
        if first {
            // Once is enough to know that the API is right: the kinds differ in their names alone.
            run(go, &["build", "./..."])?;
        }
        Ok(())
    }

    /// Changes a doc line and a field's name in the file of one kind, which [`Self::check_edit`] then looks for.
    pub(crate) fn edit(&mut self) -> Result<()> {
        self.revision += 1;
        let number = self.edited();
        let source = self.spelling.source(number, self.revision);
        write(&self.source(number), &source)
    }

    /// Checks that the CRD of the kind that was edited last follows it: a tool that does nothing is fast.
    pub(crate) fn check_edit(&self) -> Result<()> {
        let file = kinds::crd_file(self.edited());
        let path = self.folder().join(&file);
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {file}"))?;
        let field = kinds::field(self.revision);
        ensure!(
            text.lines().any(|line| line.trim() == field),
            "{file} does not have `{field}`, which was edited in"
        );
        Ok(())
    }

    /// Checks that every kind has a CRD.
    pub(crate) fn check_all(&self) -> Result<()> {
        for number in 1..=self.kinds {
            let file = kinds::crd_file(number);
            ensure!(self.folder().join(&file).is_file(), "there is no {file}");
        }
        Ok(())
    }

    /// Each edit is of another kind, as far as there are others.
    fn edited(&self) -> usize {
        self.revision % self.kinds + 1
    }

    fn source(&self, number: usize) -> PathBuf {
        let module = kinds::module(number);
        let file = match self.spelling {
            Spelling::Kb | Spelling::Kube => format!("api/src/v1/{module}.rs"),
            Spelling::Go => format!("api/v1/{module}_types.go"),
        };
        self.folder().join(file)
    }
}

/// Writes a file; an error names it.
pub(crate) fn write(file: &Path, text: &str) -> Result<()> {
    fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
}
