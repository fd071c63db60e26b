//! The reference of PROJECT lists every field.

use std::fs;

use crate::page;

/// Source of the field names.
const FIELDS: &str = "cli/src/project/write.rs";

#[test]
fn project_file_reference_lists_every_field() {
    let source = fs::read_to_string(page::repository().join(FIELDS)).unwrap();
    let names: Vec<&str> = source
        .lines()
        .filter_map(|line| line.trim().strip_prefix("(\"")?.split_once("\", "))
        .map(|(name, _)| name)
        .collect();
    assert!(names.len() > 20, "{names:?}");
    let page = page::read("reference/project-file.md");
    let missing: Vec<&str> = names
        .into_iter()
        .filter(|name| {
            ![
                format!("`{name}`"),
                format!("`{name}."),
                format!(".{name}`"),
            ]
            .iter()
            .any(|written| page.contains(written))
        })
        .collect();
    assert_eq!(
        missing,
        Vec::<&str>::new(),
        "fields missing in reference/project-file.md"
    );
}
