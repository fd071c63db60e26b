//! Holds a plan against the tree: either all of it can be done, or every conflict is named.

use std::collections::BTreeMap;

use similar::TextDiff;

use super::{
    Conflict, Edit, Entry, IfExists, Insertion, Overwrite, Plan, RelPath, Snapshot,
    change::{FilePlan, Removal},
    insert::{self, InsertError},
    manifest,
    merge::{forced, merged},
};

/// What happens to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// It is new.
    Create,
    /// Something is added to it.
    Modify,
    /// Its content is replaced, because of `--force`.
    Overwrite,
    /// It goes.
    Remove,
}

impl Action {
    /// The word for it in lists.
    pub fn verb(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Modify => "modify",
            Self::Overwrite => "overwrite",
            Self::Remove => "remove",
        }
    }
}

/// One file before and after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The file.
    pub path: RelPath,
    /// What happens to it.
    pub action: Action,
    /// Its text before; none, if it is new.
    pub before: Option<String>,
    /// Its text afterwards; empty, if it goes.
    pub after: String,
}

/// A plan that can be carried out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Resolved {
    /// The files that change, sorted by path.
    pub changes: Vec<Change>,
    /// Files that are already as they should be.
    pub unchanged: Vec<RelPath>,
    /// Files of the user that were left alone.
    pub kept: Vec<RelPath>,
}

/// Resolves `plan` against `snapshot`.
pub fn resolve(
    plan: &Plan,
    snapshot: &Snapshot,
    overwrite: Overwrite,
) -> Result<Resolved, Vec<Conflict>> {
    let mut resolved = Resolved::default();
    let mut conflicts = Vec::new();
    for (path, file) in &plan.files {
        match resolve_file(path, file, snapshot.entry(path), overwrite) {
            Ok(Outcome::Changed(change)) => {
                if change.action != Action::Remove {
                    conflicts.extend(staging_conflict(path, snapshot));
                }
                resolved.changes.push(change);
            }
            Ok(Outcome::Unchanged) => resolved.unchanged.push(path.clone()),
            Ok(Outcome::Kept) => resolved.kept.push(path.clone()),
            Err(found) => {
                let staging = staging_conflict(path, snapshot);
                for conflict in found.into_iter().chain(staging) {
                    // One broken file can stop several edits.
                    if !conflicts.contains(&conflict) {
                        conflicts.push(conflict);
                    }
                }
            }
        }
    }
    if conflicts.is_empty() {
        Ok(resolved)
    } else {
        Err(conflicts)
    }
}

impl Plan {
    /// The files of a plan that starts from nothing.
    ///
    /// # Panics
    ///
    /// If it edits a file that it does not make.
    pub fn made_from_nothing(&self) -> BTreeMap<RelPath, String> {
        let resolved = resolve(self, &Snapshot::default(), Overwrite::Never);
        let resolved = resolved.expect("a plan that starts from nothing makes all that it edits");
        let changes = resolved.changes.into_iter();
        changes.map(|change| (change.path, change.after)).collect()
    }
}

enum Outcome {
    Changed(Change),
    Unchanged,
    Kept,
}

fn resolve_file(
    path: &RelPath,
    file: &FilePlan,
    entry: &Entry,
    overwrite: Overwrite,
) -> Result<Outcome, Vec<Conflict>> {
    let before = existing_text(path, entry).map_err(|conflict| vec![conflict])?;
    if let Some(removal) = &file.removal {
        return removed(path, file, removal, entry, before, overwrite);
    }
    let base = match (&file.create, before) {
        // What is gone has nothing to take out.
        (None, None)
            if file
                .edits
                .iter()
                .all(|edit| matches!(edit, Edit::TakeOut(_))) =>
        {
            return Ok(Outcome::Unchanged);
        }
        (None, None) => return Err(vec![missing_file(path, file)]),
        (None | Some((_, IfExists::Keep)), Some(before)) => before,
        (Some((text, _)), _) => text,
    };
    let after = edited(path, base, &file.edits, overwrite)?;

    if before == Some(after.as_str()) {
        let kept =
            file.edits.is_empty() && file.create.as_ref().is_some_and(|(text, _)| *text != after);
        return Ok(if kept {
            Outcome::Kept
        } else {
            Outcome::Unchanged
        });
    }
    check_writable(path, entry)?;
    let action = match (&file.create, before) {
        (_, None) => Action::Create,
        (None | Some((_, IfExists::Keep | IfExists::Replace)), Some(_)) => Action::Modify,
        (Some((_, IfExists::Conflict)), Some(_)) if overwrite == Overwrite::Yes => {
            Action::Overwrite
        }
        (Some((_, IfExists::Conflict)), Some(_)) => return Err(vec![in_the_way(path, overwrite)]),
    };
    Ok(Outcome::Changed(Change {
        path: path.clone(),
        action,
        before: before.map(ToOwned::to_owned),
        after,
    }))
}

fn check_writable(path: &RelPath, entry: &Entry) -> Result<(), Vec<Conflict>> {
    if matches!(entry, Entry::Protected(_)) {
        let help = "make it writable, if kb-rs shall change it";
        return Err(vec![Conflict::new(
            path,
            "is read-only, and has to be changed",
            help,
        )]);
    }
    Ok(())
}

fn removed(
    path: &RelPath,
    file: &FilePlan,
    removal: &Removal,
    entry: &Entry,
    before: Option<&str>,
    overwrite: Overwrite,
) -> Result<Outcome, Vec<Conflict>> {
    let Some(before) = before else {
        return Ok(Outcome::Unchanged);
    };
    let changed = |action, after| {
        check_writable(path, entry)?;
        Ok(Outcome::Changed(Change {
            path: path.clone(),
            action,
            before: Some(before.to_owned()),
            after,
        }))
    };
    let Removal::IfStill(text) = removal else {
        return changed(Action::Remove, String::new());
    };
    let after = edited(path, before, &file.edits, overwrite)?;
    // git may have changed the line endings.
    if overwrite == Overwrite::Yes || after.replace("\r\n", "\n") == *text {
        changed(Action::Remove, String::new())
    } else if after == before {
        Ok(Outcome::Kept)
    } else {
        changed(Action::Modify, after)
    }
}

/// Carries out the edits in turn; goes on after a failure, so that all of them are reported.
fn edited(
    path: &RelPath,
    base: &str,
    edits: &[Edit],
    overwrite: Overwrite,
) -> Result<String, Vec<Conflict>> {
    let mut text = base.to_owned();
    let mut conflicts = Vec::new();
    for edit in edits {
        match edited_once(path, &text, edit, overwrite) {
            Ok(next) => text = next,
            Err(conflict) => conflicts.push(conflict),
        }
    }
    if conflicts.is_empty() {
        Ok(text)
    } else {
        Err(conflicts)
    }
}

fn edited_once(
    path: &RelPath,
    text: &str,
    edit: &Edit,
    overwrite: Overwrite,
) -> Result<String, Conflict> {
    match edit {
        Edit::Insert(insertion) => insert::insert(path, text, insertion)
            .map_err(|error| marker_conflict(path, insertion, &error)),
        Edit::TakeOut(insertion) => Ok(insert::take_out(text, insertion)),
        Edit::Merge { ancestor, wanted } => match merged(ancestor, text, wanted) {
            Some(text) => Ok(text),
            None if overwrite == Overwrite::Yes => Ok(forced(ancestor, text, wanted)),
            None => Err(merge_conflict(path, ancestor, wanted)),
        },
        Edit::RemoveLine(unwanted) => Ok(text
            .split_inclusive('\n')
            .filter(|line| line.trim() != unwanted)
            .collect()),
        Edit::Cargo(edit) => manifest::edit(text, edit).map_err(|error| {
            Conflict::new(
                path,
                error.to_string(),
                "mend the file, then run the command again",
            )
        }),
        Edit::Rewrite {
            expected,
            text: wanted,
        } if text == expected => Ok(wanted.clone()),
        Edit::Rewrite { .. } => Err(Conflict::new(
            path,
            "changed while the command ran",
            "run the command again",
        )),
    }
}

fn existing_text<'a>(path: &RelPath, entry: &'a Entry) -> Result<Option<&'a str>, Conflict> {
    let (problem, help) = match entry {
        Entry::Missing => return Ok(None),
        Entry::File(text) | Entry::Protected(text) => return Ok(Some(text)),
        Entry::Binary => ("is not UTF-8 text".to_owned(), "move it away or convert it"),
        Entry::Folder => (
            "is a folder, and a file belongs here".to_owned(),
            "move the folder away",
        ),
        Entry::Symlink => (
            "is a symbolic link, and kb-rs writes through none".to_owned(),
            "replace the link by the file itself",
        ),
        Entry::Special => ("is not a regular file".to_owned(), "move it away"),
        Entry::Blocked { by } => (
            format!("cannot be reached: {by} is a file or a link, and a folder belongs there"),
            "put a folder of its own in its place",
        ),
        Entry::Unreadable(why) => (format!("cannot be read: {why}"), "check its permissions"),
    };
    Err(Conflict::new(path, problem, help))
}

/// Staging never replaces a file and never follows a link.
fn staging_conflict(path: &RelPath, snapshot: &Snapshot) -> Option<Conflict> {
    let staging = path.staging();
    let problem = match snapshot.entry(&staging) {
        // The target itself is blocked as well, and says so.
        Entry::Missing | Entry::Blocked { .. } => return None,
        Entry::Symlink => "is a symbolic link",
        _ => "exists",
    };
    Some(Conflict::new(
        &staging,
        format!("{problem}, and the new content of {path} has to be staged there"),
        "delete it, or move it away",
    ))
}

fn missing_file(path: &RelPath, file: &FilePlan) -> Conflict {
    let inserted: Vec<&str> = file
        .edits
        .iter()
        .filter_map(|edit| match edit {
            Edit::Insert(insertion) => Some(insertion.text.as_str()),
            _ => None,
        })
        .collect();
    Conflict {
        paste: (!inserted.is_empty()).then(|| inserted.join("\n")),
        ..Conflict::new(
            path,
            "does not exist, and something has to be added to it",
            "restore the file: kb-rs changes it, but does not make it anew",
        )
    }
}

fn merge_conflict(path: &RelPath, ancestor: &str, wanted: &str) -> Conflict {
    let diff = TextDiff::from_lines(ancestor, wanted);
    let diff = diff.unified_diff().context_radius(2).to_string();
    Conflict {
        paste: Some(diff.trim_end().to_owned()),
        ..Conflict::new(
            path,
            "has changes of yours in a place that has to change",
            "make this change by hand and run the command again, or lose yours in that place with --force:",
        )
    }
}

fn in_the_way(path: &RelPath, overwrite: Overwrite) -> Conflict {
    let help = match overwrite {
        Overwrite::Never => "move it away, or choose another folder",
        Overwrite::OnRequest | Overwrite::Yes => "move it away, or overwrite it with --force",
    };
    Conflict::new(path, "exists already, with other content", help)
}

fn marker_conflict(path: &RelPath, insertion: &Insertion, error: &InsertError) -> Conflict {
    let marker = insertion.marker_line(path);
    let (problem, help) = match error {
        InsertError::Missing => (
            format!("has no line `{marker}`"),
            "put that line back where the following belongs, or add this by hand:",
        ),
        InsertError::Repeated(lines) => (
            format!("has the line `{marker}` more than once: lines {lines}"),
            "keep one of them, where the following belongs:",
        ),
    };
    Conflict {
        paste: Some(insertion.text.clone()),
        ..Conflict::new(path, problem, help)
    }
}
