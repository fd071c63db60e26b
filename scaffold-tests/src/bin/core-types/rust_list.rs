//! Writes the list of Rust types that are in the table, for the runtime's trait implementations.
//!
//! A type that only some versions of Kubernetes have is inside one of k8s-openapi's macros, which keep or drop their
//! content by the version that is enabled.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::known;
use crate::rust_types::Versions;
use crate::table::Table;

const HEADER: &str = "\
//! Which Rust types of k8s-openapi are which of Kubernetes' own types.
//!
//! Made by `core-types` of the package scaffold-tests; do not edit. Types that only some versions of Kubernetes have
//! depend on the version that is enabled in k8s-openapi.

use super::core_type;
";

/// The module as it is committed.
pub(crate) fn text(types: &Versions, versions: &BTreeSet<u32>, table: &Table) -> String {
    let bytes = (
        (
            "k8s_openapi::ByteString".to_owned(),
            known::BYTES.to_owned(),
        ),
        versions.clone(),
    );
    let mut groups: BTreeMap<Vec<String>, Vec<String>> = BTreeMap::new();
    let mut all = types.clone();
    all.extend([bytes]);
    for ((rust_path, component), present) in &all {
        if !table.0.contains_key(component) {
            continue;
        }
        for condition in conditions(present, versions) {
            let line = format!("{rust_path} => \"{component}\",");
            groups.entry(condition).or_default().push(line);
        }
    }
    let mut text = HEADER.to_owned();
    for (macros, lines) in groups {
        text.push('\n');
        write_group(&mut text, &macros, &lines);
    }
    text
}

/// The macros around a type, from the outside in, for each run of versions that has it.
fn conditions(present: &BTreeSet<u32>, versions: &BTreeSet<u32>) -> Vec<Vec<String>> {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for minor in present {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == *minor => *last = *minor,
            _ => runs.push((*minor, *minor)),
        }
    }
    let macros = |(first, last): (u32, u32)| {
        let since = versions.first().is_some_and(|oldest| *oldest < first);
        let until = versions.last().is_some_and(|newest| last < *newest);
        match (since, until) {
            (true, true) if first == last => vec![format!("k8s_openapi::k8s_if_1_{first}")],
            (true, true) => vec![
                format!("k8s_openapi::k8s_if_ge_1_{first}"),
                format!("k8s_openapi::k8s_if_le_1_{last}"),
            ],
            (true, false) => vec![format!("k8s_openapi::k8s_if_ge_1_{first}")],
            (false, true) => vec![format!("k8s_openapi::k8s_if_le_1_{last}")],
            (false, false) => Vec::new(),
        }
    };
    runs.into_iter().map(macros).collect()
}

fn write_group(text: &mut String, macros: &[String], lines: &[String]) {
    let mut indent = String::new();
    for name in macros.iter().map(String::as_str).chain(["core_type"]) {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{indent}{name}! {{");
        indent += "    ";
    }
    for line in lines {
        let _ = writeln!(text, "{indent}{line}");
    }
    while !indent.is_empty() {
        indent.truncate(indent.len() - 4);
        let _ = writeln!(text, "{indent}}}");
    }
}
