//! Versions of a kind that would lose data between each other are refused.

use std::fs;

use tempfile::TempDir;

use crate::project::kb_rs;

const ONE: &str = "api/src/v1/job.rs";
const TWO: &str = "api/src/v2/job.rs";
const FIELD: &str = "pub foo: Option<String>,";

/// A project with two versions of a kind.
fn project() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for command in [
        "init --domain example.com --project-name demo",
        "create api --group batch --version v1 --kind Job --controller=false",
        "create api --group batch --version v2 --kind Job --controller=false",
        "generate",
    ] {
        kb_rs().succeed(folder.path(), command);
    }
    folder
}

fn replace(project: &TempDir, path: &str, from: &str, to: &str) {
    let path = project.path().join(path);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{text}");
    fs::write(path, text.replace(from, to)).unwrap();
}

#[test]
fn a_field_that_one_version_lacks_is_refused_at_its_place() {
    let project = project();
    replace(
        &project,
        TWO,
        FIELD,
        &format!("{FIELD}\n    pub schedule: Option<String>,"),
    );
    for command in [
        "generate",
        "generate --check",
        "generate crd --stdout",
        "generate --dry-run",
    ] {
        kb_rs().refused(
            project.path(),
            command,
            1,
            &[
                "this field is lost when objects are stored as v1",
                "(.spec.schedule of Job (v2))",
                "api/src/v2/job.rs:22:9",
                "pub schedule: Option<String>,",
                "^^^^^^^^",
                "#[kb(lossy = \"reason\")]",
            ],
        );
    }
    replace(
        &project,
        TWO,
        "pub schedule",
        "#[kb(lossy = \"v1 has no schedules\")]\n    pub schedule",
    );
    kb_rs().succeed(project.path(), "generate");
}

#[test]
fn a_field_of_another_type_is_refused_unless_a_webhook_converts_it() {
    let project = project();
    replace(&project, ONE, "#[kb(example = \"bar\")]\n", "");
    replace(&project, ONE, FIELD, "pub foo: Option<Vec<i32>>,");
    let expected = "this field is a string, and a list in v1: nothing converts it";
    kb_rs().refused(project.path(), "generate", 1, &[expected]);
    let list = "config/crd/kustomization.yaml";
    let patch = "patches:\n- patch: |-\n    kind: CustomResourceDefinition\n    metadata:\n      name: jobs.batch.example.com\n    spec:\n      conversion:\n        strategy: Webhook\n";
    replace(&project, list, "resources:", &format!("{patch}resources:"));
    kb_rs().succeed(project.path(), "generate");
}
