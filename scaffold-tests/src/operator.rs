//! The example operators: the commands of their authors, and the files that they edited.

use std::{fs, path::PathBuf};

use anyhow::{Context, Result, ensure};

use crate::{Cargo, Project, Tree, scenario::package};

/// An example operator from `operators/NAME`.
#[derive(Debug, Clone)]
pub struct Operator {
    /// Name of its directory.
    pub name: String,
    /// The commands that scaffold the project, without `kb-rs`.
    pub commands: Vec<String>,
    /// The files that were edited or added.
    pub edited: Tree,
}

impl Operator {
    /// Reads an operator.
    pub fn read(name: &str) -> Result<Self> {
        let dir = package().join("operators").join(name);
        let commands = dir.join("commands.txt");
        let commands =
            fs::read_to_string(&commands).with_context(|| commands.display().to_string())?;
        Ok(Self {
            name: name.to_owned(),
            commands: commands.lines().map(ToOwned::to_owned).collect(),
            edited: Tree::read(&dir.join("edited"))?,
        })
    }

    /// Returns the names of all operators, sorted.
    pub fn names() -> Result<Vec<String>> {
        let dir = package().join("operators");
        let entries = fs::read_dir(&dir).with_context(|| dir.display().to_string())?;
        let mut names = Vec::new();
        for entry in entries {
            let name = entry?.file_name().into_string();
            names.push(name.ok().context("a name in UTF-8")?);
        }
        names.sort();
        Ok(names)
    }

    /// Scaffolds the project, writes the edited files and generates. Returns its directory, in which unchanged files are not touched.
    pub fn project(&self, cargo: &Cargo) -> Result<PathBuf> {
        let project = Project::new(&self.commands.join("\n"));
        let scaffolded = project.tree();
        for (path, text) in self.edited.files() {
            ensure!(scaffolded.get(path) != Some(text), "{path} is not edited");
            project.write(path, text);
        }
        project.succeed("generate");
        cargo.write_project(&project.tree(), &format!("operator-{}", self.name))
    }
}
