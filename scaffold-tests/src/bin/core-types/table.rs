//! Collects the entries of the table, and writes it.
//!
//! It starts from the components that k8s-openapi has as Rust types in the version that generated projects pin, and
//! adds what they refer to.

use std::collections::BTreeMap;

use anyhow::{Context, Result};

use crate::entry::{self, Entry};
use crate::go_types::Types;
use crate::known;
use crate::modules::Modules;
use crate::rust_types::Versions;

/// The Kubernetes version that generated projects pin.
const MINOR: u32 = 36;

const HEADER: &str = "\
# Kubernetes 1.36. Made by `core-types` of the package scaffold-tests; do not edit.
# component\ttype\tmarks, and for each of its properties: name (* if required)\ttype\tmarks
";

/// Entries by component.
#[derive(Debug)]
pub(crate) struct Table(pub(crate) BTreeMap<String, Entry>);

impl Table {
    /// The table of those Rust types.
    pub(crate) fn of(rust_types: &Versions, modules: &Modules) -> Result<Self> {
        let mut types = Types::new(modules);
        let mut wanted: Vec<String> = known::additional().into();
        for ((_, component), versions) in rust_types {
            if versions.contains(&MINOR) {
                wanted.push(component.clone());
            }
        }
        let mut entries = BTreeMap::new();
        while let Some(component) = wanted.pop() {
            if entries.contains_key(&component) {
                continue;
            }
            let entry = types.entry(&component);
            let entry = entry.with_context(|| format!("component {component}"))?;
            wanted.extend(entry.properties.values().filter_map(|p| referred(&p.kind)));
            wanted.extend(referred(&entry.kind));
            entries.insert(component, entry);
        }
        Ok(Self(entries))
    }

    /// The table as it is committed.
    pub(crate) fn text(&self) -> String {
        let mut text = HEADER.to_owned();
        for (component, entry) in &self.0 {
            entry::write(&mut text, component, entry);
        }
        text
    }
}

/// The component in a type such as `[io.k8s.api.core.v1.Container]`.
fn referred(kind: &str) -> Option<String> {
    let name = kind.trim_matches(['[', ']', '{', '}']);
    name.contains('.').then(|| name.to_owned())
}
