//! `kb-rs delete api`: removes a kind or its controllers from a project.
//!
//! The plan is the difference between two replays of `create api`, with and without the kind, so that it always covers everything that
//! `create api` scaffolds. Files that the user changed are kept, unless `--force` is given. The CRDs of the other kinds and the manager
//! role follow from the sources, as after every command.

use kb_model::{ControllerName, Group, Gvk};
use kb_templates::context;

use super::{
    Proposal, ReadFile, Update,
    create_api::{self, owned_in_source, replay},
    generate::{OutputDir, is_generated, is_untouched_sample},
    layout,
};
use crate::{
    plan::{
        Action, CargoEdit, Change, DependencyTable, Edit, FileState, Insertion, Overwrite, Plan,
        RelPath, Snapshot, resolve,
    },
    problem::Problem,
    project::{Project, Resource},
};

/// The typed flags of `kb-rs delete api`.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) kind: Gvk,
    pub(crate) scope: Scope,
    /// Delete changed files, too.
    pub(crate) force: bool,
}

/// The part of the kind to delete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Scope {
    /// The type and all controllers.
    Everything,
    /// All controllers, not the type.
    Controllers,
    /// One named controller.
    Controller(ControllerName),
}

/// Plans a request.
pub(crate) fn plan(
    request: &Request,
    project: &Project,
    context: &context::Project,
    read: ReadFile<'_>,
) -> Result<Update, Problem> {
    let removed = find(request, project)?;
    let after = without(removed, &request.scope, project)?;
    let scaffold = |recorded: &Project| {
        let mut plan = Plan::default();
        replay(recorded, project, context, read, &mut plan);
        plan
    };
    let mut plan = Plan::revert(&scaffold(project), &scaffold(&after));
    let mut notes = changed_insertions(&plan, read);
    if !request.force {
        notes.extend(keep_changed_crate(project, &after, read, &mut plan));
    }
    notes.extend(keep_listed_crds(read, &mut plan));
    if !request.force {
        notes.extend(keep_test_dependencies(read, &mut plan));
    }
    if request.scope == Scope::Everything {
        let owners = keep_changed_owners(removed, project, read, &mut plan);
        if !owners.is_empty() {
            keep_external_crate(removed, &mut plan);
        }
        notes.extend(owners);
    }
    if removed.api.is_some() && request.scope == Scope::Everything {
        notes.extend(storage_version_note(removed, project));
        remove_untouched_sample(removed, project, read, &mut plan);
        notes.extend(remove_crd(removed, &after, read, &mut plan));
    }
    Ok(Update {
        project: after,
        proposal: Proposal {
            plan,
            notes,
            next: vec!["cargo test".to_owned()],
            ..Proposal::default()
        },
    })
}

fn find<'a>(request: &Request, project: &'a Project) -> Result<&'a Resource, Problem> {
    let requested = &request.kind;
    let is_meant = |resource: &&Resource| resource.matches_gvk(requested);
    if let Some(found) = project.resources.iter().find(is_meant) {
        return Ok(found);
    }
    let known: Vec<String> = project.resources.iter().map(name).collect();
    let group = requested.group.as_ref().map(|group| format!("{group}/"));
    let group = group.unwrap_or_default();
    Err(Problem::new(
        format!(
            "this project has no {group}{}/{}",
            requested.version, requested.kind
        ),
        match known.len() {
            0 => "PROJECT has no APIs".to_owned(),
            _ => format!("its kinds are {}", known.join(", ")),
        },
    ))
}

fn name(resource: &Resource) -> String {
    let group = resource.group.as_ref().map_or("", Group::as_str);
    format!("{group}/{}/{}", resource.version, resource.kind)
}

/// Returns the project record after the deletion.
fn without(removed: &Resource, scope: &Scope, project: &Project) -> Result<Project, Problem> {
    let mut after = project.clone();
    let index = project
        .resources
        .iter()
        .position(|resource| resource.is_same_kind(removed))
        .unwrap_or_default();
    let rest = &mut after.resources[index];
    match scope {
        Scope::Everything => rest.api = None,
        Scope::Controllers | Scope::Controller(_) if !rest.has_controller() => {
            return Err(Problem::new(
                format!("{} has no controller", name(removed)),
                "omit --resource=false to delete the type",
            ));
        }
        Scope::Controllers => {}
        Scope::Controller(requested) => {
            let count = rest.controllers.len();
            rest.controllers.retain(|known| known.name != *requested);
            if rest.controllers.len() == count {
                return Err(no_such_controller(removed, requested));
            }
        }
    }
    if !matches!(scope, Scope::Controller(_)) {
        rest.controller = false;
        rest.owns.clear();
        rest.finalizer = false;
        rest.controllers.clear();
    }
    if rest.api.is_none() && !rest.has_controller() {
        after.resources.remove(index);
        move_module(removed, &mut after);
        if removed.core {
            return Ok(after);
        }
        for resource in &mut after.resources {
            let named = resource.controllers.iter_mut().map(|known| &mut known.owns);
            for owns in named.chain([&mut resource.owns]) {
                owns.retain(|owned| !removed.matches_gvk(owned));
            }
        }
    }
    Ok(after)
}

fn no_such_controller(resource: &Resource, requested: &ControllerName) -> Problem {
    let names: Vec<String> = resource
        .controllers
        .iter()
        .map(|known| format!("\"{}\"", known.name))
        .collect();
    Problem::new(
        format!("{} has no controller \"{requested}\"", name(resource)),
        match names.len() {
            0 => "pass --resource=false to delete its unnamed controller".to_owned(),
            _ => format!("its controllers are {}", names.join(", ")),
        },
    )
}

/// Moves the recorded crate of a deleted external kind to another kind of that crate, which did not have to record it.
fn move_module(removed: &Resource, after: &mut Project) {
    let krate = |resource: &Resource| {
        let path = resource.path.as_deref().unwrap_or_default();
        path.split("::").next().unwrap_or_default().to_owned()
    };
    let removed_crate = krate(removed);
    let other = after
        .resources
        .iter_mut()
        .find(|other| other.external && other.module.is_none() && krate(other) == removed_crate);
    if let (Some(other), Some(module)) = (other, &removed.module) {
        other.module = Some(module.clone());
    }
}

/// Returns a note for each inserted line that the user changed or removed.
fn changed_insertions(plan: &Plan, read: ReadFile<'_>) -> Vec<String> {
    let gone = |(path, insertion): (&RelPath, &Insertion)| {
        let text = read(path)?;
        (!insertion.is_in(&text)).then(|| {
            let line = insertion.text.lines().next().unwrap_or_default();
            format!(
                "scaffolded line `{line}` not found in {path}: if you changed it, remove it manually"
            )
        })
    };
    plan.removed_insertions().filter_map(gone).collect()
}

/// Keeps all shared files of the API crate if the user changed one of them.
fn keep_changed_crate(
    project: &Project,
    after: &Project,
    read: ReadFile<'_>,
    plan: &mut Plan,
) -> Option<String> {
    let has_types = |project: &Project| project.resources.iter().any(|other| other.api.is_some());
    if !has_types(project) || has_types(after) {
        return None;
    }
    let files = create_api::CRATE_FILES.map(RelPath::new);
    let snapshot: Snapshot = files
        .iter()
        .filter_map(|path| Some((path.clone(), FileState::File(read(path)?))))
        .collect();
    // Conflicts are reported when the whole plan is resolved.
    let resolved = resolve(&plan.restricted_to(&files), &snapshot, Overwrite::OnRequest).ok()?;
    let stays = |path: &&RelPath| {
        let removes = |change: &Change| change.path == **path && change.action == Action::Remove;
        read(path).is_some() && !resolved.changes.iter().any(removes)
    };
    let changed = files.iter().find(stays)?;
    for path in &files {
        plan.cancel_removal(path);
    }
    let manifest = RelPath::new("Cargo.toml");
    let package = project.name.api_package();
    plan.retain_edits(&manifest, |edit| match edit {
        Edit::Cargo(CargoEdit::RemoveMember(_)) => false,
        Edit::Cargo(CargoEdit::RemoveDependency { name, .. }) => *name != package,
        _ => true,
    });
    Some(format!(
        "keeping the API crate without kinds, because you changed {changed}"
    ))
}

/// Keeps config/crd/kustomization.yaml if it lists CRDs that the user added.
fn keep_listed_crds(read: ReadFile<'_>, plan: &mut Plan) -> Option<String> {
    let list = RelPath::new("config/crd/kustomization.yaml");
    let mut text = read(&list).filter(|_| plan.removes_if_unmodified(&list))?;
    for (_, insertion) in plan.removed_insertions().filter(|(path, _)| **path == list) {
        text = insertion.remove_from(&text);
    }
    let is_entry = |line: &str| line.trim_start().starts_with("- ");
    if !text.lines().any(is_entry) {
        return None;
    }
    plan.cancel_removal(&list);
    let all = RelPath::new("config/default/kustomization.yaml");
    plan.retain_edits(&all, |edit| match edit {
        Edit::RemoveInsertion(insertion) => insertion.text != "- ../crd",
        _ => true,
    });
    Some(format!("keeping {list}, because it lists other CRDs"))
}

/// Keeps the dev-dependencies if a test of the user stays.
fn keep_test_dependencies(read: ReadFile<'_>, plan: &mut Plan) -> Option<String> {
    let changed = plan.conditional_removals().find(|(path, scaffolded)| {
        let text = read(path).map(|text| text.replace("\r\n", "\n"));
        path.as_str().starts_with("tests/") && text.is_some_and(|text| text != **scaffolded)
    })?;
    let note = format!(
        "keeping {}, because you changed it; it no longer compiles: move or delete it",
        changed.0
    );
    plan.retain_edits(&RelPath::new("Cargo.toml"), |edit| {
        let is_for_tests = |table: &DependencyTable| *table == DependencyTable::Dev;
        !matches!(edit, Edit::Cargo(CargoEdit::RemoveDependency { table, .. }) if is_for_tests(table))
    });
    Some(note)
}

/// Keeps the crate of an external kind that a remaining controller uses.
fn keep_external_crate(removed: &Resource, plan: &mut Plan) {
    let Some(module) = &removed.module else {
        return;
    };
    plan.retain_edits(&RelPath::new("Cargo.toml"), |edit| match edit {
        Edit::Cargo(CargoEdit::RemoveDependency { name, .. }) => {
            module.split('@').next() != Some(name)
        }
        _ => true,
    });
}

/// Returns a note if the deleted version is the storage version.
fn storage_version_note(removed: &Resource, project: &Project) -> Option<String> {
    let mut versions = project
        .resources
        .iter()
        .filter(|other| other.api.is_some() && other.is_version_of(removed));
    let first = versions.next()?;
    let next = versions.next()?;
    (first.version == removed.version).then(|| {
        format!(
            "{} was scaffolded as the storage version of {}, and {} replaces it: before you apply the CRD, migrate the stored \
             objects and remove {} from status.storedVersions",
            removed.version, removed.kind, next.version, removed.version
        )
    })
}

/// Keeps the controllers that own the kind and that the user changed, and returns a note for each. Unchanged ones are rendered again
/// without the kind.
fn keep_changed_owners(
    removed: &Resource,
    project: &Project,
    read: ReadFile<'_>,
    plan: &mut Plan,
) -> Vec<String> {
    let mut notes = Vec::new();
    let others = project
        .resources
        .iter()
        .filter(|other| !other.is_same_kind(removed) && !removed.core);
    for (path, owns) in others.flat_map(|other| create_api::controllers(other, project)) {
        let text = read(&path).unwrap_or_default().replace("\r\n", "\n");
        let owned = if owns.is_empty() {
            owned_in_source(&text, project)
        } else {
            owns.to_vec()
        };
        let is_owner = owned.iter().any(|owned| removed.matches_gvk(owned));
        if !is_owner || plan.merge_ancestor(&path) == Some(&text) {
            continue;
        }
        plan.retain_edits(&path, |edit| !matches!(edit, Edit::Merge { .. }));
        notes.push(format!("{path} uses {}: update it manually", removed.kind));
    }
    notes
}

/// Removes the sample if `generate` wrote its current text. The replay covers only the scaffolded text.
fn remove_untouched_sample(
    removed: &Resource,
    project: &Project,
    read: ReadFile<'_>,
    plan: &mut Plan,
) {
    let group = removed.group.as_ref();
    let Ok(api_group) = removed.api_group() else {
        return;
    };
    let name = layout::sample_name(group, &api_group, &removed.version, &removed.kind);
    let path = layout::sample_file(&name);
    let crd = crd_file(removed).and_then(|path| read(&path));
    if let (Some(sample), Some(crd)) = (read(&path), crd)
        && is_untouched_sample(&sample, &crd, removed, project)
    {
        plan.remove(path);
    }
}

/// Returns the file of the kind's CRD.
fn crd_file(resource: &Resource) -> Option<RelPath> {
    let group = resource.api_group().ok()?;
    Some(OutputDir::of_crds().file(&format!("{group}_{}.yaml", resource.plural())))
}

/// Removes the generated CRD with the last version of its kind.
fn remove_crd(
    removed: &Resource,
    after: &Project,
    read: ReadFile<'_>,
    plan: &mut Plan,
) -> Option<String> {
    let remains = |other: &Resource| other.api.is_some() && other.is_version_of(removed);
    if after.resources.iter().any(remains) {
        return None;
    }
    let path = crd_file(removed)?;
    let text = read(&path)?;
    if is_generated(&text) {
        plan.remove(path);
        return None;
    }
    Some(format!("keeping {path}: not generated by kb-rs"))
}
