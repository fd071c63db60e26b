//! `kb-rs generate` reports each mistake with the same message and position as the compiler.
//!
//! `markers/tests/mistakes` has one mistake per file, and the errors that the macros emit.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read, write and fail"
)]

use std::path::Path;

use scaffold_tests::{Project, Tree};

/// Returns the errors that the marker parser reports: position and first line of the message.
fn errors(expected: &str) -> Vec<(&str, &str)> {
    let starts_error = |line: &&str| line.starts_with(|first: char| first.is_ascii_digit());
    let errors = expected.lines().filter(starts_error);
    errors.map(|line| line.split_once(": ").unwrap()).collect()
}

/// Returns the output of `kb-rs generate` for a source.
fn generate(source: &str) -> String {
    let project = Project::empty();
    project.write(
        "PROJECT",
        "domain: example.com\nlayout:\n- rust.kb-rs.dev/v1\nprojectName: mistakes\nversion: \"3\"\n",
    );
    project.write("Cargo.toml", "[workspace]\nmembers = [\"api\"]\n");
    project.write(
        "api/Cargo.toml",
        "[package]\nname = \"mistakes-api\"\nversion = \"0.1.0\"\nedition = \"2024\"\n",
    );
    let kinds = if source.contains("kb::resource") {
        "Mistake::definition()"
    } else {
        ""
    };
    project.write(
        "api/src/lib.rs",
        &format!(
            "{source}\npub fn definitions() -> Vec<kb::CrdDefinition> {{\n    vec![{kinds}]\n}}\n"
        ),
    );
    let before = project.tree();
    let run = project.run(["generate"]);
    assert_eq!(run.code, Some(1), "{source}\n{run}");
    assert_eq!(project.tree(), before, "{source}");
    run.stderr
}

#[test]
fn generate_reports_the_errors_of_the_compiler() {
    let mistakes = Path::new(env!("CARGO_MANIFEST_DIR")).join("../markers/tests/mistakes");
    let mistakes = Tree::read(&mistakes).unwrap();
    let sources = mistakes
        .files()
        .filter_map(|(path, source)| Some((path.strip_suffix(".rs")?, source)));
    let (mut count, mut differences) = (0, Vec::new());
    for (name, source) in sources {
        count += 1;
        let expected = mistakes.get(&format!("{name}.txt")).unwrap();
        let printed = generate(source);
        for (position, message) in errors(expected) {
            let position = format!("api/src/lib.rs:{position}");
            if !printed.contains(message) || !printed.contains(&position) {
                differences.push(format!(
                    "{name}\n  expected: {message} ({position})\n  kb-rs generate:\n{printed}"
                ));
            }
        }
    }
    assert!(count > 100, "only {count} mistakes were found");
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
