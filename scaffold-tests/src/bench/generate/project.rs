//! A project of many kinds in Rust or Go, which grows and is edited.
//!
//! A kind has a spec of 12 fields with a list map, a set, a map, an enum, a nested struct, bounds, patterns, defaults and a CEL rule, and
//! a status with conditions: about 10 kB of CRD. Kinds differ in their names alone. The Rust project is scaffolded without controllers;
//! the Go project is the API package as Kubebuilder scaffolds it, with deepcopy code, since controllers would cost controller-gen more.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, ensure};
use tempfile::TempDir;

use crate::tool::Tool;

const GO_MOD: &str =
    "module example.com/demo\n\ngo 1.26.0\n\nrequire k8s.io/apimachinery v0.36.3\n";

#[derive(Debug, Clone, Copy)]
enum Language {
    Rust,
    Go,
}

#[derive(Debug)]
pub(crate) struct Project {
    dir: TempDir,
    language: Language,
    kinds: usize,
    revision: usize,
}

impl Project {
    pub(crate) fn rust(kb_rs: &Tool) -> Result<Self> {
        let project = Self::new(Language::Rust)?;
        let args = ["init", "--domain=example.com", "--project-name=demo"];
        kb_rs.run(project.dir(), &args)?;
        Ok(project)
    }

    pub(crate) fn go() -> Result<Self> {
        let project = Self::new(Language::Go)?;
        let package = project.dir().join("api/v1");
        fs::create_dir_all(&package)?;
        fs::write(project.dir().join("go.mod"), GO_MOD)?;
        let group_version = include_str!("groupversion_info.go.txt");
        fs::write(package.join("groupversion_info.go"), group_version)?;
        Ok(project)
    }

    fn new(language: Language) -> Result<Self> {
        Ok(Self {
            dir: TempDir::new()?,
            language,
            kinds: 0,
            revision: 0,
        })
    }

    pub(crate) fn dir(&self) -> &Path {
        self.dir.path()
    }

    /// Adds kinds to the Rust project until it has `kinds`.
    pub(crate) fn grow_rust(&mut self, kb_rs: &Tool, kinds: usize) -> Result<()> {
        for number in self.kinds + 1..=kinds {
            let kind = format!("--kind=Widget{number:04}");
            let args = [
                "create",
                "api",
                "--group=batch",
                "--version=v1",
                "--resource",
                "--controller=false",
                &kind,
            ];
            kb_rs.run(self.dir(), &args)?;
            let file = self.file(number);
            ensure!(file.is_file(), "{} was not scaffolded", file.display());
            fs::write(file, self.source(number))?;
        }
        self.kinds = kinds;
        Ok(())
    }

    /// Adds kinds and their deepcopy code to the Go project until it has `kinds`.
    pub(crate) fn grow_go(&mut self, go: &Tool, controller_gen: &Tool, kinds: usize) -> Result<()> {
        let first = self.kinds == 0;
        for number in self.kinds + 1..=kinds {
            fs::write(self.file(number), self.source(number))?;
        }
        self.kinds = kinds;
        if first {
            // Completes go.mod and go.sum.
            go.run(self.dir(), &["list", "-mod=mod", "-deps", "./..."])?;
        }
        controller_gen.run(self.dir(), &["object", "paths=./..."])?;
        if first {
            go.run(self.dir(), &["build", "./..."])?;
        }
        Ok(())
    }

    /// Changes a doc comment and the name of a field of one kind, a different one each time.
    pub(crate) fn edit(&mut self) -> Result<()> {
        self.revision += 1;
        let number = self.edited();
        Ok(fs::write(self.file(number), self.source(number))?)
    }

    /// Checks that the CRD follows the last edit: a tool that does nothing is fast.
    pub(crate) fn check_edit(&self) -> Result<()> {
        let crd = self.crd(self.edited());
        let text = fs::read_to_string(&crd).with_context(|| crd.display().to_string())?;
        let field = format!("note{}:", self.revision);
        ensure!(
            text.lines().any(|line| line.trim() == field),
            "{} lacks the edited field {field}",
            crd.display()
        );
        Ok(())
    }

    /// Checks that every kind has a CRD.
    pub(crate) fn check_all(&self) -> Result<()> {
        for crd in (1..=self.kinds).map(|number| self.crd(number)) {
            ensure!(crd.is_file(), "{} is missing", crd.display());
        }
        Ok(())
    }

    fn edited(&self) -> usize {
        self.revision % self.kinds + 1
    }

    fn source(&self, number: usize) -> String {
        let template = match self.language {
            Language::Rust => include_str!("kb.rs.txt"),
            Language::Go => include_str!("kind.go.txt"),
        };
        template
            .replace("KIND", &format!("Widget{number:04}"))
            .replace("SHORT", &format!("w{number:04}"))
            .replace("NUMBER", &number.to_string())
            .replace("EDIT", &self.revision.to_string())
    }

    fn file(&self, number: usize) -> PathBuf {
        self.dir().join(match self.language {
            Language::Rust => format!("api/src/v1/widget{number:04}.rs"),
            Language::Go => format!("api/v1/widget{number:04}_types.go"),
        })
    }

    fn crd(&self, number: usize) -> PathBuf {
        let file = format!("config/crd/bases/batch.example.com_widget{number:04}s.yaml");
        self.dir().join(file)
    }
}
