//! The pages outside of the book: their links lead to existing files, and the README's promises to existing tests.

use std::{fs, path::Path};

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

/// The text between a heading and the next one of its level.
fn section<'a>(page: &'a str, heading: &str) -> &'a str {
    let (_, section) = page.split_once(heading).unwrap();
    section.split("\n## ").next().unwrap()
}

/// Appends all Rust sources below a folder, without build output and golden projects.
fn read_sources(folder: &Path, sources: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
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
fn every_promise_of_the_readme_has_its_tests() {
    let read = |name| fs::read_to_string(repository().join(name)).unwrap();
    let (readme, contributing) = (read("README.md"), read("CONTRIBUTING.md"));
    let promises = section(&readme, "\n## What kb-rs promises\n");
    let table = section(&contributing, "\n## Promises\n");
    let mut sources = String::new();
    read_sources(repository(), &mut sources);

    let mut problems = Vec::new();
    let promises: Vec<&str> = promises
        .split("\n- **")
        .skip(1)
        .map(|promise| promise.split(".**").next().unwrap())
        .collect();
    assert!(promises.len() > 5, "{promises:?}");
    for promise in promises {
        let rows = table
            .lines()
            .filter(|line| line.starts_with(&format!("| {promise} |")));
        let tests: Vec<&str> = rows
            .flat_map(|row| row.split('`').skip(1).step_by(2))
            .collect();
        if tests.is_empty() {
            problems.push(format!(
                "CONTRIBUTING.md names no test for the promise \"{promise}\""
            ));
        }
        for test in tests {
            if !sources.contains(&format!("fn {test}(")) {
                problems.push(format!("\"{promise}\": there is no test `{test}`"));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
