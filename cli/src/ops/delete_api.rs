//! `kb-rs delete api`: takes a kind, or its controllers, out of a project again.
//!
//! What goes is what `create api` would make for the project as it is, and would not make for the project without the kind: so
//! nothing that is made can be forgotten here. What the user changed stays, unless it may be overwritten.

use kb_model::{ControllerName, Group, Gvk};
use kb_templates::context;

use super::{
    create_api::{self, Texts, owned_in, plan_recorded},
    generate::{OutputDir, follows, is_generated},
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

/// What the user asked for.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) kind: Gvk,
    pub(crate) what: What,
    /// What the user changed goes, too.
    pub(crate) force: bool,
}

/// What of the kind goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum What {
    /// All of it.
    Everything,
    /// Its controllers; the type stays.
    Controllers,
    /// One controller of several.
    Controller(ControllerName),
}

/// What the request leads to.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// The project's record afterwards.
    pub(crate) project: Project,
    /// The changes, except to PROJECT.
    pub(crate) plan: Plan,
    /// Remarks on what is left to do.
    pub(crate) notes: Vec<String>,
}

/// Plans the request.
pub(crate) fn plan(
    request: &Request,
    project: &Project,
    context: &context::Project,
    texts: Texts<'_>,
) -> Result<Outcome, Problem> {
    let removed = find(request, project)?;
    let after = without(removed, &request.what, project)?;
    let made = |recorded: &Project| {
        let mut plan = Plan::default();
        plan_recorded(recorded, project, context, texts, &mut plan);
        plan
    };
    let mut plan = Plan::revert(&made(project), &made(&after));
    let mut notes = missing(&plan, texts);
    if !request.force {
        notes.extend(keep_a_changed_crate(project, &after, texts, &mut plan));
    }
    notes.extend(keep_listed_crds(texts, &mut plan));
    if !request.force {
        notes.extend(keep_what_tests_need(texts, &mut plan));
    }
    if request.what == What::Everything {
        let users = leave_changed_users(removed, project, &after, texts, &mut plan);
        if !users.is_empty() {
            keep_crate_of(removed, &mut plan);
        }
        notes.extend(users);
    }
    if removed.api.is_some() && request.what == What::Everything {
        notes.extend(stored_version(removed, project));
        take_sample_back(removed, project, texts, &mut plan);
        notes.extend(remove_crd(removed, &after, texts, &mut plan));
    }
    Ok(Outcome {
        project: after,
        plan,
        notes,
    })
}

fn find<'a>(request: &Request, project: &'a Project) -> Result<&'a Resource, Problem> {
    let written = &request.kind;
    let is_meant = |resource: &&Resource| resource.matches_gvk(written);
    if let Some(found) = project.resources.iter().find(is_meant) {
        return Ok(found);
    }
    let known: Vec<String> = project.resources.iter().map(name).collect();
    let group = written.group.as_ref().map(|group| format!("{group}/"));
    let group = group.unwrap_or_default();
    Err(Problem::new(
        format!(
            "this project has no {group}{}/{}",
            written.version, written.kind
        ),
        match known.len() {
            0 => "PROJECT records no API: there is nothing to delete".to_owned(),
            _ => format!("it has {}", known.join(", ")),
        },
    ))
}

fn name(resource: &Resource) -> String {
    let group = resource.group.as_ref().map_or("", Group::as_str);
    format!("{group}/{}/{}", resource.version, resource.kind)
}

/// The record without what goes.
fn without(removed: &Resource, what: &What, project: &Project) -> Result<Project, Problem> {
    let mut after = project.clone();
    let index = project
        .resources
        .iter()
        .position(|resource| resource.is_same_kind(removed))
        .unwrap_or_default();
    let rest = &mut after.resources[index];
    match what {
        What::Everything => rest.api = None,
        What::Controllers | What::Controller(_) if !rest.has_controller() => {
            return Err(Problem::new(
                format!("{} has no controller", name(removed)),
                "to delete the type as well, leave out --resource=false",
            ));
        }
        What::Controllers => {}
        What::Controller(unwanted) => {
            let count = rest.controllers.len();
            rest.controllers
                .retain(|controller| controller.name != *unwanted);
            if rest.controllers.len() == count {
                return Err(no_such_controller(removed, unwanted));
            }
        }
    }
    if !matches!(what, What::Controller(_)) {
        rest.controller = false;
        rest.controllers.clear();
    }
    if rest.api.is_none() && !rest.has_controller() {
        after.resources.remove(index);
        hand_on(removed, &mut after);
    }
    Ok(after)
}

fn no_such_controller(resource: &Resource, unwanted: &ControllerName) -> Problem {
    let names: Vec<String> = resource
        .controllers
        .iter()
        .map(|controller| format!("\"{}\"", controller.name))
        .collect();
    Problem::new(
        format!("{} has no controller \"{unwanted}\"", name(resource)),
        match names.len() {
            0 => "it has one without a name: delete that with --resource=false".to_owned(),
            _ => format!("it has {}", names.join(", ")),
        },
    )
}

/// The crate of a type that goes may be that of another one, whose record did not have to name it again.
fn hand_on(removed: &Resource, after: &mut Project) {
    let krate = |resource: &Resource| {
        let path = resource.path.as_deref().unwrap_or_default();
        path.split("::").next().unwrap_or_default().to_owned()
    };
    let wanted = krate(removed);
    let heir = after
        .resources
        .iter_mut()
        .find(|other| other.external && other.module.is_none() && krate(other) == wanted);
    if let (Some(heir), Some(module)) = (heir, &removed.module) {
        heir.module = Some(module.clone());
    }
}

/// Lines that `create api` wrote and that are not there any more: the user may have changed them.
fn missing(plan: &Plan, texts: Texts<'_>) -> Vec<String> {
    let gone = |(path, insertion): (&RelPath, &Insertion)| {
        let text = texts(path)?;
        (!insertion.is_in(&text)).then(|| {
            let line = insertion.text.lines().next().unwrap_or_default();
            format!("{path} has no line `{line}` as it was made: look for what became of it")
        })
    };
    plan.removed_insertions().filter_map(gone).collect()
}

/// The API crate goes whole or not at all.
fn keep_a_changed_crate(
    project: &Project,
    after: &Project,
    texts: Texts<'_>,
    plan: &mut Plan,
) -> Option<String> {
    let has_types = |project: &Project| project.resources.iter().any(|other| other.api.is_some());
    if !has_types(project) || has_types(after) {
        return None;
    }
    let files = create_api::CRATE_FILES.map(RelPath::new);
    let snapshot: Snapshot = files
        .iter()
        .filter_map(|path| Some((path.clone(), FileState::File(texts(path)?))))
        .collect();
    // Conflicts are reported when the whole plan is held against the tree.
    let resolved = resolve(&plan.restricted_to(&files), &snapshot, Overwrite::OnRequest).ok()?;
    let stays = |path: &&RelPath| {
        let goes = |change: &Change| change.path == **path && change.action == Action::Remove;
        texts(path).is_some() && !resolved.changes.iter().any(goes)
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
        "the crate api stays, without kinds, because you changed {changed}"
    ))
}

/// CRDs of the user's own stay in what is deployed.
fn keep_listed_crds(texts: Texts<'_>, plan: &mut Plan) -> Option<String> {
    let list = RelPath::new("config/crd/kustomization.yaml");
    let mut text = texts(&list).filter(|_| plan.removes_if_unmodified(&list))?;
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
    Some(format!("{list} stays, because it lists more"))
}

/// A test that the user changed stays, and so does what it is built with.
fn keep_what_tests_need(texts: Texts<'_>, plan: &mut Plan) -> Option<String> {
    let changed = plan.conditional_removals().find(|(path, made)| {
        let text = texts(path).map(|text| text.replace("\r\n", "\n"));
        path.as_str().starts_with("tests/") && text.is_some_and(|text| text != **made)
    })?;
    let note = format!(
        "{} stays, because you changed it, and no longer compiles: move or delete it",
        changed.0
    );
    plan.retain_edits(&RelPath::new("Cargo.toml"), |edit| {
        let is_for_tests = |table: &DependencyTable| *table == DependencyTable::Dev;
        !matches!(edit, Edit::Cargo(CargoEdit::RemoveDependency { table, .. }) if is_for_tests(table))
    });
    Some(note)
}

/// The crate of a type of others stays for as long as something uses that type.
fn keep_crate_of(removed: &Resource, plan: &mut Plan) {
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

/// The first version that was made is stored, unless the user chose another.
fn stored_version(removed: &Resource, project: &Project) -> Option<String> {
    let mut versions = project
        .resources
        .iter()
        .filter(|other| other.api.is_some() && other.is_version_of(removed));
    let first = versions.next()?;
    let next = versions.next()?;
    (first.version == removed.version).then(|| {
        format!(
            "{} was made as the stored version of {}, and {} takes its place: before the CRD reaches a cluster, all objects there \
             have to be stored anew, and status.storedVersions has to lose {}",
            removed.version, removed.kind, next.version, removed.version
        )
    })
}

/// Other controllers that own the kind do not compile without it. Those that nobody changed are made anew; the others are the user's to
/// change.
fn leave_changed_users(
    removed: &Resource,
    project: &Project,
    after: &Project,
    texts: Texts<'_>,
    plan: &mut Plan,
) -> Vec<String> {
    let is_removed = |owned: &Gvk| {
        owned.group == removed.group
            && owned.version == removed.version
            && owned.kind == removed.kind
    };
    let unix = |path: &RelPath| texts(path).unwrap_or_default().replace("\r\n", "\n");
    let mut notes = Vec::new();
    for path in create_api::controller_files(after) {
        let text = unix(&path);
        let uses = owned_in(&text, project).iter().any(is_removed);
        if !uses || plan.merge_ancestor(&path) == Some(&text) {
            continue;
        }
        plan.retain_edits(&path, |edit| !matches!(edit, Edit::Merge { .. }));
        notes.push(format!(
            "{path} uses {}, and has to be changed",
            removed.kind
        ));
    }
    notes
}

/// The sample that `generate` wrote is not the one that `create api` did.
fn take_sample_back(removed: &Resource, project: &Project, texts: Texts<'_>, plan: &mut Plan) {
    let group = removed.group.as_ref();
    let Ok(api_group) = removed.api_group() else {
        return;
    };
    let name = layout::sample_name(group, &api_group, &removed.version, &removed.kind);
    let path = layout::sample_file(&name);
    let crd = crd_file(removed).and_then(|path| texts(&path));
    if let (Some(sample), Some(crd)) = (texts(&path), crd)
        && follows(&sample, &crd, removed, project)
    {
        plan.remove(path);
    }
}

/// Where `generate` puts the CRD of the kind.
fn crd_file(resource: &Resource) -> Option<RelPath> {
    let group = resource.api_group().ok()?;
    Some(OutputDir::of_crds().file(&format!("{group}_{}.yaml", resource.plural())))
}

/// The CRD goes with the last version of its kind.
fn remove_crd(
    removed: &Resource,
    after: &Project,
    texts: Texts<'_>,
    plan: &mut Plan,
) -> Option<String> {
    let remains = |other: &Resource| other.api.is_some() && other.is_version_of(removed);
    if after.resources.iter().any(remains) {
        return None;
    }
    let path = crd_file(removed)?;
    let text = texts(&path)?;
    if is_generated(&text) {
        plan.remove(path);
        return None;
    }
    Some(format!(
        "{path} was not made by `kb-rs generate`, and stays"
    ))
}
