//! The pages that people read before the book lead to files that are there.

use std::fs;

use crate::page::repository;

#[test]
fn the_links_of_the_front_pages_lead_somewhere() {
    let mut broken = Vec::new();
    for name in [
        "README.md",
        "CONTRIBUTING.md",
        "ARCHITECTURE.md",
        "CHANGELOG.md",
    ] {
        let text = fs::read_to_string(repository().join(name)).unwrap();
        for link in text.split("](").skip(1) {
            let target = link.split([')', '#']).next().unwrap();
            let is_outside = target.starts_with("https://") || target.is_empty();
            if !is_outside && !repository().join(target).exists() {
                broken.push(format!("{name}: {target}"));
            }
        }
    }
    assert_eq!(broken, Vec::<String>::new());
}
