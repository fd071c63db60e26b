//! Looks up components in the table.
//!
//! An unindented line starts a component: name, type and marks. Each indented line below is a property: name (with `*` if required), type and marks.
//! Columns are separated by tabs. Only the offsets of components are indexed, once; the rest is parsed on demand.

use std::sync::LazyLock;

use serde_json::{Map, Value};

const TABLE: &str = include_str!("table.tsv");

/// Components and their lines, sorted by name.
static INDEX: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
    let mut starts = Vec::new();
    let mut position = 0;
    for line in TABLE.split_inclusive('\n') {
        if !line.starts_with([' ', '#']) {
            let name = line.split(['\t', '\n']).next().unwrap_or_default();
            starts.push((name, position));
        }
        position += line.len();
    }
    let ends = starts.iter().skip(1).map(|(_, start)| *start);
    let ends = ends.chain([TABLE.len()]);
    let lines = starts.iter().zip(ends);
    lines
        .map(|((name, start), end)| (*name, &TABLE[*start..end]))
        .collect()
});

/// A line of the table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// Name of the component or property.
    pub(super) name: &'static str,
    /// Whether the property is required.
    pub(super) required: bool,
    /// Type expression.
    pub(super) kind: &'static str,
    marks: &'static str,
}

/// Returns the names of all components, sorted.
pub fn components() -> impl Iterator<Item = &'static str> {
    INDEX.iter().map(|(name, _)| *name)
}

/// Returns the lines of a component and its properties.
pub(super) fn find(component: &str) -> Option<(Line, impl Iterator<Item = Line>)> {
    let found = INDEX.binary_search_by_key(&component, |(name, _)| name);
    let (_, lines) = INDEX[found.ok()?];
    let mut lines = lines.lines().map(Line::parse);
    Some((lines.next()?, lines))
}

impl Line {
    fn parse(line: &'static str) -> Self {
        let (name, rest) = line.split_once('\t').unwrap_or((line, ""));
        let (kind, marks) = rest.split_once('\t').unwrap_or((rest, ""));
        let name = name.trim_start();
        let required = name.ends_with('*');
        Self {
            name: name.trim_end_matches('*'),
            required,
            kind,
            marks,
        }
    }

    /// Adds the keywords of the marks to a schema.
    pub(super) fn mark(&self, schema: &mut Map<String, Value>) {
        for mark in self.marks.split('\t').filter(|mark| !mark.is_empty()) {
            let (mark, value) = mark
                .split_once('=')
                .expect("every mark of table.tsv has a value");
            let (keyword, value) = match mark {
                "list" => ("x-kubernetes-list-type", value.into()),
                "map" => ("x-kubernetes-map-type", value.into()),
                "keys" => ("x-kubernetes-list-map-keys", value.split(',').collect()),
                keyword => {
                    let value = serde_json::from_str(value);
                    (
                        keyword,
                        value.expect("every mark of table.tsv has a JSON value"),
                    )
                }
            };
            schema.insert(keyword.to_owned(), value);
        }
    }
}
