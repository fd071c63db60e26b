//! Whatever users do to their files, `create api` leaves it so.
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

/// What a user may do to a line.
#[derive(Debug, Clone)]
enum Change {
    Delete,
    Repeat,
    Append(String),
    Swap,
    Uncomment,
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        Just(Change::Delete),
        Just(Change::Repeat),
        "[ -~]{1,10}".prop_map(Change::Append),
        Just(Change::Swap),
        Just(Change::Uncomment),
    ]
}

/// The project with lines changed in any way, whether that makes sense or not.
fn changed(changes: &[(usize, usize, Change)]) -> Tree {
    let folder = tempfile::tempdir().unwrap();
    PROJECT.write(folder.path()).unwrap();
    let files: Vec<&str> = PROJECT.files().map(|(path, _)| path).collect();
    for (file, line, change) in changes {
        let path = folder.path().join(files[file % files.len()]);
        let text = fs::read_to_string(&path).unwrap();
        let mut lines: Vec<String> = text.split_inclusive('\n').map(ToOwned::to_owned).collect();
        if lines.is_empty() {
            continue;
        }
        let line = line % lines.len();
        match change {
            Change::Delete => drop(lines.remove(line)),
            Change::Repeat => lines.insert(line, lines[line].clone()),
            Change::Append(text) => lines[line] = format!("{}{text}\n", lines[line].trim_end()),
            Change::Swap => lines.swap(line, 0),
            Change::Uncomment => lines[line] = lines[line].replace("// ", "").replace("# ", ""),
        }
        fs::write(&path, lines.concat()).unwrap();
    }
    Tree::read(folder.path()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    #[test]
    fn a_file_that_was_changed_in_any_way_is_added_to_or_left_alone(
        changes in vec((any::<usize>(), any::<usize>(), change()), 1..12),
    ) {
        let before = changed(&changes);
        let folder = tempfile::tempdir().unwrap();
        before.write(folder.path()).unwrap();

        let command = "create api --group batch --version v1alpha1 --kind Backup --owns apps/v1/Deployment";
        let run = kb_rs().run(folder.path(), command.split_whitespace());

        let after = Tree::read(folder.path()).unwrap();
        match run.code {
            Some(0) => for (file, text) in before.files() {
                let now = after.get(file).unwrap();
                prop_assert!(is_subsequence(text, now), "{file} lost or moved a line:\n{text}\n---\n{now}");
            },
            Some(1) => {
                prop_assert_eq!(before.difference(&after), None, "refused, and yet something changed");
                prop_assert!(run.stderr.contains("help:"), "no way out: {}", run.stderr);
            }
            code => prop_assert!(false, "ended with {code:?}: {}", run.stderr),
        }
    }
}
