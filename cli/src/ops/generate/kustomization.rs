//! Keeps the list of CRDs in `config/crd/kustomization.yaml` up to date.
//!
//! Lines that the user commented out or spelled differently stay as they are.

use std::collections::BTreeSet;

use crate::plan::{Edit, Insertion, Plan, RelPath};

/// The file, relative to the project root.
pub(super) const KUSTOMIZATION: &str = "config/crd/kustomization.yaml";

/// Returns the listed files in `bases/`.
pub(super) fn listed(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(listed_file)
}

/// Adds the missing lines of `desired` files, and removes those of `removed` files; both are names in `bases/`. `text` is the current
/// content.
pub(super) fn plan(text: &str, desired: &[String], removed: &[String], plan: &mut Plan) {
    let path = RelPath::new(KUSTOMIZATION);
    let listed: BTreeSet<&str> = text
        .lines()
        .filter_map(|line| listed_file(line.trim_start_matches(['#', ' ', '\t'])))
        .collect();
    let missing: Vec<String> = desired
        .iter()
        .filter(|name| !listed.contains(name.as_str()))
        .map(|name| format!("- bases/{name}"))
        .collect();
    if !missing.is_empty() {
        plan.insert(path.clone(), Insertion::last("crds", missing.join("\n")));
    }
    let is_removed =
        |line: &&str| listed_file(line).is_some_and(|name| removed.iter().any(|file| file == name));
    for line in text.lines().filter(is_removed) {
        plan.edit(path.clone(), Edit::RemoveLine(line.trim().to_owned()));
    }
}

/// Returns the file in `bases/` that a line lists.
fn listed_file(line: &str) -> Option<&str> {
    let item = line.trim().strip_prefix("- ")?;
    let item = item.split(" #").next().unwrap_or(item).trim();
    let item = item.trim_matches(['"', '\'']);
    item.strip_prefix("./")
        .unwrap_or(item)
        .strip_prefix("bases/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{FileState, Overwrite, Snapshot, resolve};

    const MARKER: &str = "# +kb:scaffold:crds\n";

    #[track_caller]
    fn check(before: &str, desired: &[&str], removed: &[&str], expected: &str) {
        let owned = |names: &[&str]| {
            names
                .iter()
                .map(|name| (*name).to_owned())
                .collect::<Vec<_>>()
        };
        let mut changes = Plan::default();
        plan(before, &owned(desired), &owned(removed), &mut changes);
        let entry = (
            RelPath::new(KUSTOMIZATION),
            FileState::File(before.to_owned()),
        );
        let snapshot: Snapshot = [entry].into_iter().collect();
        let resolved = resolve(&changes, &snapshot, Overwrite::Never).unwrap();
        let after = resolved
            .changes
            .first()
            .map_or(before, |change| &change.after);
        assert_eq!(after, expected);
    }

    #[test]
    fn lists_a_new_file_once_before_the_marker() {
        let after = format!("resources:\n- bases/a.yaml\n- bases/b.yaml\n{MARKER}");
        check(
            &format!("resources:\n- bases/a.yaml\n{MARKER}"),
            &["a.yaml", "b.yaml"],
            &[],
            &after,
        );
        check(&after, &["a.yaml", "b.yaml"], &[], &after);
    }

    #[test]
    fn accepts_other_spellings_and_commented_out_lines() {
        let text = format!(
            "resources:\n- \"bases/a.yaml\"\n- ./bases/b.yaml # soon\n#- bases/c.yaml\n{MARKER}"
        );
        check(&text, &["a.yaml", "b.yaml", "c.yaml"], &[], &text);
    }

    #[test]
    fn removes_the_line_of_a_removed_file() {
        check(
            &format!(
                "resources:\r\n  - bases/a.yaml # mine\r\n  - bases/ab.yaml\r\n# - bases/a.yaml\r\n{MARKER}"
            ),
            &[],
            &["a.yaml"],
            &format!("resources:\r\n  - bases/ab.yaml\r\n# - bases/a.yaml\r\n{MARKER}"),
        );
    }

    #[test]
    fn needs_no_marker_if_nothing_is_missing() {
        check(
            "resources:\n- bases/a.yaml\n",
            &["a.yaml"],
            &[],
            "resources:\n- bases/a.yaml\n",
        );
    }
}
