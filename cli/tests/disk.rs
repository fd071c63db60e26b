//! What happens to staged files while a run is under way: nothing is lost without a word, and nothing of others is touched.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read, write and fail"
)]

use std::{fs, path::Path};

use kb_rs::{
    disk::{self, DiskError, JOURNAL, Step},
    plan::{Action, Change, RelPath},
};
use tempfile::TempDir;

/// A folder with `a`, and a change of `a` that also makes `new/b`.
fn folder() -> (TempDir, Vec<Change>) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a"), "old\n").unwrap();
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
    (folder, changes)
}

fn text(folder: &TempDir, name: &str) -> Option<String> {
    fs::read_to_string(folder.path().join(name)).ok()
}

/// Applies the changes, and interferes at a step.
fn apply(
    folder: &TempDir,
    changes: &[Change],
    interfere: impl Fn(Step<'_>, &Path),
) -> Result<(), DiskError> {
    let root = folder.path();
    disk::apply(root, changes, &mut |step| interfere(step, root))
}

#[test]
fn a_staged_file_that_vanishes_after_the_commit_is_an_error_until_somebody_decides() {
    let (folder, changes) = folder();
    let applied = apply(&folder, &changes, |step, root| {
        if step == Step::Committed {
            fs::remove_file(root.join("new/.b.kb-rs-new")).unwrap();
        }
    });
    let error = applied.unwrap_err();
    assert!(matches!(error, DiskError::Lost { .. }), "{error}");
    assert!(
        error.to_string().contains(".b.kb-rs-new is gone"),
        "{error}"
    );
    assert!(error.help().contains("version control"), "{}", error.help());
    assert_eq!(text(&folder, "a").as_deref(), Some("new\n"));

    let error = disk::recover(folder.path()).unwrap_err();
    assert!(matches!(error, DiskError::Lost { .. }), "{error}");
    assert!(folder.path().join(JOURNAL).exists());
}

#[test]
fn a_staged_file_that_vanishes_before_the_commit_undoes_the_run() {
    let (folder, changes) = folder();
    let last = RelPath::new("new/b");
    let applied = apply(&folder, &changes, |step, root| {
        if step == Step::Staged(&last) {
            fs::remove_file(root.join(".a.kb-rs-new")).unwrap();
        }
    });
    let error = applied.unwrap_err();
    assert!(matches!(error, DiskError::Changed { .. }), "{error}");
    assert_eq!(text(&folder, "a").as_deref(), Some("old\n"));
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

#[cfg(unix)]
#[test]
fn what_appears_at_a_staging_name_is_neither_followed_nor_removed() {
    let (folder, changes) = folder();
    let outside = tempfile::tempdir().unwrap();
    let victim = outside.path().join("victim");
    let applied = apply(&folder, &changes, |step, root| {
        if step == Step::Begun {
            std::os::unix::fs::symlink(&victim, root.join(".a.kb-rs-new")).unwrap();
        }
    });
    let error = applied.unwrap_err();
    assert!(error.to_string().contains(".a.kb-rs-new"), "{error}");
    assert!(!victim.exists());
    assert!(folder.path().join(".a.kb-rs-new").is_symlink());
    assert_eq!(text(&folder, "a").as_deref(), Some("old\n"));
    assert!(!folder.path().join("new").exists());
}

#[cfg(unix)]
#[test]
fn a_private_file_stays_private_and_is_private_while_it_is_staged() {
    use std::os::unix::fs::PermissionsExt;

    let (folder, changes) = folder();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let private = fs::Permissions::from_mode(0o600);
    fs::set_permissions(folder.path().join("a"), private).unwrap();
    apply(&folder, &changes, |step, root| {
        if step == Step::Staged(&RelPath::new("a")) {
            assert_eq!(mode(&root.join(".a.kb-rs-new")), 0o600);
        }
    })
    .unwrap();
    assert_eq!(mode(&folder.path().join("a")), 0o600);
}
