//! Derives the plan that reverts another plan.

use super::{
    Edit, Plan,
    change::{FilePlan, Removal},
    manifest::CargoEdit,
};

impl Plan {
    /// Returns the plan that turns the result of `before` into that of `after`, which start from the same files.
    /// Additions of the user survive.
    ///
    /// Deriving it from the scaffolding plans guarantees that nothing scaffolded is forgotten.
    pub fn revert(before: &Self, after: &Self) -> Self {
        let unplanned = FilePlan::default();
        let files = before.files.iter().filter_map(|(path, before)| {
            let after = after.files.get(path).unwrap_or(&unplanned);
            let file = revert_file(before, after);
            (file != unplanned).then(|| (path.clone(), file))
        });
        Self {
            files: files.collect(),
        }
    }
}

fn revert_file(before: &FilePlan, after: &FilePlan) -> FilePlan {
    let dropped = before
        .edits
        .iter()
        .filter(|edit| !after.edits.contains(edit));
    let mut edits: Vec<Edit> = dropped.filter_map(revert_edit).collect();
    let mut removal = None;
    match (&before.create, &after.create) {
        (Some((text, _)), None) => removal = Some(Removal::IfUnmodified(text.clone())),
        (Some((ancestor, _)), Some((desired, _))) if ancestor != desired => {
            edits.push(Edit::Merge {
                ancestor: ancestor.clone(),
                desired: desired.clone(),
            });
        }
        _ => {}
    }
    FilePlan {
        create: None,
        edits,
        removal,
    }
}

/// Returns the edit that reverts `edit`; edits that only remove cannot be reverted.
fn revert_edit(edit: &Edit) -> Option<Edit> {
    match edit {
        Edit::Insert(insertion) => Some(Edit::RemoveInsertion(insertion.clone())),
        Edit::Cargo(CargoEdit::Member(member)) => {
            Some(Edit::Cargo(CargoEdit::RemoveMember(member.clone())))
        }
        Edit::Cargo(CargoEdit::Dependency { table, name, value }) => {
            Some(Edit::Cargo(CargoEdit::RemoveDependency {
                table: *table,
                name: name.clone(),
                value: value.clone(),
            }))
        }
        _ => None,
    }
}
