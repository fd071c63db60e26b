//! Links of the top-level documents, and the tests behind the guarantees of the README.

use std::{fs, path::Path};

use crate::page::repository;

#[test]
fn links_of_top_level_documents_resolve() {
    let mut broken = Vec::new();
    for name in [
        "README.md",
        "CONTRIBUTING.md",
        "ARCHITECTURE.md",
        "CHANGELOG.md",
        "SECURITY.md",
    ] {
        let text = fs::read_to_string(repository().join(name)).unwrap();
        for link in text.split("](").skip(1) {
            let target = link.split([')', '#']).next().unwrap();
            let is_external = target.starts_with("https://") || target.is_empty();
            if !is_external && !repository().join(target).exists() {
                broken.push(format!("{name}: {target}"));
            }
        }
    }
    assert_eq!(broken, Vec::<String>::new());
}

/// Returns the text between a heading and the next one of its level.
fn section<'a>(page: &'a str, heading: &str) -> &'a str {
    let (_, section) = page.split_once(heading).unwrap();
    section.split("\n## ").next().unwrap()
}

/// Appends all Rust sources of a directory, except build output and golden projects.
fn read_sources(directory: &Path, sources: &mut String) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy();
        if path.is_dir() {
            if !["target", "goldens", ".git"].contains(&&*name) {
                read_sources(&path, sources);
            }
        } else if name.ends_with(".rs") {
            sources.push_str(&fs::read_to_string(&path).unwrap());
        }
    }
}

#[test]
fn every_guarantee_of_the_readme_has_tests() {
    let read = |name| fs::read_to_string(repository().join(name)).unwrap();
    let (readme, contributing) = (read("README.md"), read("CONTRIBUTING.md"));
    let guarantees = section(&readme, "\n## Guarantees\n");
    let table = section(&contributing, "\n## Guarantees\n");
    let mut sources = String::new();
    read_sources(repository(), &mut sources);

    let mut problems = Vec::new();
    let guarantees: Vec<&str> = guarantees
        .split("\n- **")
        .skip(1)
        .map(|guarantee| guarantee.split(".**").next().unwrap())
        .collect();
    assert!(guarantees.len() > 5, "{guarantees:?}");
    for guarantee in guarantees {
        let rows = table
            .lines()
            .filter(|line| line.starts_with(&format!("| {guarantee} |")));
        let tests: Vec<&str> = rows
            .flat_map(|row| row.split('`').skip(1).step_by(2))
            .collect();
        if tests.is_empty() {
            problems.push(format!("CONTRIBUTING.md lists no test for \"{guarantee}\""));
        }
        for test in tests {
            if !sources.contains(&format!("fn {test}(")) {
                problems.push(format!("\"{guarantee}\": no test `{test}`"));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
