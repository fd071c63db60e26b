//! Brings the tree from what one set of choices leads to, to what another does.

use super::choices::Choices;
use crate::{
    ops::{
        LICENSE,
        create_api::Texts,
        generate::{OutputDir, role_file},
        init::USUAL,
    },
    plan::{Edit, IfExists, Plan, RelPath, three_way_merge},
};

/// Adds the differences to the plan; gives notes on what is left alone.
pub(super) fn plan(
    before: &Choices,
    after: &Choices,
    texts: Texts<'_>,
    plan: &mut Plan,
) -> Vec<String> {
    if before == after {
        return Vec::new();
    }
    let mut notes = Vec::new();
    // Only new kinds follow another layout.
    let mut after = after.clone();
    after.project.multigroup = before.project.multigroup;
    let after = &after;
    let files = |choices: &Choices| choices.files(texts).new_files();
    let (old, mut new) = (files(before), files(after));
    for (path, ancestor) in old {
        let wanted = new.remove(&path);
        // What the user removed is not made again.
        let Some(current) = texts(&path) else {
            continue;
        };
        match wanted {
            Some(wanted) if wanted == ancestor => {}
            None => plan.remove_if_unmodified(path, ancestor),
            Some(_) if is_generated_role(&path) && current != ancestor => {}
            Some(wanted)
                if is_usual(&path) && three_way_merge(&ancestor, &current, &wanted).is_none() =>
            {
                notes.push(format!("{path} is your own, and stays as it is"));
            }
            Some(wanted) => plan.edit(
                path,
                Edit::Merge {
                    ancestor,
                    desired: wanted,
                },
            ),
        }
    }
    for (path, wanted) in new {
        plan.create(path, wanted, IfExists::Conflict);
    }
    notes.extend(license_text(before, after, texts, plan));
    notes
}

/// The manager's role follows from the sources: `kb-rs generate` writes it.
fn is_generated_role(path: &RelPath) -> bool {
    *path == role_file(&OutputDir::of_roles())
}

/// A file that many projects have before kb-rs comes.
fn is_usual(path: &RelPath) -> bool {
    USUAL.contains(&path.as_str())
}

/// The text of the licence is replaced as a whole, and only if it is one that kb-rs wrote.
fn license_text(
    before: &Choices,
    after: &Choices,
    texts: Texts<'_>,
    plan: &mut Plan,
) -> Option<String> {
    let (old, new) = (before.license_text(), after.license_text());
    if old == new {
        return None;
    }
    let path = RelPath::new(LICENSE);
    let current = texts(&path);
    let unix = current.as_ref().map(|text| text.replace("\r\n", "\n"));
    if current.is_some() && unix != old {
        return Some(format!("{LICENSE} is your own, and stays as it is"));
    }
    match (current, new) {
        (None, Some(text)) => plan.create(path, text, IfExists::Conflict),
        (Some(expected), Some(text)) => plan.edit(path, Edit::Rewrite { expected, text }),
        (Some(_), None) => plan.remove(path),
        (None, None) => {}
    }
    None
}
