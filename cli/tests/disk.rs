//! Interference with staging files during a run.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read and write files and may panic"
)]

use std::{fs, path::Path};

use kb_rs::{
    disk::{self, DiskError, JOURNAL, Step},
    plan::{Action, Change, RelPath},
};
use tempfile::TempDir;

/// Creates a directory with the file `a`, and changes that modify `a` and create `new/b`.
fn setup() -> (TempDir, Vec<Change>) {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a"), "old\n").unwrap();
    let change = |path: &str, action, before: Option<&str>| Change {
        path: RelPath::new(path),
        action,
        before: before.map(ToOwned::to_owned),
        after: "new\n".to_owned(),
    };
    let changes = vec![
        change("a", Action::Modify, Some("old\n")),
        change("new/b", Action::Create, None),
    ];
    (dir, changes)
}

fn text(dir: &TempDir, name: &str) -> Option<String> {
    fs::read_to_string(dir.path().join(name)).ok()
}

/// Applies the changes, and calls `interfere` after each step.
fn apply(
    dir: &TempDir,
    changes: &[Change],
    interfere: impl Fn(Step<'_>, &Path),
) -> Result<(), DiskError> {
    let root = dir.path();
    disk::apply(root, changes, &mut |step| interfere(step, root))
}

#[test]
fn a_staging_file_lost_after_the_commit_is_an_error() {
    let (dir, changes) = setup();
    let applied = apply(&dir, &changes, |step, root| {
        if step == Step::Committed {
            fs::remove_file(root.join("new/.b.kb-rs-new")).unwrap();
        }
    });
    let error = applied.unwrap_err();
    assert!(
        matches!(error, DiskError::StagingFileMissing { .. }),
        "{error}"
    );
    assert_eq!(text(&dir, "a").as_deref(), Some("new\n"));

    let error = disk::recover(dir.path()).unwrap_err();
    assert!(
        matches!(error, DiskError::StagingFileMissing { .. }),
        "{error}"
    );
    assert!(dir.path().join(JOURNAL).exists());
}

#[test]
fn a_staging_file_lost_before_the_commit_rolls_back() {
    let (dir, changes) = setup();
    let last = RelPath::new("new/b");
    let applied = apply(&dir, &changes, |step, root| {
        if step == Step::Staged(&last) {
            fs::remove_file(root.join(".a.kb-rs-new")).unwrap();
        }
    });
    let error = applied.unwrap_err();
    assert!(matches!(error, DiskError::Changed { .. }), "{error}");
    assert_eq!(text(&dir, "a").as_deref(), Some("old\n"));
    let entries: Vec<_> = fs::read_dir(dir.path()).unwrap().collect();
    assert_eq!(entries.len(), 1, "{entries:?}");
}

#[cfg(unix)]
#[test]
fn a_link_at_a_staging_path_is_neither_followed_nor_removed() {
    let (dir, changes) = setup();
    let outside = tempfile::tempdir().unwrap();
    let victim = outside.path().join("victim");
    let applied = apply(&dir, &changes, |step, root| {
        if step == Step::Begun {
            std::os::unix::fs::symlink(&victim, root.join(".a.kb-rs-new")).unwrap();
        }
    });
    let error = applied.unwrap_err();
    let staging = dir.path().join(".a.kb-rs-new");
    assert!(matches!(error, DiskError::Io { path, .. } if path == staging));
    assert!(!victim.exists());
    assert!(dir.path().join(".a.kb-rs-new").is_symlink());
    assert_eq!(text(&dir, "a").as_deref(), Some("old\n"));
    assert!(!dir.path().join("new").exists());
}

#[cfg(unix)]
#[test]
fn staging_files_have_the_permissions_of_their_targets() {
    use std::os::unix::fs::PermissionsExt;

    let (dir, changes) = setup();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let private = fs::Permissions::from_mode(0o600);
    fs::set_permissions(dir.path().join("a"), private).unwrap();
    apply(&dir, &changes, |step, root| {
        if step == Step::Staged(&RelPath::new("a")) {
            assert_eq!(mode(&root.join(".a.kb-rs-new")), 0o600);
        }
    })
    .unwrap();
    assert_eq!(mode(&dir.path().join("a")), 0o600);
}
