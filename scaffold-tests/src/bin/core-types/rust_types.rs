//! The Rust types of k8s-openapi for each version of Kubernetes.
//!
//! Each file of its sources is a private module with one type, which the parent module re-exports. `schema_name` returns the `OpenAPI`
//! component.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// Minor versions by Rust path and component.
pub(crate) type Versions = BTreeMap<(String, String), BTreeSet<u32>>;

/// Returns the types and the versions of the package in `dir`.
pub(crate) fn read(dir: &Path) -> Result<(Versions, BTreeSet<u32>)> {
    let sources = dir.join("src");
    let mut types = Versions::new();
    let mut versions = BTreeSet::new();
    for entry in entries(&sources)? {
        let name = entry.file_name().unwrap_or_default().to_string_lossy();
        let Some(minor) = name.strip_prefix("v1_") else {
            continue;
        };
        let minor = minor
            .parse()
            .with_context(|| format!("not a version: {name}"))?;
        versions.insert(minor);
        for found in of_version(&entry)? {
            types.entry(found).or_default().insert(minor);
        }
    }
    if versions.is_empty() {
        bail!("no versions in {}: is it k8s-openapi?", sources.display());
    }
    Ok((types, versions))
}

fn of_version(root: &Path) -> Result<Vec<(String, String)>> {
    let mut types = Vec::new();
    let mut dirs = vec![root.to_owned()];
    while let Some(dir) = dirs.pop() {
        for path in entries(&dir)? {
            if path.is_dir() {
                dirs.push(path);
                continue;
            }
            let source = fs::read_to_string(&path)
                .with_context(|| format!("failed to read {}", path.display()))?;
            if let (Some(name), Some(component)) = (type_name(&source), schema_name(&source)) {
                let module = module(root, &dir)?;
                types.push((format!("{module}::{name}"), component.to_owned()));
            }
        }
    }
    Ok(types)
}

/// Returns the name of the public type; none if it is generic.
fn type_name(source: &str) -> Option<&str> {
    let declaration = source.lines().find_map(|line| {
        line.strip_prefix("pub struct ")
            .or_else(|| line.strip_prefix("pub enum "))
    })?;
    let end = declaration.find(|c: char| !c.is_alphanumeric() && c != '_');
    let (name, rest) = declaration.split_at(end.unwrap_or(declaration.len()));
    (!rest.starts_with('<')).then_some(name)
}

fn schema_name(source: &str) -> Option<&str> {
    let (_, rest) = source.split_once("fn schema_name()")?;
    let (_, rest) = rest.split_once('"')?;
    rest.split_once('"').map(|(name, _)| name)
}

fn module(root: &Path, dir: &Path) -> Result<String> {
    let mut module = "k8s_openapi".to_owned();
    for part in dir.strip_prefix(root)? {
        module += "::";
        module += part.to_str().context("a module has a UTF-8 name")?;
    }
    Ok(module)
}

fn entries(dir: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(dir);
    let entries = entries.with_context(|| format!("failed to read {}", dir.display()))?;
    entries.map(|entry| Ok(entry?.path())).collect()
}
