//! Compares the Go types with Kubernetes' `OpenAPI` documents.
//!
//! Both must have the same properties of the same types. Nothing else is compared, because controller-gen differs from the documents: they
//! add defaults (`""`, `0`, `{}`), require fields with such a default, and inline structs without their map type.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::{Map, Value};

use crate::entry::Entry;
use crate::known;

/// Fails with all differences between the entries and the documents in `dir`.
pub(crate) fn check(entries: &BTreeMap<String, Entry>, dir: &Path) -> Result<()> {
    let components = components(dir)?;
    let mut differences = Vec::new();
    for (component, entry) in entries {
        // The documents have no properties of well-known types.
        if known::entry(component).is_some() {
            continue;
        }
        match components.get(component) {
            Some(documented) => {
                let entry = entries.get(&entry.kind).unwrap_or(entry);
                for difference in compare(entries, entry, documented) {
                    differences.push(format!("{component}, {difference}"));
                }
            }
            None => differences.push(format!("{component} is not documented")),
        }
    }
    if !differences.is_empty() {
        bail!(
            "Go types and documents differ:\n  {}",
            differences.join("\n  ")
        );
    }
    Ok(())
}

/// Returns the properties that differ. A Go alias equals its target.
fn compare(entries: &BTreeMap<String, Entry>, entry: &Entry, documented: &Value) -> Vec<String> {
    let none = Map::new();
    let properties = documented["properties"].as_object().unwrap_or(&none);
    let names: BTreeSet<&String> = properties.keys().chain(entry.properties.keys()).collect();
    let mut differences = Vec::new();
    for name in names {
        let ours = entry.properties.get(name);
        let ours = ours.map_or("none".to_owned(), |p| p.kind.replace("int32", "int"));
        let theirs = properties.get(name).map_or("none".to_owned(), kind);
        let component = theirs.trim_matches(['[', ']', '{', '}']);
        let alias = entries
            .get(component)
            .filter(|entry| entry.kind.contains('.'));
        let target = alias.map(|alias| theirs.replace(component, &alias.kind));
        if ours != theirs && Some(&ours) != target.as_ref() {
            differences.push(format!("{name}: {ours} in Go, {theirs} in the document"));
        }
    }
    differences
}

/// Returns the type of a schema in the notation of the table, with `int` for `int32`.
fn kind(schema: &Value) -> String {
    let reference = schema.pointer("/allOf/0/$ref").or(schema.get("$ref"));
    if let Some(name) = reference.and_then(Value::as_str) {
        let (_, name) = name.rsplit_once('/').unwrap_or_default();
        return name.to_owned();
    }
    let format = schema["format"].as_str().unwrap_or_default();
    match (schema["type"].as_str().unwrap_or_default(), format) {
        ("array", _) => format!("[{}]", kind(&schema["items"])),
        ("object", _) => match schema.get("additionalProperties") {
            Some(values) => format!("{{{}}}", kind(values)),
            None => "object".to_owned(),
        },
        ("boolean", _) => "bool".to_owned(),
        ("integer", "int64") => "int64".to_owned(),
        ("integer", _) => "int".to_owned(),
        ("string", "byte") => "bytes".to_owned(),
        (other, _) => other.to_owned(),
    }
}

/// Returns the components of all documents.
fn components(dir: &Path) -> Result<BTreeMap<String, Value>> {
    let mut components = BTreeMap::new();
    let files = fs::read_dir(dir).with_context(|| format!("failed to read {}", dir.display()))?;
    for file in files {
        let path = file?.path();
        let text = fs::read_to_string(&path);
        let text = text.with_context(|| format!("failed to read {}", path.display()))?;
        let mut document: Value = serde_json::from_str(&text)
            .with_context(|| format!("{} is not JSON", path.display()))?;
        if let Value::Object(schemas) = document["components"]["schemas"].take() {
            components.extend(schemas);
        }
    }
    Ok(components)
}
