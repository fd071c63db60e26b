//! Scenarios and their goldens.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};

use crate::Tree;

/// A list of kb-rs commands, and the tree that they scaffold.
#[derive(Debug, Clone)]
pub struct Scenario {
    /// Name of its file.
    pub name: String,
    /// The commands, without `kb-rs`.
    pub commands: Vec<String>,
}

impl Scenario {
    /// Returns all scenarios, sorted by name.
    pub fn all() -> Result<Vec<Self>> {
        let dir = package().join("scenarios");
        let mut scenarios = Vec::new();
        for entry in fs::read_dir(&dir).with_context(|| dir.display().to_string())? {
            let path = entry?.path();
            let name = path
                .file_stem()
                .and_then(|name| name.to_str())
                .context("a name")?;
            let commands = fs::read_to_string(&path)?
                .lines()
                .map(ToOwned::to_owned)
                .collect();
            scenarios.push(Self {
                name: name.to_owned(),
                commands,
            });
        }
        scenarios.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(scenarios)
    }

    /// Returns a scenario by its name.
    pub fn named(name: &str) -> Result<Self> {
        let mut scenarios = Self::all()?.into_iter();
        let scenario = scenarios.find(|scenario| scenario.name == name);
        scenario.with_context(|| format!("no scenario {name}"))
    }

    /// Returns the directory of its golden.
    pub fn golden(&self) -> PathBuf {
        package().join("goldens").join(&self.name)
    }

    /// Returns its golden.
    pub fn golden_tree(&self) -> Result<Tree> {
        Tree::read(&self.golden())
    }
}

/// Returns the directory of this package.
pub(crate) fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
