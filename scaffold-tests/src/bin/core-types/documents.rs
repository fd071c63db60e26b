//! Kubernetes' `OpenAPI` documents, as a check on what was read from the Go types.
//!
//! Both must have the same properties with the same types. The rest is not compared, because the documents say what
//! Kubernetes serves and not what controller-gen makes of the types: they invent defaults (`""`, `0`, `{}`), require
//! what has such a default, and inline a struct without its map type.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::{Map, Value};

use crate::entry::Entry;
use crate::known;

/// Fails with everything in which the entries differ from the documents in `folder`.
pub(crate) fn check(entries: &BTreeMap<String, Entry>, folder: &Path) -> Result<()> {
    let components = components(folder)?;
    let mut differences = Vec::new();
    for (component, entry) in entries {
        // Of the others there is no more in the document than there is in the table.
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
            None => differences.push(format!("{component} is in no document")),
        }
    }
    if !differences.is_empty() {
        bail!(
            "Kubernetes' Go types, as they were read, are not what its documents say:\n  {}",
            differences.join("\n  ")
        );
    }
    Ok(())
}

/// The properties that differ. A Go alias is what it stands for, also where the document has both.
fn compare(entries: &BTreeMap<String, Entry>, entry: &Entry, documented: &Value) -> Vec<String> {
    let none = Map::new();
    let properties = documented["properties"].as_object().unwrap_or(&none);
    let names: BTreeSet<&String> = properties.keys().chain(entry.properties.keys()).collect();
    let mut differences = Vec::new();
    for name in names {
        let ours = entry.properties.get(name);
        let ours = ours.map_or("nothing".to_owned(), |p| p.kind.replace("int32", "int"));
        let theirs = properties.get(name).map_or("nothing".to_owned(), kind);
        let component = theirs.trim_matches(['[', ']', '{', '}']);
        let alias = entries
            .get(component)
            .filter(|entry| entry.kind.contains('.'));
        let meant = alias.map(|alias| theirs.replace(component, &alias.kind));
        if ours != theirs && Some(&ours) != meant.as_ref() {
            differences.push(format!("{name}: {ours} is read, {theirs} is documented"));
        }
    }
    differences
}

/// The type of a schema in the table's notation; both sides have `int` for `int32`, which is what Go's `int` is there.
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

/// All components of all documents.
fn components(folder: &Path) -> Result<BTreeMap<String, Value>> {
    let mut components = BTreeMap::new();
    let files =
        fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for file in files {
        let path = file?.path();
        let text = fs::read_to_string(&path);
        let text = text.with_context(|| format!("cannot read {}", path.display()))?;
        let mut document: Value = serde_json::from_str(&text)
            .with_context(|| format!("{} is not JSON", path.display()))?;
        if let Value::Object(schemas) = document["components"]["schemas"].take() {
            components.extend(schemas);
        }
    }
    Ok(components)
}
