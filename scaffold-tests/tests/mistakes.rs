//! A mistake has one wording: the command says what the compiler says, at the same place.
//!
//! `runtime/tests/mistakes` has one mistake a file and, beside it, what rustc prints (checked by the tests of kb-runtime).
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
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime/tests/mistakes")
}

/// An error as rustc prints it: its first line, and where it is.
#[derive(Debug, PartialEq, Eq)]
struct Said {
    message: String,
    place: String,
}

/// The errors in rustc's output.
fn errors(stderr: &str) -> Vec<Said> {
    let mut said = Vec::new();
    let mut lines = stderr.lines().peekable();
    while let Some(line) = lines.next() {
        let Some((start, message)) = line.split_once(": ") else {
            continue;
        };
        if start != "error" && !start.starts_with("error[") {
            continue;
        }
        let arrow = lines.find(|line| line.trim_start().starts_with("--> "));
        let Some(arrow) = arrow else { continue };
        let (_, place) = arrow.rsplit_once(".rs:").unwrap();
        said.push(Said {
            message: message.to_owned(),
            place: place.to_owned(),
        });
    }
    said
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
        format!("\npub fn definitions() -> Vec<kb::Definition> {{\n    vec![{listed}]\n}}\n");
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
fn the_command_says_what_the_compiler_says() {
    let mut files: Vec<PathBuf> = fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect();
    files.sort();
    assert!(files.len() > 100, "{}", files.len());

    let mut differences = Vec::new();
    for file in files {
        let compiler = fs::read_to_string(file.with_extension("stderr")).unwrap();
        let said = errors(&compiler);
        assert!(!said.is_empty(), "{}: no error", file.display());
        let printed = command(&fs::read_to_string(&file).unwrap());
        for Said { message, place } in said {
            let place = format!("api/src/lib.rs:{place}");
            if !printed.contains(&message) || !printed.contains(&place) {
                differences.push(format!(
                    "{}\n  the compiler: {message} ({place})\n  the command:\n{printed}",
                    file.file_name().unwrap().display()
                ));
            }
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
