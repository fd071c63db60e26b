//! A tree that does not allow a call is named, file by file, and nothing is written.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read, write and fail"
)]

use std::{fs, path::Path};

use scaffold_tests::KbRs;
use tempfile::TempDir;

const API: &str = "create api --group batch --version v1 --kind AppService";

fn kb_rs() -> KbRs {
    KbRs::at(env!("CARGO_BIN_EXE_kb-rs-under-test"))
}

/// A project with one kind.
fn project() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    kb_rs().succeed(
        folder.path(),
        "init --domain example.com --project-name demo --api batch/v1/AppService",
    );
    folder
}

fn replace(path: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(path).unwrap();
    assert!(text.contains(from), "{} has no {from:?}", path.display());
    fs::write(path, text.replace(from, to)).unwrap();
}

#[test]
fn a_file_in_the_way_is_kept() {
    let folder = project();
    fs::write(folder.path().join("src/controller/backup.rs"), "// mine\n").unwrap();
    fs::write(folder.path().join("tests/backup.rs"), "// mine\n").unwrap();
    let command = "create api --group batch --version v1 --kind Backup";
    kb_rs().refused(
        folder.path(),
        command,
        1,
        &[
            "src/controller/backup.rs exists already, with other content",
            "tests/backup.rs exists already",
            "--force",
        ],
    );
    kb_rs().succeed(folder.path(), &format!("{command} --force"));
    let text = fs::read_to_string(folder.path().join("tests/backup.rs")).unwrap();
    assert_ne!(text, "// mine\n");
}

#[test]
fn files_that_many_projects_have_are_kept_by_init() {
    let folder = tempfile::tempdir().unwrap();
    for file in ["README.md", "LICENSE", ".gitignore"] {
        fs::write(folder.path().join(file), "mine\n").unwrap();
    }
    let run = kb_rs().succeed(
        folder.path(),
        "init --domain example.com --project-name demo",
    );
    for file in ["README.md", "LICENSE", ".gitignore"] {
        assert_eq!(
            fs::read_to_string(folder.path().join(file)).unwrap(),
            "mine\n"
        );
        assert!(
            run.stdout.contains(&format!("keep {file}")),
            "{}",
            run.stdout
        );
    }
}

#[test]
fn a_cargo_toml_in_the_way_stops_init() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("Cargo.toml"), "[package]\n").unwrap();
    kb_rs().refused(
        folder.path(),
        "init --domain example.com --project-name demo",
        1,
        &["Cargo.toml exists already"],
    );
}

#[test]
fn a_marker_that_is_gone_is_named_with_the_text_to_paste() {
    let folder = project();
    replace(
        &folder.path().join("src/main.rs"),
        "    // +kb:scaffold:controllers\n",
        "",
    );
    replace(
        &folder.path().join("config/rbac/kustomization.yaml"),
        "# +kb:scaffold:roles\n",
        "",
    );
    kb_rs().refused(
        folder.path(),
        "create api --group batch --version v1 --kind Backup",
        1,
        &[
            "src/main.rs has no line `// +kb:scaffold:controllers`",
            "demo::controller::backup::register(&manager);",
            "config/rbac/kustomization.yaml has no line `# +kb:scaffold:roles`",
            "- backup_admin_role.yaml",
        ],
    );
}

#[test]
fn text_that_was_pasted_by_hand_needs_no_marker() {
    let folder = project();
    replace(
        &folder.path().join("src/main.rs"),
        "    // +kb:scaffold:controllers\n",
        "    demo::controller::backup::register(&manager);\n",
    );
    kb_rs().succeed(
        folder.path(),
        "create api --group batch --version v1 --kind Backup",
    );
}

#[test]
fn a_file_that_has_to_be_added_to_must_exist() {
    let folder = project();
    fs::remove_file(folder.path().join("src/main.rs")).unwrap();
    kb_rs().refused(
        folder.path(),
        "create api --group batch --version v1 --kind Backup",
        1,
        &["src/main.rs does not exist", "controller::backup::start"],
    );
}

#[test]
fn a_folder_or_a_file_in_the_wrong_place_is_named() {
    let folder = project();
    fs::create_dir(folder.path().join("tests/backup.rs")).unwrap();
    fs::remove_dir_all(folder.path().join("config/samples")).unwrap();
    fs::write(folder.path().join("config/samples"), "").unwrap();
    kb_rs().refused(
        folder.path(),
        "create api --group batch --version v1 --kind Backup",
        1,
        &[
            "tests/backup.rs is a folder",
            "config/samples is a file or a link",
        ],
    );
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_symbolic_link() {
    let folder = project();
    let outside = tempfile::tempdir().unwrap();
    let target = outside.path().join("main.rs");
    fs::rename(folder.path().join("src/main.rs"), &target).unwrap();
    std::os::unix::fs::symlink(&target, folder.path().join("src/main.rs")).unwrap();
    kb_rs().refused(
        folder.path(),
        "create api --group batch --version v1 --kind Backup",
        1,
        &["src/main.rs is a symbolic link"],
    );
}

/// What is at a staging name came from somebody else: kb-rs neither writes through it nor removes it, and names all of it at once.
#[cfg(unix)]
#[test]
fn what_is_at_a_staging_name_is_a_conflict() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let folder = project();
    let outside = tempfile::tempdir().unwrap();
    let victim = outside.path().join("victim");
    fs::write(&victim, "private\n").unwrap();
    fs::set_permissions(&victim, fs::Permissions::from_mode(0o600)).unwrap();
    let at = |name: &str| folder.path().join(name);
    symlink(&victim, at("src/controller/.mod.rs.kb-rs-new")).unwrap();
    symlink(outside.path().join("new"), at(".PROJECT.kb-rs-new")).unwrap();
    fs::write(at("src/.main.rs.kb-rs-new"), "mine\n").unwrap();
    fs::create_dir(at("tests/.backup.rs.kb-rs-new")).unwrap();
    fs::write(at("src/controller/backup.rs"), "// mine\n").unwrap();

    let create = "create api --group batch --version v1 --kind Backup";
    let expected = [
        "src/controller/.mod.rs.kb-rs-new is a symbolic link",
        ".PROJECT.kb-rs-new is a symbolic link",
        "src/.main.rs.kb-rs-new exists, and the new content of src/main.rs has to be staged there",
        "tests/.backup.rs.kb-rs-new exists",
        "src/controller/backup.rs exists already",
    ];
    kb_rs().refused(folder.path(), create, 1, &expected);
    kb_rs().refused(folder.path(), &format!("{create} --dry-run"), 1, &expected);
    assert_eq!(fs::read_to_string(&victim).unwrap(), "private\n");
    let mode = fs::metadata(&victim).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert!(!outside.path().join("new").exists());

    // A file that does not change is not staged.
    fs::remove_file(at("src/controller/backup.rs")).unwrap();
    for name in [
        "src/controller/.mod.rs.kb-rs-new",
        ".PROJECT.kb-rs-new",
        "src/.main.rs.kb-rs-new",
    ] {
        fs::remove_file(at(name)).unwrap();
    }
    fs::remove_dir(at("tests/.backup.rs.kb-rs-new")).unwrap();
    symlink(&victim, at(".Makefile.kb-rs-new")).unwrap();
    kb_rs().succeed(folder.path(), create);
}

#[test]
fn a_project_file_that_is_newer_or_broken_is_located() {
    let folder = project();
    let project = folder.path().join("PROJECT");
    let original = fs::read_to_string(&project).unwrap();
    for (from, to, expected) in [
        ("version: \"3\"\n", "version: \"4\"\n", "version"),
        ("domain: example.com\n", "domain: [\n", "PROJECT:"),
        (
            "kind: AppService",
            "kind: appService",
            "kind \"appService\"",
        ),
        ("rust.kb-rs.dev/v1", "go.kubebuilder.io/v4", "Kubebuilder"),
    ] {
        fs::write(&project, original.replacen(from, to, 1)).unwrap();
        kb_rs().refused(folder.path(), API, 1, &["PROJECT:", expected]);
    }
}

#[test]
fn a_broken_cargo_toml_is_located() {
    let folder = project();
    replace(
        &folder.path().join("Cargo.toml"),
        "[dependencies]",
        "[dependencies",
    );
    kb_rs().refused(
        folder.path(),
        "create api --group batch --version v1 --kind Backup",
        1,
        &["Cargo.toml is not valid TOML", "line"],
    );
}

#[test]
fn one_broken_file_is_one_problem() {
    let folder = project();
    replace(
        &folder.path().join("Cargo.toml"),
        "[dependencies]",
        "[dependencies",
    );
    let run = kb_rs().refused(
        folder.path(),
        "create api --group batch --version v1 --kind Backup",
        1,
        &["Cargo.toml is not valid TOML"],
    );
    assert_eq!(run.stderr.matches("error:").count(), 1, "{}", run.stderr);
}

#[test]
fn a_read_only_file_is_not_changed() {
    let folder = project();
    let main = folder.path().join("src/main.rs");
    let mut permissions = fs::metadata(&main).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&main, permissions).unwrap();
    kb_rs().refused(
        folder.path(),
        "create api --group batch --version v1 --kind Backup",
        1,
        &["src/main.rs is read-only"],
    );
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_linked_folder() {
    let folder = project();
    let outside = tempfile::tempdir().unwrap();
    fs::rename(
        folder.path().join("config/samples"),
        outside.path().join("samples"),
    )
    .unwrap();
    std::os::unix::fs::symlink(
        outside.path().join("samples"),
        folder.path().join("config/samples"),
    )
    .unwrap();
    kb_rs().refused(
        folder.path(),
        "create api --group batch --version v1 --kind Backup",
        1,
        &["config/samples is a file or a link"],
    );
}

#[test]
fn the_folder_of_a_project_may_be_written_in_any_way() {
    let folder = tempfile::tempdir().unwrap();
    kb_rs().succeed(
        folder.path(),
        "init new/../other/./demo/ --domain example.com",
    );
    assert!(folder.path().join("other/demo/PROJECT").exists());
    assert!(!folder.path().join("new").exists());

    fs::write(folder.path().join("file"), "").unwrap();
    kb_rs().refused(
        folder.path(),
        "init file --domain example.com",
        1,
        &["is not a folder"],
    );
}

#[test]
fn making_the_stored_version_anew_leaves_it_stored() {
    let folder = project();
    kb_rs().succeed(
        folder.path(),
        "create api --group batch --version v2 --kind AppService",
    );
    kb_rs().succeed(
        folder.path(),
        "create api --group batch --version v1 --kind AppService --force",
    );
    let read = |version| {
        let file = format!("api/src/{version}/app_service.rs");
        fs::read_to_string(folder.path().join(file)).unwrap()
    };
    assert!(!read("v1").contains("storage = false"));
    assert!(read("v2").contains("storage = false"));
}
