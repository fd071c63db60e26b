//! CRDs from the program crdgen, with scripts in place of cargo and crdgen.

use std::{fs, os::unix::fs::PermissionsExt};

use crate::api_project::{ApiProject, crd, source};

const CRD: &str = r#"[{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "jobs.batch.example.com"},
"spec": {"group": "batch.example.com", "names": {"kind": "Job", "plural": "jobs"}, "versions": [{"name": "v1", "schema": {"openAPIV3Schema": {"description": "A word. Another."}}}]}}]"#;

/// Returns a project whose cargo builds this shell script as crdgen, and appends its arguments to `cargo.txt` if that exists.
fn project(crdgen: &str) -> ApiProject {
    let mut project = ApiProject::new(&["Job"]);
    write_script(&project, "bin/crdgen", crdgen);
    let root = project.root().display();
    let cargo = format!(
        "[ ! -f cargo.txt ] || echo \"$*\" >> cargo.txt\necho Compiling >&2\ncat <<'END'\n{{\"reason\":\"compiler-artifact\",\"manifest_path\":\"{root}/api/Cargo.toml\",\"target\":{{\"name\":\"crdgen\"}},\"executable\":\"{root}/bin/crdgen\"}}\nEND\n"
    );
    write_script(&project, "bin/cargo", &cargo);
    let cargo = project.path("bin/cargo");
    project.0.set_env("CARGO", cargo);
    project
}

fn write_script(project: &ApiProject, path: &str, text: &str) {
    project.write(path, &format!("#!/bin/sh\n{text}\n"));
    fs::set_permissions(project.path(path), fs::Permissions::from_mode(0o755)).unwrap();
}

fn print(text: &str) -> String {
    format!("cat <<'END'\n{text}\nEND\n")
}

#[test]
fn crds_that_crdgen_prints_are_written() {
    let project = project(&print(CRD));
    project.write("cargo.txt", "");
    project.assert_output("build", "generate --build --max-desc-len 8");
    let text = project.read(&crd("Job"));
    assert!(text.contains("description: A word.\n"), "{text}");
    let arguments = "build --workspace --bin crdgen --message-format=json-render-diagnostics\n";
    assert_eq!(project.read("cargo.txt"), arguments);
}

#[test]
fn crdgen_adds_descriptions_of_kubernetes_types() {
    let project = project(&format!(
        "test \"$*\" = --describe-core-types || exit 3\n{}",
        print(CRD)
    ));
    project.write("cargo.txt", "");
    project.succeed("generate --describe-core-types --quiet");
    assert!(project.read("cargo.txt").ends_with(" --quiet\n"));
}

#[test]
fn a_type_that_the_sources_do_not_define_is_built() {
    let project = project(&print(CRD));
    project.replace(&source("Job"), "Option<i32>", "jiff::Timestamp");
    project.append("api/Cargo.toml", "jiff = \"0.2\"\n");
    project.assert_output("build_for_a_type_of_another_crate", "generate");
}

#[test]
fn verify_prints_differences_between_sources_and_crdgen() {
    let project = project(&print(CRD));
    project.assert_rejected("verify", 1, "generate --verify");
}

#[test]
fn failures_of_crdgen_are_reported() {
    for (case, crdgen) in [
        (
            "crdgen_panics",
            "echo \"thread 'main' panicked at src/x.rs\" >&2; exit 101",
        ),
        ("crdgen_fails_silently", "exit 4"),
        ("crdgen_is_killed", "kill -9 $$"),
        ("crdgen_prints_nothing", "true"),
        ("crdgen_prints_text", "echo hello"),
        (
            "crdgen_prints_another_kind",
            "echo '[{\"kind\": \"Role\"}]'",
        ),
        ("crdgen_prints_an_object", "echo '{}'"),
        ("crdgen_prints_many_lines", "yes | head -n 1000"),
    ] {
        project(crdgen).assert_rejected(case, 1, "generate --build");
    }
}

#[test]
fn failures_of_cargo_are_reported() {
    let project = project("true");
    let error = "echo 'error[E0425]: cannot find it' >&2\nexit 101";
    write_script(&project, "bin/cargo", error);
    project.assert_rejected("cargo_fails", 1, "generate --build");
    write_script(&project, "bin/cargo", "true");
    project.assert_rejected("cargo_builds_nothing", 1, "generate --build");
    fs::remove_file(project.path("bin/cargo")).unwrap();
    project.assert_rejected("no_cargo", 1, "generate --build");
}
