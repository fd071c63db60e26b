//! Properties of insertions: they are idempotent and preserve the rest of the file byte for byte.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

use kb_rs::plan::{
    Action, Conflict, FileState, Insertion, Overwrite, Plan, RelPath, Resolved, Snapshot, resolve,
};
use proptest::{
    collection::{btree_set, vec},
    prelude::*,
};

const FILE: &str = "src/lib.rs";

/// Inserts into `text` by resolving a plan.
fn insert(text: &str, insertions: &[Insertion]) -> Result<Resolved, Vec<Conflict>> {
    let mut plan = Plan::default();
    for insertion in insertions {
        plan.insert(RelPath::new(FILE), insertion.clone());
    }
    let snapshot: Snapshot = [(RelPath::new(FILE), FileState::File(text.to_owned()))]
        .into_iter()
        .collect();
    resolve(&plan, &snapshot, Overwrite::Yes)
}

/// Returns the text with the insertions.
fn inserted(text: &str, insertions: &[Insertion]) -> String {
    let resolved = insert(text, insertions).unwrap();
    match &resolved.changes[..] {
        [] => text.to_owned(),
        [change] => {
            assert_eq!(change.action, Action::Modify);
            assert_eq!(change.before.as_deref(), Some(text));
            change.after.clone()
        }
        _ => unreachable!("one file"),
    }
}

/// Generates lines that are neither markers nor fragments.
fn user_line() -> impl Strategy<Value = String> {
    (
        "[ \t]{0,6}",
        "[a-zA-Z0-9 {}();/#+:*'\"é]{0,30}",
        "(\n|\n|\r\n)",
    )
        .prop_map(|(indent, text, end)| format!("{indent}{text}{end}"))
        .prop_filter("a marker", |line| !line.contains("+kb:scaffold"))
}

fn fragment() -> impl Strategy<Value = String> {
    vec(
        "[a-z]{1,6}(::[a-z]{1,6})?\\([a-z]{0,6}\\); // fragment",
        1..4,
    )
    .prop_map(|lines| lines.join("\n"))
}

/// Generates distinct names in random order.
fn names() -> impl Strategy<Value = Vec<String>> {
    btree_set("[a-z]{1,3}_[a-z]{1,3}", 1..12)
        .prop_map(|names| names.into_iter().collect::<Vec<_>>())
        .prop_shuffle()
}

fn is_subsequence(lines: &[&str], of: &[&str]) -> bool {
    let mut rest = of.iter();
    lines
        .iter()
        .all(|line| rest.any(|candidate| candidate == line))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(512) })]

    #[test]
    fn inserts_once_and_changes_nothing_else(
        above in vec(user_line(), 0..12),
        below in vec(user_line(), 0..12),
        indent in "[ \t]{0,8}",
        fragments in vec(fragment(), 1..4),
        final_newline in any::<bool>(),
    ) {
        let marker = format!("{indent}// +kb:scaffold:here\n");
        let mut text = format!("{}{marker}{}", above.concat(), below.concat());
        if !final_newline {
            text.truncate(text.trim_end_matches(['\r', '\n']).len());
        }
        let insertions: Vec<Insertion> =
            fragments.iter().map(|fragment| Insertion::last("here", fragment.clone())).collect();

        let once = inserted(&text, &insertions);

        let before: Vec<&str> = text.split_inclusive('\n').collect();
        let after: Vec<&str> = once.split_inclusive('\n').collect();
        prop_assert!(is_subsequence(&before, &after), "{text:?}\n{once:?}");
        let new: Vec<&str> =
            after.iter().copied().filter(|line| line.contains("// fragment")).collect();
        prop_assert_eq!(before.len() + new.len(), after.len());
        for line in new {
            prop_assert!(line.starts_with(&indent), "{line:?} is not indented like its marker");
        }
        let marker_at = once.find("// +kb:scaffold:here").unwrap();
        for fragment in &fragments {
            let first = fragment.lines().next().unwrap();
            let at = once.find(first);
            prop_assert!(at.is_some_and(|at| at < marker_at), "{first:?} is not before its marker");
        }
        prop_assert_eq!(inserted(&once, &insertions), once);
    }

    #[test]
    fn keeps_a_list_sorted_for_any_order_of_insertions(
        names in names(),
    ) {
        let mut text = "// +kb:scaffold:here\n".to_owned();
        for name in &names {
            text = inserted(&text, &[Insertion::sorted("here", format!("pub mod {name};"))]);
        }
        let mut sorted = names.clone();
        sorted.sort();
        let expected: Vec<String> = sorted.iter().map(|name| format!("pub mod {name};\n")).collect();
        prop_assert_eq!(text, format!("{}// +kb:scaffold:here\n", expected.concat()));
    }

    #[test]
    fn conflicts_without_a_marker(lines in vec(user_line(), 0..12), fragment in fragment()) {
        prop_assert!(insert(&lines.concat(), &[Insertion::last("here", fragment)]).is_err());
    }
}
