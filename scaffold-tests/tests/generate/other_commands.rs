//! `create api`, `delete api`, `edit` and `init` leave the manifests up to date, or warn that they are not.

use std::fs;

use scaffold_tests::Project;

use crate::api_project::{ROLE, crd};

const CREATE: &str =
    "create api --group batch --version v1 --kind Backup --owns apps/v1/Deployment";
const CONTROLLER: &str = "src/controller/app_service.rs";
const TYPES: &str = "api/src/v1/app_service.rs";

/// Runs a command that must not change the manifests, and compares its output with a snapshot.
#[track_caller]
fn assert_skipped(project: &Project, case: &str, command: &str) {
    let generated = || {
        let tree = project.tree();
        let files = tree
            .files()
            .map(|(path, text)| (path.to_owned(), text.to_owned()));
        files
            .filter(|(path, _)| path == ROLE || path.starts_with("config/crd/bases/"))
            .collect::<Vec<_>>()
    };
    let before = generated();
    project.assert_output(case, command);
    assert_eq!(generated(), before, "{case}");
}

#[test]
fn create_api_writes_the_crd_and_the_role() {
    let project = Project::demo();
    project.assert_output("create_api", CREATE);
    project.succeed("generate --check");
    assert!(project.exists(&crd("Backup")));
    assert!(project.read(ROLE).contains("- backups\n"));
}

#[test]
fn outdated_manifests_are_updated_as_well() {
    let project = Project::demo();
    project.replace(TYPES, "/// Desired state", "/// Another state");
    project.remove(ROLE);
    project.succeed("edit --enable pdb\ngenerate --check");
    assert!(project.read(&crd("AppService")).contains("Another state"));
}

#[test]
fn sources_that_do_not_parse_are_a_warning() {
    let project = Project::demo();
    let controller = project.read(CONTROLLER);
    project.append(CONTROLLER, "fn broken( {\n");
    assert_skipped(&project, "malformed_controller", CREATE);
    assert!(project.exists("src/controller/backup.rs"));
    project.assert_rejected("malformed_controller_check", 1, "generate --check");
    project.write(CONTROLLER, &controller);
    project.succeed("generate");
    assert!(project.exists(&crd("Backup")));
    let expected = Project::demo();
    expected.succeed(CREATE);
    assert_eq!(expected.tree().difference(&project.tree()), None);
}

#[test]
fn all_commands_warn_of_invalid_sources() {
    let project = Project::demo();
    project.append(TYPES, "#[kb(minimun = 1)]\npub struct A;\nfn broken( {\n");
    assert_skipped(&project, "malformed_types", "edit --namespaced");
    assert_skipped(
        &project,
        "malformed_types_in_json",
        "edit --namespaced=false --output json",
    );
    project.assert_output(
        "create_and_delete_with_malformed_types",
        "create api --group core --version v1 --kind ConfigMap --resource=false
        delete api --group core --version v1 --kind ConfigMap",
    );
}

#[test]
fn delete_api_removes_the_crd_despite_invalid_sources() {
    let project = Project::demo();
    project.succeed(CREATE);
    project.append(CONTROLLER, "fn broken( {\n");
    project.succeed("delete api --group batch --version v1 --kind Backup");
    assert!(!project.exists(&crd("Backup")));
}

#[test]
fn a_type_that_needs_rustc_is_a_warning() {
    let project = Project::demo();
    let dependencies = "[dependencies]\n";
    let with_jiff = format!("{dependencies}jiff = \"0.2\"\n");
    project.replace("api/Cargo.toml", dependencies, &with_jiff);
    project.replace(TYPES, "Option<String>", "Option<jiff::Timestamp>");
    assert_skipped(&project, "type_of_another_crate", CREATE);
}

#[test]
fn manifests_of_the_user_are_kept() {
    let project = Project::demo();
    project.write(ROLE, "kind: ClusterRole\n");
    assert_skipped(&project, "create_api_with_a_foreign_role", CREATE);
    let project = Project::demo();
    project.write(&crd("Backup"), "kind: CustomResourceDefinition\n");
    assert_skipped(&project, "create_api_with_a_foreign_crd", CREATE);
}

#[test]
fn a_read_only_manifest_is_a_warning() {
    let project = Project::demo();
    let role = project.path(ROLE);
    let mut permissions = fs::metadata(&role).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&role, permissions).unwrap();
    assert_skipped(&project, "read_only_role", CREATE);
}

#[cfg(unix)]
#[test]
fn sources_are_not_read_through_links() {
    let project = Project::demo();
    let outside = tempfile::tempdir().unwrap();
    let target = outside.path().join("target");
    fs::rename(project.path(CONTROLLER), &target).unwrap();
    std::os::unix::fs::symlink(&target, project.path(CONTROLLER)).unwrap();
    assert_skipped(&project, "linked_source", CREATE);
}

#[test]
fn warnings_on_new_rules_are_printed() {
    let project = Project::demo();
    let create = "create api --group core --version v1 --kind Secret --resource=false";
    project.assert_output("rule_for_all_secrets", create);
    // The role does not change.
    project.assert_output("unchanged_rules", "edit --enable pdb");
}

#[test]
fn init_warns_of_invalid_sources() {
    let project = Project::empty();
    project.write("src/bin/broken.rs", "fn {\n");
    project.assert_output(
        "init_beside_malformed_sources",
        "init --domain example.com --project-name demo --api batch/v1/AppService",
    );
    project.remove("src/bin");
    project.succeed("generate");
    assert_eq!(Project::demo().tree().difference(&project.tree()), None);
}
