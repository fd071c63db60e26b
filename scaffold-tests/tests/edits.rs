//! Whatever users write into their files, `create api` leaves it there.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read, write and fail"
)]

use std::{fs, sync::LazyLock};

use proptest::{collection::vec, prelude::*};
use scaffold_tests::{KbRs, Tree};

fn kb_rs() -> KbRs {
    KbRs::at(env!("CARGO_BIN_EXE_kb-rs-under-test"))
}

/// A project with two kinds, so that every file that is ever added to exists.
static PROJECT: LazyLock<Tree> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let init =
        "init --domain example.com --project-name demo --multigroup --api batch/v1/AppService";
    kb_rs().succeed(folder.path(), init);
    kb_rs().succeed(
        folder.path(),
        "create api --group web --version v1 --kind Site",
    );
    Tree::read(folder.path()).unwrap()
});

/// One edit: a comment with a number of its own on a line somewhere in a file.
#[derive(Debug, Clone)]
struct Edit {
    file: usize,
    line: usize,
    blank_lines: usize,
    indent: usize,
    windows_line_end: bool,
}

fn edit() -> impl Strategy<Value = Edit> {
    (
        any::<usize>(),
        any::<usize>(),
        0..3_usize,
        0..9_usize,
        any::<bool>(),
    )
        .prop_map(|(file, line, blank_lines, indent, windows_line_end)| Edit {
            file,
            line,
            blank_lines,
            indent,
            windows_line_end,
        })
}

/// Carries the edits out; gives the inserted lines by file.
fn edited(edits: &[Edit]) -> (Tree, Vec<(String, String)>) {
    let folder = tempfile::tempdir().unwrap();
    PROJECT.write(folder.path()).unwrap();
    let files: Vec<&str> = PROJECT.files().map(|(path, _)| path).collect();
    let mut inserted = Vec::new();
    for (number, edit) in edits.iter().enumerate() {
        let file = files[edit.file % files.len()];
        let path = folder.path().join(file);
        let text = fs::read_to_string(&path).unwrap();
        let mut lines: Vec<String> = text.split_inclusive('\n').map(ToOwned::to_owned).collect();
        // The licence header is Rust, too.
        let sign = if file.contains(".rs") { "//" } else { "#" };
        let end = if edit.windows_line_end { "\r\n" } else { "\n" };
        let comment = format!(
            "{}{sign} edit {number} of the user",
            " ".repeat(edit.indent)
        );
        let addition = format!("{comment}{end}{}", end.repeat(edit.blank_lines));
        lines.insert(edit.line % (lines.len() + 1), addition);
        fs::write(&path, lines.concat()).unwrap();
        inserted.push((file.to_owned(), comment));
    }
    (Tree::read(folder.path()).unwrap(), inserted)
}

/// Whether the lines of `before` stand in `after` in their order: something was added, and nothing else happened.
fn is_subsequence(before: &str, after: &str) -> bool {
    let mut lines = after.split_inclusive('\n');
    before
        .split_inclusive('\n')
        .all(|line| lines.any(|candidate| candidate == line))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    #[test]
    fn every_edit_is_found_again(edits in vec(edit(), 1..60)) {
        let (before, inserted) = edited(&edits);
        let folder = tempfile::tempdir().unwrap();
        before.write(folder.path()).unwrap();

        kb_rs().succeed(
            folder.path(),
            "create api --group batch --version v1alpha1 --kind Backup --owns apps/v1/Deployment",
        );

        let after = Tree::read(folder.path()).unwrap();
        for (file, comment) in inserted {
            let text = after.get(&file).unwrap();
            prop_assert!(text.lines().any(|line| line == comment), "{file} lost {comment:?}");
        }
        for (file, text) in before.files() {
            let now = after.get(file).unwrap();
            prop_assert!(is_subsequence(text, now), "{file} lost or moved a line:\n{text}\n---\n{now}");
        }
    }
}
