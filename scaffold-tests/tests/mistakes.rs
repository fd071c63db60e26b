//! `kb-rs generate` reports each mistake with the same message and position as the compiler.
//!
//! `markers/tests/mistakes` has one mistake per file, with the errors that the macros hand to rustc beside it.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read, write and fail"
)]

use std::{
    fs,
    path::{Path, PathBuf},
};

use scaffold_tests::{KbRs, Tree};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../markers/tests/mistakes")
}

/// The errors that the reader of markers reports: position and first line of the message.
fn errors(expected: &str) -> Vec<(&str, &str)> {
    let starts_error = |line: &&str| line.starts_with(|first: char| first.is_ascii_digit());
    let errors = expected.lines().filter(starts_error);
    errors.map(|line| line.split_once(": ").unwrap()).collect()
}

/// What the command prints for a file.
fn command(source: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    fs::create_dir_all(root.join("api/src")).unwrap();
    let record = "domain: example.com\nlayout:\n- rust.kb-rs.dev/v1\nprojectName: mistakes\nversion: \"3\"\n";
    fs::write(root.join("PROJECT"), record).unwrap();
    fs::write(
        root.join("Cargo.toml"),
        "[workspace]\nmembers = [\"api\"]\n",
    )
    .unwrap();
    let manifest = "[package]\nname = \"mistakes-api\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    fs::write(root.join("api/Cargo.toml"), manifest).unwrap();
    let listed = if source.contains("kb::resource") {
        "Mistake::definition()"
    } else {
        ""
    };
    let definitions =
        format!("\npub fn definitions() -> Vec<kb::CrdDefinition> {{\n    vec![{listed}]\n}}\n");
    fs::write(
        root.join("api/src/lib.rs"),
        format!("{source}{definitions}"),
    )
    .unwrap();
    let before = Tree::read(root).unwrap();
    let run = KbRs::at(env!("CARGO_BIN_EXE_kb-rs-under-test")).run(root, ["generate"]);
    assert_eq!(run.code, Some(1), "{source}\n{}{}", run.stdout, run.stderr);
    assert_eq!(Tree::read(root).unwrap(), before, "{source}");
    run.stderr
}

#[test]
fn the_command_reports_what_the_compiler_reports() {
    let mut files: Vec<PathBuf> = fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect();
    files.sort();
    assert!(files.len() > 100, "{}", files.len());

    let mut differences = Vec::new();
    for file in files {
        let expected = fs::read_to_string(file.with_extension("txt")).unwrap();
        let printed = command(&fs::read_to_string(&file).unwrap());
        for (position, message) in errors(&expected) {
            let position = format!("api/src/lib.rs:{position}");
            if !printed.contains(message) || !printed.contains(&position) {
                differences.push(format!(
                    "{}\n  expected: {message} ({position})\n  kb-rs generate:\n{printed}",
                    file.file_name().unwrap().display()
                ));
            }
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
