//! Resolves a plan against a snapshot, into either all changes or all conflicts.

use std::collections::BTreeMap;

use similar::TextDiff;

use super::{
    Conflict, Edit, FileState, IfExists, Insertion, Overwrite, Plan, RelPath, Snapshot,
    change::{FilePlan, Removal},
    insert::{self, InsertError},
    manifest,
    merge::{forced_merge, three_way_merge},
};

/// Kind of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// The file is new.
    Create,
    /// The file is edited.
    Modify,
    /// The file is replaced because of `--force`.
    Overwrite,
    /// The file is removed.
    Remove,
}

impl Action {
    /// Returns the verb for lists of changes.
    pub fn verb(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Modify => "modify",
            Self::Overwrite => "overwrite",
            Self::Remove => "remove",
        }
    }
}

/// The change of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The file.
    pub path: RelPath,
    /// Kind of the change.
    pub action: Action,
    /// Text before the change; `None` for a new file.
    pub before: Option<String>,
    /// Text after the change; empty for a removed file.
    pub after: String,
}

/// A plan without conflicts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Resolved {
    /// Changes, sorted by path.
    pub changes: Vec<Change>,
    /// Files that are up to date.
    pub unchanged: Vec<RelPath>,
    /// Files that differ and belong to the user.
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
        match resolve_file(path, file, snapshot.get(path), overwrite) {
            Ok(FileResult::Changed(change)) => {
                if change.action != Action::Remove {
                    conflicts.extend(staging_conflict(path, snapshot));
                }
                resolved.changes.push(change);
            }
            Ok(FileResult::Unchanged) => resolved.unchanged.push(path.clone()),
            Ok(FileResult::Kept) => resolved.kept.push(path.clone()),
            Err(found) => {
                let staging = staging_conflict(path, snapshot);
                for conflict in found.into_iter().chain(staging) {
                    // Several edits of one file can fail alike.
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
    /// Returns the files that the plan creates in an empty directory.
    ///
    /// # Panics
    ///
    /// If it edits a file that it does not create.
    pub fn new_files(&self) -> BTreeMap<RelPath, String> {
        let resolved = resolve(self, &Snapshot::default(), Overwrite::Never);
        let resolved =
            resolved.expect("the plan of a new project creates every file that it edits");
        let changes = resolved.changes.into_iter();
        changes.map(|change| (change.path, change.after)).collect()
    }
}

enum FileResult {
    Changed(Change),
    Unchanged,
    Kept,
}

fn resolve_file(
    path: &RelPath,
    file: &FilePlan,
    state: &FileState,
    overwrite: Overwrite,
) -> Result<FileResult, Vec<Conflict>> {
    let before = existing_text(path, state).map_err(|conflict| vec![conflict])?;
    if let Some(removal) = &file.removal {
        return resolve_removal(path, file, removal, state, before, overwrite);
    }
    let base = match (&file.create, before) {
        // A missing file contains no insertion.
        (None, None)
            if file
                .edits
                .iter()
                .all(|edit| matches!(edit, Edit::RemoveInsertion(_))) =>
        {
            return Ok(FileResult::Unchanged);
        }
        (None, None) => return Err(vec![missing_file(path, file)]),
        (None | Some((_, IfExists::Keep)), Some(before)) => before,
        (Some((text, _)), _) => text,
    };
    let after = apply_edits(path, base, &file.edits, overwrite)?;

    if before == Some(after.as_str()) {
        let kept =
            file.edits.is_empty() && file.create.as_ref().is_some_and(|(text, _)| *text != after);
        return Ok(if kept {
            FileResult::Kept
        } else {
            FileResult::Unchanged
        });
    }
    check_writable(path, state)?;
    let action = match (&file.create, before) {
        (_, None) => Action::Create,
        (None | Some((_, IfExists::Keep | IfExists::Replace)), Some(_)) => Action::Modify,
        (Some((_, IfExists::Conflict)), Some(_)) if overwrite == Overwrite::Yes => {
            Action::Overwrite
        }
        (Some((_, IfExists::Conflict)), Some(_)) => {
            return Err(vec![content_conflict(path, overwrite)]);
        }
    };
    Ok(FileResult::Changed(Change {
        path: path.clone(),
        action,
        before: before.map(ToOwned::to_owned),
        after,
    }))
}

fn check_writable(path: &RelPath, state: &FileState) -> Result<(), Vec<Conflict>> {
    if matches!(state, FileState::ReadOnly(_)) {
        let conflict = Conflict::new(path, "is read-only", "make it writable");
        return Err(vec![conflict]);
    }
    Ok(())
}

fn resolve_removal(
    path: &RelPath,
    file: &FilePlan,
    removal: &Removal,
    state: &FileState,
    before: Option<&str>,
    overwrite: Overwrite,
) -> Result<FileResult, Vec<Conflict>> {
    let Some(before) = before else {
        return Ok(FileResult::Unchanged);
    };
    let changed = |action, after| {
        check_writable(path, state)?;
        Ok(FileResult::Changed(Change {
            path: path.clone(),
            action,
            before: Some(before.to_owned()),
            after,
        }))
    };
    let Removal::IfUnmodified(text) = removal else {
        return changed(Action::Remove, String::new());
    };
    let after = apply_edits(path, before, &file.edits, overwrite)?;
    // git may have converted the line endings.
    if overwrite == Overwrite::Yes || after.replace("\r\n", "\n") == *text {
        changed(Action::Remove, String::new())
    } else if after == before {
        Ok(FileResult::Kept)
    } else {
        changed(Action::Modify, after)
    }
}

/// Applies the edits in order and reports the conflicts of all of them.
fn apply_edits(
    path: &RelPath,
    base: &str,
    edits: &[Edit],
    overwrite: Overwrite,
) -> Result<String, Vec<Conflict>> {
    let mut text = base.to_owned();
    let mut conflicts = Vec::new();
    for edit in edits {
        match apply_edit(path, &text, edit, overwrite) {
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

fn apply_edit(
    path: &RelPath,
    text: &str,
    edit: &Edit,
    overwrite: Overwrite,
) -> Result<String, Conflict> {
    match edit {
        Edit::Insert(insertion) => insert::insert(path, text, insertion)
            .map_err(|error| marker_conflict(path, insertion, &error)),
        Edit::RemoveInsertion(insertion) => Ok(insertion.remove_from(text)),
        Edit::Merge { ancestor, desired } => match three_way_merge(ancestor, text, desired) {
            Some(text) => Ok(text),
            None if overwrite == Overwrite::Yes => Ok(forced_merge(ancestor, text, desired)),
            None => Err(merge_conflict(path, ancestor, desired)),
        },
        Edit::RemoveLine(removed) => Ok(text
            .split_inclusive('\n')
            .filter(|line| line.trim() != removed)
            .collect()),
        Edit::Cargo(edit) => manifest::edit(text, edit).map_err(|error| {
            Conflict::new(
                path,
                error.to_string(),
                "fix the file and run the command again",
            )
        }),
        Edit::Rewrite {
            expected,
            text: replacement,
        } if text == expected => Ok(replacement.clone()),
        Edit::Rewrite { .. } => Err(Conflict::new(
            path,
            "changed while the command was running",
            "run the command again",
        )),
    }
}

/// Returns the text of an existing file, or a conflict for anything else than a file.
pub(crate) fn existing_text<'a>(
    path: &RelPath,
    state: &'a FileState,
) -> Result<Option<&'a str>, Conflict> {
    let (problem, help) = match state {
        FileState::Missing => return Ok(None),
        FileState::File(text) | FileState::ReadOnly(text) => return Ok(Some(text)),
        FileState::Binary => ("is not UTF-8 text".to_owned(), "move or convert it"),
        FileState::Directory => (
            "is a directory, expected a file".to_owned(),
            "move the directory",
        ),
        FileState::Symlink => (
            "is a symbolic link, which kb-rs does not follow".to_owned(),
            "replace the link with a regular file",
        ),
        FileState::Special => ("is not a regular file".to_owned(), "move it"),
        FileState::Blocked { by } => (
            format!("is unreachable: {by} is not a directory"),
            "replace it with a directory",
        ),
        FileState::Unreadable(why) => (format!("cannot be read: {why}"), "check its permissions"),
    };
    Err(Conflict::new(path, problem, help))
}

/// Reports anything at the staging path: staging never replaces a file or follows a link.
fn staging_conflict(path: &RelPath, snapshot: &Snapshot) -> Option<Conflict> {
    let staging = path.staging();
    let problem = match snapshot.get(&staging) {
        // Already reported for the target.
        FileState::Missing | FileState::Blocked { .. } => return None,
        FileState::Symlink => "is a symbolic link",
        _ => "exists",
    };
    Some(Conflict::new(
        &staging,
        format!("{problem}; kb-rs stages the new content of {path} there"),
        "delete or move it",
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
    let help = if inserted.is_empty() {
        "restore the file"
    } else {
        "restore the file; the following would be added to it:"
    };
    Conflict {
        paste: (!inserted.is_empty()).then(|| inserted.join("\n")),
        ..Conflict::new(path, "does not exist", help)
    }
}

fn merge_conflict(path: &RelPath, ancestor: &str, desired: &str) -> Conflict {
    let diff = TextDiff::from_lines(ancestor, desired);
    let diff = diff.unified_diff().context_radius(2).to_string();
    Conflict {
        paste: Some(diff.trim_end().to_owned()),
        ..Conflict::new(
            path,
            "has local changes that conflict with this one",
            "make the following change manually and run the command again, or pass --force to overwrite the conflicting lines:",
        )
    }
}

fn content_conflict(path: &RelPath, overwrite: Overwrite) -> Conflict {
    let help = match overwrite {
        Overwrite::Never => "move it, or choose another directory",
        Overwrite::OnRequest | Overwrite::Yes => "move it, or pass --force to overwrite it",
    };
    Conflict::new(path, "already exists with different content", help)
}

fn marker_conflict(path: &RelPath, insertion: &Insertion, error: &InsertError) -> Conflict {
    let marker = insertion.marker_line(path);
    let (problem, help) = match error {
        InsertError::Missing => (
            format!("has no marker `{marker}`"),
            "restore the marker, or add the following manually:",
        ),
        InsertError::Repeated(lines) => (
            format!("has more than one marker `{marker}`: lines {lines}"),
            "keep only the one where the following belongs:",
        ),
    };
    Conflict {
        paste: Some(insertion.text.clone()),
        ..Conflict::new(path, problem, help)
    }
}
