//! The plan that takes another plan's work back.

use super::{
    Edit, Plan,
    change::{FilePlan, Removal},
    manifest::CargoEdit,
};

impl Plan {
    /// Takes back what `before` did and `after` does not ask for. Both are plans from the same start; what the user added since
    /// stays.
    ///
    /// Because it is made from the plans that make things, nothing that is made can be forgotten here.
    pub fn inverse(before: &Self, after: &Self) -> Self {
        let nothing = FilePlan::default();
        let files = before.files.iter().filter_map(|(path, made)| {
            let kept = after.files.get(path).unwrap_or(&nothing);
            let inverse = inverse_of(made, kept);
            (inverse != nothing).then(|| (path.clone(), inverse))
        });
        Self {
            files: files.collect(),
        }
    }
}

fn inverse_of(made: &FilePlan, kept: &FilePlan) -> FilePlan {
    let gone = made.edits.iter().filter(|edit| !kept.edits.contains(edit));
    let mut edits: Vec<Edit> = gone.filter_map(opposite).collect();
    let mut removal = None;
    match (&made.create, &kept.create) {
        (Some((text, _)), None) => removal = Some(Removal::IfStill(text.clone())),
        (Some((ancestor, _)), Some((wanted, _))) if ancestor != wanted => {
            edits.push(Edit::Merge {
                ancestor: ancestor.clone(),
                wanted: wanted.clone(),
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

/// What undoes an edit; nothing undoes those that only take away.
fn opposite(edit: &Edit) -> Option<Edit> {
    match edit {
        Edit::Insert(insertion) => Some(Edit::TakeOut(insertion.clone())),
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
