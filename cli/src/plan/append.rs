//! Appends changes that follow from the result of a plan.

use super::{
    Action, Change, Edit, IfExists, Plan,
    change::{FilePlan, Removal},
};

impl Plan {
    /// Appends changes that were resolved against the result of this plan.
    ///
    /// The plan then resolves to both, if the files and the mode are the same.
    pub fn append(&mut self, changes: Vec<Change>) {
        for change in changes {
            let file = self.files.entry(change.path).or_default();
            match (change.action, change.before) {
                (Action::Remove, _) => file.removal = Some(Removal::Always),
                (_, Some(expected)) => {
                    // The user modified the file, so it is not removed.
                    file.removal = None;
                    let text = change.after;
                    file.edits.push(Edit::Rewrite { expected, text });
                }
                // The file does not exist, or the plan removes it.
                (_, None) => {
                    *file = FilePlan {
                        create: Some((change.after, IfExists::Replace)),
                        ..FilePlan::default()
                    };
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::plan::{FileState, Insertion, Overwrite, RelPath, Resolved, Snapshot, resolve};

    /// Resolves a plan in a tree, and applies the result to it.
    fn applied(
        plan: &Plan,
        tree: &BTreeMap<RelPath, String>,
    ) -> (Resolved, BTreeMap<RelPath, String>) {
        let states = tree.clone().into_iter();
        let snapshot: Snapshot = states
            .map(|(path, text)| (path, FileState::File(text)))
            .collect();
        let resolved = resolve(plan, &snapshot, Overwrite::OnRequest).unwrap();
        let mut after = tree.clone();
        for change in &resolved.changes {
            match change.action {
                Action::Remove => after.remove(&change.path),
                _ => after.insert(change.path.clone(), change.after.clone()),
            };
        }
        (resolved, after)
    }

    fn tree(files: &[(&str, &str)]) -> BTreeMap<RelPath, String> {
        let files = files.iter();
        files
            .map(|(path, text)| (RelPath::new(*path), (*text).to_owned()))
            .collect()
    }

    /// A plan that creates, edits, removes and keeps files.
    fn first() -> Plan {
        let mut plan = Plan::default();
        plan.create(RelPath::new("new"), "new\n".to_owned(), IfExists::Conflict);
        let inserted = Insertion::last("lines", "inserted");
        plan.insert(RelPath::new("edited"), inserted.clone());
        plan.remove(RelPath::new("removed"));
        plan.remove_if_unmodified(RelPath::new("mine"), "scaffolded\n".to_owned());
        plan.edit(RelPath::new("absent"), Edit::RemoveInsertion(inserted));
        plan
    }

    #[test]
    fn a_plan_with_appended_changes_resolves_to_both() {
        let before = tree(&[
            ("edited", "# +kb:scaffold:lines\n"),
            ("removed", "old\n"),
            ("mine", "mine\n"),
            ("other", "old\n"),
        ]);
        let paths = ["new", "edited", "removed", "mine", "absent", "other"];
        let (_, between) = applied(&first(), &before);
        // The last text is the one that the plan removes an unmodified file for.
        for text in [
            None,
            Some("changed\n"),
            Some("inserted\n"),
            Some("scaffolded\n"),
        ] {
            let mut next = Plan::default();
            for path in paths.map(RelPath::new) {
                match text {
                    Some(text) => next.create(path, text.to_owned(), IfExists::Replace),
                    None => next.remove(path),
                }
            }
            let (resolved, after) = applied(&next, &between);
            let mut both = first();
            both.append(resolved.changes);
            assert_eq!(applied(&both, &before).1, after, "{text:?}");
        }
    }

    #[test]
    fn appending_the_previous_text_leaves_a_file_unchanged() {
        let before = tree(&[("removed", "old\n"), ("edited", "# +kb:scaffold:lines\n")]);
        let (_, between) = applied(&first(), &before);
        let mut next = Plan::default();
        for (path, text) in before.clone() {
            next.create(path, text, IfExists::Replace);
        }
        next.remove(RelPath::new("new"));
        let mut both = first();
        both.append(applied(&next, &between).0.changes);
        assert_eq!(applied(&both, &before).0.changes, []);
    }
}
