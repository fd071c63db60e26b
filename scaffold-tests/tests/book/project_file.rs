//! The reference of PROJECT names every field that kb-rs writes.

use std::fs;

use crate::page;

/// Where the names of the fields are.
const FIELDS: &str = "cli/src/project/write.rs";

#[test]
fn the_reference_has_every_field_of_the_project_file() {
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
        "fields that reference/project-file.md does not name"
    );
}
