//! Files that are written, kept and removed.

use crate::api_project::{ApiProject, KUSTOMIZATION, ROLE, crd};

#[test]
fn each_kind_gets_a_crd_and_a_line_in_the_kustomization() {
    let project = ApiProject::new(&["Job", "Task"]);
    project.assert_output("first_run", "generate");
    project.assert_snapshot("crd_of_job", &project.read(&crd("Job")));
    assert_eq!(
        project.read(KUSTOMIZATION),
        "resources:\n- bases/batch.example.com_jobs.yaml\n- bases/batch.example.com_tasks.yaml\n# +kb:scaffold:crds\n"
    );
}

#[test]
fn a_second_run_touches_nothing() {
    let project = ApiProject::new(&["Job", "Task"]);
    project.succeed("generate");
    let files = [crd("Job"), crd("Task"), KUSTOMIZATION.to_owned()];
    let before = files.each_ref().map(|file| project.modified(file));
    project.assert_unchanged("second_run", "generate crd");
    assert_eq!(files.each_ref().map(|file| project.modified(file)), before);
}

#[test]
fn only_changed_kinds_are_written() {
    let project = ApiProject::new(&["Job", "Task"]);
    project.succeed("generate");
    let before = project.modified(&crd("Task"));
    project.write_kind("Job", "Something else.");
    project.assert_output("changed_kind", "generate");
    assert!(project.read(&crd("Job")).contains("Something else."));
    assert_eq!(project.modified(&crd("Task")), before);
}

#[test]
fn check_fails_with_a_diff_and_writes_nothing() {
    let project = ApiProject::new(&["Job"]);
    project.assert_rejected("check_before_the_first_run", 1, "generate --check");
    project.succeed("generate");
    project.assert_unchanged("check_up_to_date", "generate --check");
    project.write_kind("Job", "Something else.");
    project.assert_rejected(
        "check_out_of_date",
        1,
        "generate crd --check
        generate --check --dry-run
        generate --check --output json",
    );
}

#[test]
fn dry_run_and_diff_write_nothing() {
    ApiProject::new(&["Job"]).assert_unchanged("dry_run", "generate --dry-run\ngenerate --diff");
}

#[test]
fn manifests_can_be_printed() {
    let project = ApiProject::new(&["Job", "Task"]);
    let before = project.tree();
    let printed = project.succeed("generate --stdout").stdout;
    assert_eq!(project.tree(), before);
    project.succeed("generate");
    let files = [crd("Job"), crd("Task"), ROLE.to_owned()];
    assert_eq!(printed, files.map(|file| project.read(&file)).concat());
}

#[test]
fn the_crd_of_a_removed_kind_is_removed() {
    let project = ApiProject::new(&["Job", "Task"]);
    project.succeed("generate");
    project.list_kinds(&["Task"]);
    project.assert_rejected("check_with_a_removed_kind", 1, "generate --check");
    project.assert_output("removed_kind", "generate");
    assert!(!project.exists(&crd("Job")));
    assert_eq!(
        project.read(KUSTOMIZATION),
        "resources:\n- bases/batch.example.com_tasks.yaml\n# +kb:scaffold:crds\n"
    );
    project.succeed("generate --check");
}

#[test]
fn a_line_of_a_missing_crd_is_removed() {
    let project = ApiProject::new(&["Job", "Task"]);
    project.succeed("generate");
    project.remove(&crd("Task"));
    project.list_kinds(&["Job"]);
    project.succeed("generate");
    assert_eq!(
        project.read(KUSTOMIZATION),
        "resources:\n- bases/batch.example.com_jobs.yaml\n# +kb:scaffold:crds\n"
    );
}

#[test]
fn crds_are_kept_when_the_api_crate_is_missing() {
    let project = ApiProject::new(&["Job"]);
    project.succeed("generate");
    project.replace(
        "PROJECT",
        "version:",
        "resources:\n- api:\n    crdVersion: v1\n    namespaced: true\n  domain: example.com\n  group: batch\n  kind: Job\n  path: demo_api::v1\n  version: v1\nversion:",
    );
    project.remove("api");
    project.assert_rejected("missing_api_crate", 1, "generate");
}

#[test]
fn files_that_are_not_generated_are_kept() {
    let project = ApiProject::new(&["Job"]);
    let foreign = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n";
    project.write(&crd("Mine"), foreign);
    project.assert_output("foreign_crd", "generate");
    assert_eq!(project.read(&crd("Mine")), foreign);

    project.write(&crd("Job"), foreign);
    project.assert_rejected("foreign_crd_of_a_kind", 1, "generate");
}

#[test]
fn a_project_without_kinds_has_no_crds() {
    let project = ApiProject::new(&["Job"]);
    project.succeed("generate");
    project.list_kinds(&[]);
    project.assert_output("no_kinds", "generate");
    assert!(!project.exists(&crd("Job")));

    project.remove("api");
    project.write("Cargo.toml", "[workspace]\nmembers = []\n");
    project.assert_unchanged("no_api_crate", "generate\ngenerate --build");
}

#[test]
fn crds_can_be_written_to_another_directory() {
    let project = ApiProject::new(&["Job"]);
    let list = project.read(KUSTOMIZATION);
    project.succeed("generate crd --output-dir deploy/crds");
    assert!(project.exists("deploy/crds/batch.example.com_jobs.yaml"));
    assert!(!project.exists("config/crd/bases"));
    assert_eq!(project.read(KUSTOMIZATION), list);
}

#[test]
fn a_header_precedes_each_manifest() {
    let project = ApiProject::new(&["Job"]);
    project.succeed("generate");
    let before = project.tree();
    project.write("hack/header.txt", "Copyright us.\n\n# All rights.\n");
    project.succeed("generate --header-file hack/header.txt");
    for file in [&crd("Job"), ROLE] {
        let plain = before.get(file).unwrap();
        let expected = format!("# Copyright us.\n#\n# All rights.\n{plain}");
        assert_eq!(project.read(file), expected);
    }
    // Still recognized as generated.
    project.list_kinds(&[]);
    project.succeed("generate");
    assert!(!project.exists(&crd("Job")));
}

#[test]
fn descriptions_can_be_truncated_or_omitted() {
    let project = ApiProject::new(&["Job"]);
    project.write_kind("Job", "Desired state. And more of it.");
    let run = project.succeed("generate --stdout --max-desc-len 20");
    assert!(run.stdout.contains("Desired state."), "{run}");
    assert!(!run.stdout.contains("more of it"), "{run}");
    let run = project.succeed("generate --stdout --max-desc-len 0");
    assert!(!run.stdout.contains("description"), "{run}");
}

#[test]
fn a_missing_scaffold_marker_is_a_conflict() {
    let project = ApiProject::new(&["Job"]);
    project.write(KUSTOMIZATION, "resources: []\n");
    project.assert_rejected("missing_scaffold_marker", 1, "generate");
}

#[test]
fn generate_works_from_a_subdirectory() {
    let mut project = ApiProject::new(&["Job"]);
    project.0.change_dir("api/src");
    project.succeed("generate");
    assert!(project.exists(&crd("Job")));
}

#[test]
fn changes_are_a_json_document_on_request() {
    ApiProject::new(&["Job"]).assert_output("changes_in_json", "generate --output json");
}
