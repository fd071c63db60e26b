//! The slow path, with stand-ins for cargo and crdgen: what is asked of them, and what becomes of wrong answers.

use std::{fs, os::unix::fs::PermissionsExt, process::Command};

use scaffold_tests::{Run, Tree};

use crate::project::{Project, base, kb_rs, source};

const CRD: &str = r#"[{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "jobs.batch.example.com"},
"spec": {"group": "batch.example.com", "names": {"kind": "Job", "plural": "jobs"}, "versions": [{"name": "v1", "schema": {"openAPIV3Schema": {"description": "A word. Another."}}}]}}]"#;

/// A project whose cargo builds a crdgen that is this shell script.
fn project(crdgen: &str) -> Project {
    let project = Project::new(&["Job"]);
    script(&project, "bin/crdgen", crdgen);
    let artifact = format!(
        "{{\"reason\":\"compiler-artifact\",\"manifest_path\":\"{0}/api/Cargo.toml\",\"target\":{{\"name\":\"crdgen\"}},\"executable\":\"{0}/bin/crdgen\"}}",
        project.root().display()
    );
    let cargo = format!(
        "echo \"$*\" >> {0}/asked.txt\necho Compiling >&2\ncat <<'END'\n{artifact}\nEND\n",
        project.root().display()
    );
    script(&project, "bin/cargo", &cargo);
    project.write("asked.txt", "");
    project
}

fn script(project: &Project, path: &str, text: &str) {
    project.write(path, &format!("#!/bin/sh\n{text}\n"));
    fs::set_permissions(project.path(path), fs::Permissions::from_mode(0o755)).unwrap();
}

fn run(project: &Project, command: &str) -> Run {
    Command::new(kb_rs().path())
        .args(command.split_whitespace())
        .current_dir(project.root())
        .env("CARGO", project.path("bin/cargo"))
        .output()
        .unwrap()
        .into()
}

fn printing(text: &str) -> String {
    format!("cat <<'END'\n{text}\nEND\n")
}

/// Runs a command that must fail, say all of `expected`, and touch no manifest.
#[track_caller]
fn refused(project: &Project, command: &str, expected: &[&str]) {
    let before = Tree::read(&project.path("config")).unwrap();
    let run = run(project, command);
    assert_eq!(run.code, Some(1), "{}{}", run.stdout, run.stderr);
    for text in expected {
        assert!(run.stderr.contains(text), "no {text:?} in:\n{}", run.stderr);
    }
    assert_eq!(
        before.difference(&Tree::read(&project.path("config")).unwrap()),
        None
    );
}

#[test]
fn what_crdgen_prints_is_written() {
    let project = project(&printing(CRD));
    let built = run(&project, "generate --build --max-desc-len 8");
    assert_eq!(built.code, Some(0), "{}", built.stderr);
    assert!(
        built
            .stderr
            .contains("building crdgen: --build asks for it\nCompiling\n"),
        "{}",
        built.stderr
    );
    assert!(
        project
            .read(&base("Job"))
            .contains("description: A word.\n")
    );
    let asked = "build --workspace --bin crdgen --message-format=json-render-diagnostics\n";
    assert_eq!(project.read("asked.txt"), asked);
}

#[test]
fn descriptions_of_kubernetes_types_are_asked_of_crdgen() {
    let project = project(&format!(
        "test \"$*\" = --describe-core-types || exit 3\n{}",
        printing(CRD)
    ));
    let built = run(&project, "generate --describe-core-types --quiet");
    assert_eq!(built.code, Some(0), "{}", built.stderr);
    assert!(project.read("asked.txt").ends_with(" --quiet\n"));
}

#[test]
fn a_type_that_the_sources_do_not_tell_is_built_and_the_reason_is_said() {
    let project = project(&printing(CRD));
    let text = project
        .read(&source("Job"))
        .replace("Option<i32>", "jiff::Timestamp");
    project.write(&source("Job"), &text);
    project.write(
        "api/Cargo.toml",
        &(project.read("api/Cargo.toml") + "jiff = \"0.2\"\n"),
    );
    let built = run(&project, "generate");
    assert_eq!(built.code, Some(0), "{}", built.stderr);
    let line = built
        .stderr
        .lines()
        .find(|line| line.contains("building crdgen"))
        .unwrap();
    assert!(
        line.contains("jiff") && line.contains("(api/src/job.rs:"),
        "{line}"
    );
}

#[test]
fn paths_that_differ_are_shown() {
    let project = project(&printing(CRD));
    refused(
        &project,
        "generate --verify",
        &[
            "jobs.batch.example.com is not the same on both paths",
            "--- as read from the sources",
            "+++ as crdgen prints it",
        ],
    );
}

#[test]
fn a_crdgen_that_fails_is_quoted() {
    for (crdgen, expected) in [
        (
            "echo \"thread 'main' panicked at src/x.rs\" >&2; exit 101",
            &["crdgen failed (it panicked)", "thread 'main' panicked"][..],
        ),
        ("exit 4", &["crdgen failed (exit code 4), and said nothing"]),
        ("kill -9 $$", &["crdgen failed (signal: 9"]),
        ("true", &["crdgen printed nothing", "kb::crdgen"]),
        (
            "echo hello",
            &["something else than a JSON list of CRDs", "    hello"],
        ),
        (
            "echo '[{\"kind\": \"Role\"}]'",
            &["document 1 of what crdgen printed is no CustomResourceDefinition"],
        ),
        ("echo '{}'", &["something else than a JSON list"]),
        ("yes | head -n 1000", &["... (975 more lines)"]),
    ] {
        refused(&project(crdgen), "generate --build", expected);
    }
}

#[test]
fn a_cargo_that_fails_speaks_for_itself() {
    let project = project("true");
    script(
        &project,
        "bin/cargo",
        "echo 'error[E0425]: cannot find it' >&2\nexit 101",
    );
    refused(
        &project,
        "generate --build",
        &[
            "error[E0425]",
            "cargo could not build crdgen",
            "its messages are above",
        ],
    );
    script(&project, "bin/cargo", "true");
    refused(
        &project,
        "generate --build",
        &["cargo built no program that is called crdgen"],
    );
    fs::remove_file(project.path("bin/cargo")).unwrap();
    refused(
        &project,
        "generate --build",
        &["bin/cargo cannot be started", "rustup.rs"],
    );
}
