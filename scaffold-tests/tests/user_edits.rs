//! `create api` keeps arbitrary edits of the user.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read, write and fail"
)]

use std::sync::LazyLock;

use proptest::{collection::vec, prelude::*};
use scaffold_tests::{Project, Tree};

const CREATE: &str =
    "create api --group batch --version v1alpha1 --kind Backup --owns apps/v1/Deployment";

/// The list of CRDs.
const CRDS: &str = "config/crd/kustomization.yaml";

/// A project with two kinds, in which all files exist that `create api` inserts into.
static PROJECT: LazyLock<Tree> = LazyLock::new(|| {
    let project = Project::new(
        "init --domain example.com --project-name demo --multigroup --api batch/v1/AppService
        create api --group web --version v1 --kind Site",
    );
    project.tree()
});

/// Copies the project, and changes the lines of files. A number selects the file.
fn changed<'a, T: 'a>(
    changes: impl IntoIterator<Item = (usize, &'a T)>,
    mut change: impl FnMut(&str, &mut Vec<String>, &'a T),
) -> Project {
    let project = Project::empty();
    PROJECT.write(project.root()).unwrap();
    let files: Vec<&str> = PROJECT.files().map(|(path, _)| path).collect();
    for (file, parameters) in changes {
        let path = files[file % files.len()];
        let text = project.read(path);
        let mut lines: Vec<String> = text.split_inclusive('\n').map(ToOwned::to_owned).collect();
        change(path, &mut lines, parameters);
        project.write(path, &lines.concat());
    }
    project
}

/// A numbered comment on a random line of a file.
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

/// Inserts the comments. Returns them with their files.
fn commented(edits: &[Edit]) -> (Project, Vec<(String, String)>) {
    let mut inserted = Vec::new();
    let project = changed(
        edits.iter().map(|edit| (edit.file, edit)),
        |path, lines, edit| {
            // The license header in hack/ is Rust, too.
            let sign = if path.contains(".rs") { "//" } else { "#" };
            let end = if edit.windows_line_end { "\r\n" } else { "\n" };
            let indent = " ".repeat(edit.indent);
            let comment = format!("{indent}{sign} edit {} of the user", inserted.len());
            let addition = format!("{comment}{end}{}", end.repeat(edit.blank_lines));
            lines.insert(edit.line % (lines.len() + 1), addition);
            inserted.push((path.to_owned(), comment));
        },
    );
    (project, inserted)
}

/// Returns whether the user may edit a file. kb-rs owns PROJECT and the generated manifests, and rewrites them without comments.
fn is_editable(path: &str) -> bool {
    let is_owned = ["PROJECT", "config/rbac/role.yaml"].contains(&path);
    !is_owned && !path.starts_with("config/crd/bases/")
}

/// Returns the first file that lost or moved a line, with its old text. Entries of missing CRDs are removed, because kustomize rejects them.
fn lost_line<'a>(before: &'a Tree, after: &Tree) -> Option<(&'a str, &'a str)> {
    let mut files = before.files().filter(|(file, _)| is_editable(file));
    files.find(|(file, text)| {
        let is_entry = |line: &&str| *file == CRDS && line.contains("bases/");
        let mut lines = after.get(file).unwrap().split_inclusive('\n');
        let mut old = text.split_inclusive('\n').filter(|line| !is_entry(line));
        !old.all(|line| lines.any(|candidate| candidate == line))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    #[test]
    fn inserted_comments_are_kept(edits in vec(edit(), 1..60)) {
        let (project, inserted) = commented(&edits);
        let before = project.tree();
        project.succeed(CREATE);
        let after = project.tree();
        for (file, comment) in inserted.iter().filter(|(file, _)| is_editable(file)) {
            let text = after.get(file).unwrap();
            prop_assert!(text.lines().any(|line| line == comment), "{file} lost {comment:?}");
        }
        if let Some((file, text)) = lost_line(&before, &after) {
            prop_assert!(false, "{file} lost or moved a line:\n{text}\n---\n{}", after.get(file).unwrap());
        }
    }
}

/// A change of a line, whether it makes sense or not.
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

fn apply_change(lines: &mut Vec<String>, line: usize, change: &Change) {
    if lines.is_empty() {
        return;
    }
    let line = line % lines.len();
    match change {
        Change::Delete => drop(lines.remove(line)),
        Change::Repeat => lines.insert(line, lines[line].clone()),
        Change::Append(text) => lines[line] = format!("{}{text}\n", lines[line].trim_end()),
        Change::Swap => lines.swap(line, 0),
        Change::Uncomment => lines[line] = lines[line].replace("// ", "").replace("# ", ""),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    #[test]
    fn arbitrarily_changed_files_are_inserted_into_or_unchanged(
        changes in vec((any::<usize>(), any::<usize>(), change()), 1..12),
    ) {
        let places = changes.iter().map(|change| (change.0, change));
        let project = changed(places, |_, lines, (_, line, change)| apply_change(lines, *line, change));
        let before = project.tree();
        let run = project.run(CREATE.split_whitespace());
        let after = project.tree();
        match run.code {
            Some(0) => if let Some((file, text)) = lost_line(&before, &after) {
                prop_assert!(false, "{file} lost or moved a line:\n{text}\n---\n{}", after.get(file).unwrap());
            },
            Some(1) => {
                prop_assert_eq!(before.difference(&after), None, "rejected, but files changed");
                prop_assert!(run.stderr.contains("help:"), "no help: {}", run);
            }
            code => prop_assert!(false, "exit code {code:?}: {run}"),
        }
    }
}
