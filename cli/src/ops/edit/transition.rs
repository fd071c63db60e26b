//! Plans the changes from one set of settings to another.

use super::settings::Settings;
use crate::{
    ops::{
        LICENSE, ReadFile,
        generate::{OutputDir, role_file},
        init::COMMON_FILES,
    },
    plan::{Edit, IfExists, Plan, RelPath, three_way_merge},
};

/// Adds the differences to the plan, and returns notes on the files that it skips.
pub(super) fn plan(
    before: &Settings,
    after: &Settings,
    read: ReadFile<'_>,
    plan: &mut Plan,
) -> Vec<String> {
    if before == after {
        return Vec::new();
    }
    let mut notes = Vec::new();
    // Existing kinds keep their paths; only new ones use the new layout.
    let mut after = after.clone();
    after.project.multigroup = before.project.multigroup;
    let after = &after;
    let files = |settings: &Settings| settings.files(read).new_files();
    let (old, mut new) = (files(before), files(after));
    for (path, ancestor) in old {
        let desired = new.remove(&path);
        // Files that the user removed stay removed.
        let Some(current) = read(&path) else {
            continue;
        };
        match desired {
            Some(desired) if desired == ancestor => {}
            None => plan.remove_if_unmodified(path, ancestor),
            Some(_) if is_generated_role(&path) => {}
            Some(desired)
                if is_common(&path) && three_way_merge(&ancestor, &current, &desired).is_none() =>
            {
                notes.push(format!("keeping {path}, because you changed it"));
            }
            Some(desired) => plan.edit(path, Edit::Merge { ancestor, desired }),
        }
    }
    for (path, text) in new {
        plan.create(path, text, IfExists::Conflict);
    }
    notes.extend(plan_license_text(before, after, read, plan));
    notes
}

/// Returns whether the file is generated: it holds the manager role.
fn is_generated_role(path: &RelPath) -> bool {
    *path == role_file(&OutputDir::of_roles())
}

fn is_common(path: &RelPath) -> bool {
    COMMON_FILES.contains(&path.as_str())
}

/// Replaces LICENSE as a whole, if its text is the one that kb-rs wrote.
fn plan_license_text(
    before: &Settings,
    after: &Settings,
    read: ReadFile<'_>,
    plan: &mut Plan,
) -> Option<String> {
    let (old, new) = (before.license_text(), after.license_text());
    if old == new {
        return None;
    }
    let path = RelPath::new(LICENSE);
    let current = read(&path);
    let unix = current.as_ref().map(|text| text.replace("\r\n", "\n"));
    if current.is_some() && unix != old {
        return Some(format!("keeping {LICENSE}, because you changed it"));
    }
    match (current, new) {
        (None, Some(text)) => plan.create(path, text, IfExists::Conflict),
        (Some(expected), Some(text)) => plan.edit(path, Edit::Rewrite { expected, text }),
        (Some(_), None) => plan.remove(path),
        (None, None) => {}
    }
    None
}
