//! Commands that conflict with files of the project name them and write nothing.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read, write and fail"
)]

use std::fs;

use scaffold_tests::Project;

const CREATE_BACKUP: &str = "create api --group batch --version v1 --kind Backup";
const INIT: &str = "init --domain example.com --project-name demo";

#[test]
fn an_existing_file_is_kept() {
    let project = Project::demo();
    project.write("src/controller/backup.rs", "// mine\n");
    project.write("tests/backup.rs", "// mine\n");
    project.assert_rejected("existing_files", 1, CREATE_BACKUP);
    project.succeed(&format!("{CREATE_BACKUP} --force"));
    assert_ne!(project.read("tests/backup.rs"), "// mine\n");
}

#[test]
fn init_keeps_files_that_many_repositories_have() {
    let project = Project::empty();
    let files = ["README.md", "LICENSE", ".gitignore"];
    for file in files {
        project.write(file, "mine\n");
    }
    project.assert_output("init_with_files_to_keep", INIT);
    for file in files {
        assert_eq!(project.read(file), "mine\n");
    }
}

#[test]
fn an_existing_cargo_toml_stops_init() {
    let project = Project::empty();
    project.write("Cargo.toml", "[package]\n");
    project.assert_rejected("init_with_a_cargo_toml", 1, INIT);
}

#[test]
fn a_missing_scaffold_marker_is_reported_with_the_lines_to_paste() {
    let project = Project::demo();
    project.replace("src/main.rs", "    // +kb:scaffold:controllers\n", "");
    project.replace(
        "config/rbac/kustomization.yaml",
        "# +kb:scaffold:roles\n",
        "",
    );
    project.assert_rejected("missing_scaffold_markers", 1, CREATE_BACKUP);
}

#[test]
fn lines_that_were_pasted_by_hand_need_no_marker() {
    let project = Project::demo();
    let main = project.read("src/main.rs");
    let line = main
        .lines()
        .find(|line| line.contains("app_service::"))
        .unwrap();
    project.replace(
        "src/main.rs",
        "    // +kb:scaffold:controllers",
        &line.replace("app_service", "backup"),
    );
    project.succeed(CREATE_BACKUP);
}

#[test]
fn a_file_to_insert_into_must_exist() {
    let project = Project::demo();
    project.remove("src/main.rs");
    project.assert_rejected("missing_file", 1, CREATE_BACKUP);
}

#[test]
fn a_directory_in_place_of_a_file_is_a_conflict() {
    let project = Project::demo();
    fs::create_dir(project.path("tests/backup.rs")).unwrap();
    project.remove("config/samples");
    project.write("config/samples", "");
    project.assert_rejected("directory_and_file_exchanged", 1, CREATE_BACKUP);
}

#[cfg(unix)]
#[test]
fn symbolic_links_are_not_followed() {
    for (case, path) in [
        ("linked_file", "src/main.rs"),
        ("linked_directory", "config/samples"),
    ] {
        let project = Project::demo();
        let outside = tempfile::tempdir().unwrap();
        let target = outside.path().join("target");
        fs::rename(project.path(path), &target).unwrap();
        std::os::unix::fs::symlink(&target, project.path(path)).unwrap();
        project.assert_rejected(case, 1, CREATE_BACKUP);
    }
}

/// Files at the paths of staging files belong to someone else: kb-rs neither writes through them nor removes them.
#[cfg(unix)]
#[test]
fn files_at_staging_paths_are_conflicts() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let project = Project::demo();
    let outside = tempfile::tempdir().unwrap();
    let victim = outside.path().join("victim");
    fs::write(&victim, "private\n").unwrap();
    fs::set_permissions(&victim, fs::Permissions::from_mode(0o600)).unwrap();
    symlink(&victim, project.path("src/controller/.mod.rs.kb-rs-new")).unwrap();
    let dangling = outside.path().join("new");
    symlink(&dangling, project.path(".PROJECT.kb-rs-new")).unwrap();
    project.write("src/.main.rs.kb-rs-new", "mine\n");
    fs::create_dir(project.path("tests/.backup.rs.kb-rs-new")).unwrap();
    project.write("src/controller/backup.rs", "// mine\n");

    project.assert_rejected(
        "staging_paths",
        1,
        &format!("{CREATE_BACKUP}\n{CREATE_BACKUP} --dry-run"),
    );
    assert_eq!(fs::read_to_string(&victim).unwrap(), "private\n");
    let mode = fs::metadata(&victim).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert!(!dangling.exists());

    for path in [
        "src/controller/backup.rs",
        "src/controller/.mod.rs.kb-rs-new",
        ".PROJECT.kb-rs-new",
        "src/.main.rs.kb-rs-new",
        "tests/.backup.rs.kb-rs-new",
    ] {
        project.remove(path);
    }
    // Files that do not change are not staged.
    symlink(&victim, project.path(".Makefile.kb-rs-new")).unwrap();
    project.succeed(CREATE_BACKUP);
}

#[test]
fn an_invalid_project_file_is_reported_with_its_line() {
    for (case, from, to) in [
        ("newer_project", "version: \"3\"\n", "version: \"4\"\n"),
        ("malformed_project", "domain: example.com\n", "domain: [\n"),
        ("invalid_kind", "kind: AppService", "kind: appService"),
        (
            "kubebuilder_project",
            "rust.kb-rs.dev/v1",
            "go.kubebuilder.io/v4",
        ),
    ] {
        let project = Project::demo();
        project.replace("PROJECT", from, to);
        project.assert_rejected(case, 1, CREATE_BACKUP);
    }
}

/// One problem, not one for every change of the file.
#[test]
fn a_malformed_cargo_toml_is_reported_once_with_its_line() {
    let project = Project::demo();
    project.replace("Cargo.toml", "[dependencies]", "[dependencies");
    project.assert_rejected("malformed_cargo_toml", 1, CREATE_BACKUP);
}

#[test]
fn a_read_only_file_is_a_conflict() {
    let project = Project::demo();
    let main = project.path("src/main.rs");
    let mut permissions = fs::metadata(&main).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&main, permissions).unwrap();
    project.assert_rejected("read_only_file", 1, CREATE_BACKUP);
}

#[test]
fn the_directory_of_init_is_normalized() {
    let project = Project::empty();
    project.succeed("init new/../other/./demo/ --domain example.com");
    assert!(project.exists("other/demo/PROJECT"));
    assert!(!project.exists("new"));

    project.write("file", "");
    project.assert_rejected("init_in_a_file", 1, "init file --domain example.com");
}

#[test]
fn the_storage_version_stays_when_it_is_scaffolded_again() {
    let project = Project::demo();
    project.succeed(
        "create api --group batch --version v2 --kind AppService
        create api --group batch --version v1 --kind AppService --force",
    );
    let is_stored = |version: &str| {
        let source = project.read(&format!("api/src/{version}/app_service.rs"));
        !source.contains("storage = false")
    };
    assert!(is_stored("v1") && !is_stored("v2"));
}
