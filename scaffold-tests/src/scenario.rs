//! Scenarios and their goldens.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};

use crate::Tree;

/// A list of kb-rs commands and the tree they make.
#[derive(Debug, Clone)]
pub struct Scenario {
    /// Its name: that of its file.
    pub name: String,
    /// The commands, without `kb-rs`.
    pub commands: Vec<String>,
}

impl Scenario {
    /// All scenarios, sorted by name.
    pub fn all() -> Result<Vec<Self>> {
        let folder = package().join("scenarios");
        let mut scenarios = Vec::new();
        for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
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

    /// Where its golden is.
    pub fn golden(&self) -> PathBuf {
        package().join("goldens").join(&self.name)
    }

    /// The tree its commands should make.
    pub fn golden_tree(&self) -> Result<Tree> {
        Tree::read(&self.golden())
    }
}

/// This package's folder.
pub(crate) fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
