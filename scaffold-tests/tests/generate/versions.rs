//! Versions of a kind that would lose data in conversions are rejected.

use scaffold_tests::Project;

const V1: &str = "api/src/v1/job.rs";
const V2: &str = "api/src/v2/job.rs";
const FIELD: &str = "pub foo: Option<String>,";

/// Creates a project with two versions of a kind.
fn project() -> Project {
    Project::new(
        "init --domain example.com --project-name demo
        create api --group batch --version v1 --kind Job --controller=false
        create api --group batch --version v2 --kind Job --controller=false
        generate",
    )
}

#[test]
fn a_field_that_one_version_lacks_is_rejected() {
    let project = project();
    let schedule = "pub schedule: Option<String>,";
    project.replace(V2, FIELD, &format!("{FIELD}\n    {schedule}"));
    project.assert_rejected(
        "field_of_one_version",
        1,
        "generate
        generate --check
        generate crd --stdout
        generate --dry-run",
    );
    let marked = format!("#[kb(lossy = \"v1 has no schedules\")]\n    {schedule}");
    project.replace(V2, schedule, &marked);
    project.succeed("generate");
}

#[test]
fn a_field_of_another_type_requires_a_conversion_webhook() {
    let project = project();
    project.replace(V1, "#[kb(example = \"bar\")]\n", "");
    project.replace(V1, FIELD, "pub foo: Option<Vec<i32>>,");
    project.assert_rejected("field_of_another_type", 1, "generate");
    let patch = "patches:\n- patch: |-\n    kind: CustomResourceDefinition\n    metadata:\n      name: jobs.batch.example.com\n    spec:\n      conversion:\n        strategy: Webhook\n";
    let list = "config/crd/kustomization.yaml";
    project.replace(list, "resources:", &format!("{patch}resources:"));
    project.succeed("generate");
}
