//! The example operators: what their authors typed, and the files that they edited then.

use std::{fs, path::PathBuf};

use anyhow::{Context, Result, ensure};

use crate::{Cargo, KbRs, Tree, scenario::package};

/// An example operator, from its folder below `operators`.
#[derive(Debug, Clone)]
pub struct Operator {
    /// Its name: that of its folder.
    pub name: String,
    /// The kb-rs commands that made the project, without `kb-rs`.
    pub commands: Vec<String>,
    /// The files that were edited, or added, afterwards.
    pub edited: Tree,
}

impl Operator {
    /// The operator of this name.
    pub fn read(name: &str) -> Result<Self> {
        let folder = package().join("operators").join(name);
        let commands = folder.join("commands.txt");
        let commands =
            fs::read_to_string(&commands).with_context(|| commands.display().to_string())?;
        Ok(Self {
            name: name.to_owned(),
            commands: commands.lines().map(ToOwned::to_owned).collect(),
            edited: Tree::read(&folder.join("edited"))?,
        })
    }

    /// The names of all operators, sorted.
    pub fn names() -> Result<Vec<String>> {
        let folder = package().join("operators");
        let entries = fs::read_dir(&folder).with_context(|| folder.display().to_string())?;
        let mut names = Vec::new();
        for entry in entries {
            let name = entry?.file_name().into_string();
            names.push(name.ok().context("a name in UTF-8")?);
        }
        names.sort();
        Ok(names)
    }

    /// Does what the author did: runs the commands, writes the edited files, generates. Gives the project's folder, in which only files
    /// that changed since the last time are written.
    pub fn project(&self, kb_rs: &KbRs, cargo: &Cargo) -> Result<PathBuf> {
        let scratch = tempfile::tempdir()?;
        for command in &self.commands {
            kb_rs.succeed(scratch.path(), command);
        }
        let made = Tree::read(scratch.path())?;
        for (path, text) in self.edited.files() {
            ensure!(made.get(path) != Some(text), "{path} is as kb-rs makes it");
            let path = scratch.path().join(path);
            fs::create_dir_all(path.parent().context("a file has a folder")?)?;
            fs::write(path, text)?;
        }
        kb_rs.succeed(scratch.path(), "generate");
        cargo.place(
            &Tree::read(scratch.path())?,
            &format!("operator-{}", self.name),
        )
    }
}
