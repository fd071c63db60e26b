//! Every marker that there is has a row, or is named here with the reason why it has none.
//!
//! The reader's own table says which there are. It is not for users of its crate, so it is read as text.

use std::collections::BTreeSet;

use crate::{bounds, defaults, merged, row::Row, rules};

const SOURCE: &str = include_str!("../../../markers/src/marks/markers.rs");

/// Markers that say nothing of the values of an object: they are for people, for how objects are shown and found, or for `kb-rs generate` alone.
const SAY_NOTHING_OF_VALUES: [&str; 7] = [
    "column",
    "example",
    "external_docs",
    "lossy",
    "scale",
    "selectable",
    "title",
];

/// The names in the reader's table: the first text of each of its lines.
fn known() -> BTreeSet<&'static str> {
    let table = SOURCE.split("const MARKERS: &[Marker] = &[").nth(1);
    let rows = table.unwrap().split("];").next().unwrap().trim().lines();
    let name = |row: &'static str| row.split('"').nth(1).unwrap();
    rows.map(name).collect()
}

fn rows() -> Vec<Row> {
    let tables = [bounds::table(), rules::table(), defaults::table()];
    tables.into_iter().flatten().collect()
}

fn markers_of(rows: &[Row], wanted: fn(&Row) -> bool) -> BTreeSet<&'static str> {
    let rows = rows.iter().filter(|row| wanted(row));
    rows.flat_map(|row| row.markers).copied().collect()
}

#[test]
fn every_marker_is_tried() {
    let mut tried = markers_of(&rows(), |_| true);
    tried.extend(merged::MARKERS);
    tried.extend(SAY_NOTHING_OF_VALUES);
    assert_eq!(tried, known());
}

#[test]
fn every_marker_is_tried_with_values_that_pass_and_values_that_do_not() {
    let rows = rows();
    let all = markers_of(&rows, |_| true);
    assert_eq!(markers_of(&rows, Row::has_good), all);
    assert_eq!(markers_of(&rows, Row::has_bad), all);
}
