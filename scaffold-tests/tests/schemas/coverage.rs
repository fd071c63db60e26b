//! Every marker has a row, or a reason for having none.
//!
//! The markers are read from the source of the parser's table, which is private to its crate.

use std::collections::BTreeSet;

use crate::{cel, defaults, merge, row::Row, validation};

const SOURCE: &str = include_str!("../../../markers/src/marks/table.rs");

/// Markers without an effect on values: documentation, printer columns, selectors, or hints for `kb-rs generate`.
const WITHOUT_EFFECT_ON_VALUES: [&str; 7] = [
    "column",
    "example",
    "external_docs",
    "lossy",
    "scale",
    "selectable",
    "title",
];

/// Returns the names in the parser's table: the first string of each line.
fn known() -> BTreeSet<&'static str> {
    let table = SOURCE.split("const MARKERS: &[Marker] = &[").nth(1);
    let rows = table.unwrap().split("];").next().unwrap().trim().lines();
    let name = |row: &'static str| row.split('"').nth(1).unwrap();
    rows.map(name).collect()
}

fn rows() -> Vec<Row> {
    let tables = [validation::table(), cel::table(), defaults::table()];
    tables.into_iter().flatten().collect()
}

fn markers_of(rows: &[Row], filter: fn(&Row) -> bool) -> BTreeSet<&'static str> {
    let rows = rows.iter().filter(|row| filter(row));
    rows.flat_map(|row| row.markers).copied().collect()
}

#[test]
fn every_marker_is_tested() {
    let mut tested = markers_of(&rows(), |_| true);
    tested.extend(merge::MARKERS);
    tested.extend(WITHOUT_EFFECT_ON_VALUES);
    assert_eq!(tested, known());
}

#[test]
fn every_marker_has_accepted_and_rejected_values() {
    let rows = rows();
    let all = markers_of(&rows, |_| true);
    assert_eq!(markers_of(&rows, Row::has_accepted), all);
    assert_eq!(markers_of(&rows, Row::has_rejected), all);
}
