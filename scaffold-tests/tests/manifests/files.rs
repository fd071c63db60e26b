//! The goldens and their manifests.

use std::path::Path;

use scaffold_tests::{Scenario, Tree};
use serde_json::Value;

/// A scaffolded project.
pub(crate) struct Golden {
    pub name: String,
    pub tree: Tree,
}

pub(crate) fn goldens() -> Vec<Golden> {
    let scenarios = Scenario::all().unwrap().into_iter();
    let golden = |scenario: Scenario| Golden {
        tree: scenario.golden_tree().unwrap(),
        name: scenario.name,
    };
    scenarios.map(golden).collect()
}

impl Golden {
    /// Returns the documents of all files below `config` with their paths.
    pub(crate) fn documents(&self) -> Vec<(String, Value)> {
        let is_manifest = |path: &str| path.starts_with("config/") && is_a("yaml", path);
        let files = self.tree.files().filter(|(path, _)| is_manifest(path));
        files
            .flat_map(|(path, text)| {
                let documents = documents(text).into_iter();
                documents.map(|document| (path.to_owned(), document))
            })
            .collect()
    }

    /// Returns the first document of a file.
    pub(crate) fn document(&self, path: &str) -> Value {
        let text = self.tree.get(path);
        documents(text.unwrap_or_else(|| panic!("{}: no {path}", self.name))).remove(0)
    }
}

/// Returns whether a file has an extension.
pub(crate) fn is_a(extension: &str, path: &str) -> bool {
    Path::new(path)
        .extension()
        .is_some_and(|found| found == extension)
}

/// Parses documents.
pub(crate) fn documents(text: &str) -> Vec<Value> {
    serde_saphyr::from_multiple(text).unwrap()
}

/// Returns the strings of a list; none if it is not a list.
pub(crate) fn strings(list: &Value) -> Vec<&str> {
    let list = list.as_array().into_iter().flatten();
    list.filter_map(Value::as_str).collect()
}
