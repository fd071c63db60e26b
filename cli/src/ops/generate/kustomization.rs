//! `config/crd/kustomization.yaml` follows the CRDs: a line for each, and none for those that are gone.
//!
//! A line that the user has commented out is a wish that is kept, and so is another spelling of it.

use std::collections::BTreeSet;

use crate::plan::{Edit, Insertion, Plan, RelPath};

/// The file, seen from the project's root.
pub(super) const KUSTOMIZATION: &str = "config/crd/kustomization.yaml";

/// The files in `bases/` that are listed.
pub(super) fn listed(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(entry)
}

/// Plans a line for each of `wanted`, and takes out those of `unwanted`; both are names of files in `bases/`. `text` is what the file
/// says now.
pub(super) fn plan(text: &str, wanted: &[String], unwanted: &[String], plan: &mut Plan) {
    let path = RelPath::new(KUSTOMIZATION);
    let listed: BTreeSet<&str> = text
        .lines()
        .filter_map(|line| entry(line.trim_start_matches(['#', ' ', '\t'])))
        .collect();
    let missing: Vec<String> = wanted
        .iter()
        .filter(|name| !listed.contains(name.as_str()))
        .map(|name| format!("- bases/{name}"))
        .collect();
    if !missing.is_empty() {
        plan.insert(path.clone(), Insertion::last("crds", missing.join("\n")));
    }
    let goes =
        |line: &&str| entry(line).is_some_and(|name| unwanted.iter().any(|other| other == name));
    for line in text.lines().filter(goes) {
        plan.edit(path.clone(), Edit::RemoveLine(line.trim().to_owned()));
    }
}

/// The name of the file in `bases/` that a line lists.
fn entry(line: &str) -> Option<&str> {
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
    fn check(before: &str, wanted: &[&str], unwanted: &[&str], expected: &str) {
        let owned = |names: &[&str]| {
            names
                .iter()
                .map(|name| (*name).to_owned())
                .collect::<Vec<_>>()
        };
        let mut changes = Plan::default();
        plan(before, &owned(wanted), &owned(unwanted), &mut changes);
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
    fn a_new_file_is_listed_before_the_marker_once() {
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
    fn other_spellings_and_lines_that_are_commented_out_count() {
        let text = format!(
            "resources:\n- \"bases/a.yaml\"\n- ./bases/b.yaml # soon\n#- bases/c.yaml\n{MARKER}"
        );
        check(&text, &["a.yaml", "b.yaml", "c.yaml"], &[], &text);
    }

    #[test]
    fn the_line_of_a_file_that_is_gone_goes() {
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
    fn a_file_without_a_marker_is_left_alone_if_nothing_is_missing() {
        check(
            "resources:\n- bases/a.yaml\n",
            &["a.yaml"],
            &[],
            "resources:\n- bases/a.yaml\n",
        );
    }
}
