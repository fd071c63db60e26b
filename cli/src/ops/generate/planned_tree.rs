//! The project as a plan leaves it: the resolved changes over the files on disk.
//!
//! Like the files of a plan, nothing is read through a symbolic link.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
};

use super::ProjectFiles;
use crate::{
    plan::{Action, Change, FileState, RelPath, Snapshot, existing_text},
    problem::{Failure, Problem},
    source::Files,
};

/// The files on disk with the changes of a plan.
pub(super) struct PlannedTree<'a> {
    /// The new text of each changed file; `None` if the plan removes it.
    changes: BTreeMap<&'a RelPath, Option<&'a str>>,
    disk: &'a dyn ProjectFiles,
    /// State on disk of all files that [`ProjectFiles::snapshot`] read.
    read: RefCell<Snapshot>,
}

impl<'a> PlannedTree<'a> {
    /// Creates the tree of these changes.
    pub(super) fn new(changes: &'a [Change], disk: &'a dyn ProjectFiles) -> Self {
        let changes = changes.iter().map(|change| {
            let is_removed = change.action == Action::Remove;
            (&change.path, (!is_removed).then_some(&*change.after))
        });
        Self {
            changes: changes.collect(),
            disk,
            read: RefCell::default(),
        }
    }

    /// Returns the state on disk of all files that [`ProjectFiles::snapshot`] read, except those that the plan changes.
    pub(super) fn into_read(self) -> Snapshot {
        self.read.into_inner()
    }

    fn state(&self, path: &RelPath) -> FileState {
        match self.changes.get(path) {
            Some(text) => planned_state(*text),
            None => self.disk.snapshot(BTreeSet::from([path])).get(path).clone(),
        }
    }

    /// Returns whether there is nothing at a path with this state: it does not exist, or would be below a file.
    fn is_absent(&self, state: &FileState) -> bool {
        match state {
            FileState::Missing => true,
            FileState::Blocked { by } => self.state(by) != FileState::Symlink,
            _ => false,
        }
    }

    fn entries_on_disk(&self, dir: Option<&RelPath>) -> Result<Vec<RelPath>, Failure> {
        let Some(dir) = dir else {
            return self.disk.list(None);
        };
        match self.state(dir) {
            FileState::Directory => self.disk.list(Some(dir)),
            state if self.is_absent(&state) => Ok(Vec::new()),
            state => match existing_text(dir, &state) {
                Ok(_) => Ok(Vec::new()),
                Err(conflict) => Err(Problem::from(conflict).into()),
            },
        }
    }
}

fn planned_state(text: Option<&str>) -> FileState {
    text.map_or(FileState::Missing, |text| FileState::File(text.to_owned()))
}

impl ProjectFiles for PlannedTree<'_> {
    fn list(&self, dir: Option<&RelPath>) -> Result<Vec<RelPath>, Failure> {
        let mut entries: BTreeSet<RelPath> = self.entries_on_disk(dir)?.into_iter().collect();
        let prefix = dir.map_or(String::new(), |dir| format!("{dir}/"));
        for (path, text) in &self.changes {
            let Some(rest) = path.as_str().strip_prefix(&prefix) else {
                continue;
            };
            match text {
                Some(_) => {
                    let name = rest.split('/').next().unwrap_or(rest);
                    entries.insert(RelPath::new(format!("{prefix}{name}")));
                }
                None => {
                    entries.remove(path);
                }
            }
        }
        Ok(entries.into_iter().collect())
    }

    fn snapshot(&self, paths: BTreeSet<&RelPath>) -> Snapshot {
        let (changed, others): (BTreeSet<&RelPath>, BTreeSet<&RelPath>) = paths
            .into_iter()
            .partition(|path| self.changes.contains_key(path));
        let mut snapshot = self.disk.snapshot(others);
        self.read.borrow_mut().extend(snapshot.clone());
        let changed = changed.into_iter();
        snapshot.extend(changed.map(|path| (path.clone(), self.state(path))));
        snapshot
    }
}

impl Files for PlannedTree<'_> {
    fn text(&self, path: &RelPath) -> Result<Option<String>, String> {
        let state = self.state(path);
        if self.is_absent(&state) {
            return Ok(None);
        }
        existing_text(path, &state)
            .map(|text| text.map(ToOwned::to_owned))
            .map_err(|conflict| format!("file {}", conflict.problem))
    }

    fn entries(&self, dir: Option<&RelPath>) -> Result<Vec<RelPath>, String> {
        self.list(dir).map_err(|failure| {
            let mut problems = failure.problems.into_iter();
            problems
                .next()
                .map(|problem| problem.message)
                .unwrap_or_default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files on disk.
    struct Disk(Vec<(&'static str, FileState)>);

    impl ProjectFiles for Disk {
        fn list(&self, dir: Option<&RelPath>) -> Result<Vec<RelPath>, Failure> {
            let parent = |path: &RelPath| path.parents().last();
            let paths = self.0.iter().map(|(path, _)| RelPath::new(*path));
            Ok(paths.filter(|path| parent(path).as_ref() == dir).collect())
        }

        fn snapshot(&self, paths: BTreeSet<&RelPath>) -> Snapshot {
            let states = self
                .0
                .iter()
                .map(|(path, state)| (RelPath::new(*path), state.clone()));
            states.filter(|(path, _)| paths.contains(path)).collect()
        }
    }

    fn file(text: &str) -> FileState {
        FileState::File(text.to_owned())
    }

    fn change(path: &str, after: Option<&str>) -> Change {
        Change {
            path: RelPath::new(path),
            action: after.map_or(Action::Remove, |_| Action::Modify),
            before: None,
            after: after.unwrap_or_default().to_owned(),
        }
    }

    fn disk() -> Disk {
        let blocked = |by: &str| FileState::Blocked {
            by: RelPath::new(by),
        };
        Disk(vec![
            ("dir", FileState::Directory),
            ("dir/changed", file("old")),
            ("dir/removed", file("old")),
            ("dir/same", file("same")),
            ("dir/same/below", blocked("dir/same")),
            ("link", FileState::Symlink),
            ("link/below", blocked("link")),
        ])
    }

    #[test]
    fn planned_changes_replace_the_files_on_disk() {
        let changes = [
            change("dir/changed", Some("new")),
            change("dir/created/file", Some("new")),
            change("dir/removed", None),
        ];
        let disk = disk();
        let tree = PlannedTree::new(&changes, &disk);
        let dir = RelPath::new("dir");
        let names: Vec<String> = tree
            .list(Some(&dir))
            .unwrap()
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(names, ["dir/changed", "dir/created", "dir/same"]);

        let paths = ["dir/changed", "dir/removed", "dir/same"].map(RelPath::new);
        let snapshot = tree.snapshot(paths.iter().collect());
        let texts = paths.each_ref().map(|path| snapshot.get(path).text());
        assert_eq!(texts, [Some("new"), None, Some("same")]);
        let read = tree.into_read();
        let texts = paths.each_ref().map(|path| read.get(path).text());
        assert_eq!(texts, [None, None, Some("same")]);
    }

    #[test]
    fn nothing_is_read_through_a_link() {
        let disk = disk();
        let tree = PlannedTree::new(&[], &disk);
        let text = |path: &str| tree.text(&RelPath::new(path));
        assert_eq!(text("dir/same"), Ok(Some("same".to_owned())));
        assert_eq!(text("dir/missing"), Ok(None));
        assert_eq!(text("dir/same/below"), Ok(None));
        assert!(text("dir").is_err());
        assert!(text("link").is_err());
        assert!(text("link/below").is_err());
        assert!(tree.list(Some(&RelPath::new("link"))).is_err());
        assert!(tree.list(Some(&RelPath::new("link/below"))).is_err());
        let below = tree.list(Some(&RelPath::new("dir/same"))).unwrap();
        assert_eq!(below, []);
    }
}
