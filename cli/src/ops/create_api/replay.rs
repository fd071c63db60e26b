//! Replays the `create api` calls that PROJECT records.
//!
//! `delete api` reverts what the replay yields with a kind and not without it; `edit` compares the replays under two settings.

use kb_model::{Gvk, builtin};
use kb_templates::context;

use super::{
    External, ImageFlags, Request, api, controller,
    controller_names::ControllerNames,
    image, owned,
    target::{self, Origin, TargetKind},
};
use crate::{
    ops::ReadFile,
    plan::Plan,
    problem::Problems,
    project::{Project, Resource},
};

/// Plans what was scaffolded for every kind of `project`. `origins` also has the kinds that are about to be deleted, because the types
/// of another version may be copies of theirs.
pub(crate) fn replay(
    project: &Project,
    origins: &Project,
    context: &context::Project,
    read: ReadFile<'_>,
    plan: &mut Plan,
) {
    for resource in &project.resources {
        for request in requests(resource) {
            replay_request(&request, project, origins, context, read, plan);
        }
    }
}

fn replay_request(
    request: &Request,
    project: &Project,
    origins: &Project,
    context: &context::Project,
    read: ReadFile<'_>,
    plan: &mut Plan,
) {
    // A record that does not resolve was written by hand: nothing was scaffolded for it.
    let Some(mut target) = target::resolve(request, project, &mut Problems::default()) else {
        return;
    };
    let image = image::resolve(request, project, Some(&target));
    let image = image.as_ref();
    // Only a PROJECT edited by hand has two kinds in one file.
    if request.resource && !plan.creates(&target.layout().api_file()) {
        api::plan(&target, image, project, origins, context, read, plan);
    }
    if request.controller {
        let text = controller_text(request, &mut target, read);
        if plan.creates(&ControllerNames::of_request(request, &target).file) {
            return;
        }
        let owns = match image {
            Some(image) => image::owns(image),
            None if request.owns.is_empty() => owned_in_source(&text.unwrap_or_default(), project),
            None => request.owns.clone(),
        };
        let owned = owned::resolve(&owns, project, Some(&target), &mut Problems::default());
        controller::plan(request, &target, image, &owned, project, context, plan);
    }
}

/// Reads the controller's file. For a kind of another project, PROJECT does not record whether the controller was scaffolded in a group
/// directory: the one that exists decides.
fn controller_text(
    request: &Request,
    target: &mut TargetKind,
    read: ReadFile<'_>,
) -> Option<String> {
    let text = read(&ControllerNames::of_request(request, target).file);
    if text.is_some() || target.origin == Origin::Own {
        return text;
    }
    target.grouped = !target.grouped;
    let other = read(&ControllerNames::of_request(request, target).file);
    if other.is_none() {
        target.grouped = !target.grouped;
    }
    other
}

/// Returns the calls that led to a record.
fn requests(resource: &Resource) -> Vec<Request> {
    let image = &resource.image;
    let call = |api, controller, controller_name, owns: &[Gvk], finalizer| Request {
        group: resource.group.clone(),
        version: resource.version.clone(),
        kind: resource.kind.clone(),
        plural: resource.plural.clone().filter(|_| api),
        resource: api,
        controller,
        controller_name,
        namespaced: resource.api.as_ref().map(|api| api.namespaced),
        owns: owns.to_vec(),
        finalizer,
        image: image
            .clone()
            .filter(|_| api)
            .map(ImageFlags::from)
            .unwrap_or_default(),
        external: External {
            path: None,
            domain: None,
            module: resource
                .module
                .as_ref()
                .and_then(|module| module.parse().ok()),
        },
        force: false,
    };
    let unnamed = call(
        resource.api.is_some(),
        resource.controller,
        None,
        &resource.owns,
        resource.finalizer,
    );
    let named = resource.controllers.iter().map(|known| {
        let name = Some(known.name.clone());
        call(false, true, name, &known.owns, known.finalizer)
    });
    Some(unnamed)
        .filter(|unnamed| unnamed.resource || unnamed.controller)
        .into_iter()
        .chain(named)
        .collect()
}

/// Returns the kinds that a scaffolded controller owns, in order, from the stores in its source. Only for projects whose PROJECT does not
/// record `owns`.
pub(crate) fn owned_in_source(text: &str, project: &Project) -> Vec<Gvk> {
    let imports: Vec<(&str, &str, &str)> = text.lines().filter_map(import).collect();
    let stores = text.lines().filter_map(|line| {
        let (_, path) = line.trim().strip_prefix("pub ")?.split_once(": Store<")?;
        path.strip_suffix(">,")
    });
    stores
        .filter_map(|name| {
            let (module, kind, _) = imports.iter().find(|(.., alias)| *alias == name)?;
            gvk(module, kind, project)
        })
        .collect()
}

/// Splits `use MODULE::TYPE as NAME;` into module, type and name.
fn import(line: &str) -> Option<(&str, &str, &str)> {
    let path = line.strip_prefix("use ")?.strip_suffix(';')?;
    let (path, alias) = path.split_once(" as ").unwrap_or((path, ""));
    let (module, name) = path.rsplit_once("::")?;
    Some((module, name, if alias.is_empty() { name } else { alias }))
}

fn gvk(module: &str, kind: &str, project: &Project) -> Option<Gvk> {
    let is_declared =
        |own: &&Resource| own.kind.as_str() == kind && own.path.as_deref() == Some(module);
    if let Some(own) = project.resources.iter().find(is_declared) {
        return Some(Gvk {
            group: own.group.clone(),
            version: own.version.clone(),
            kind: own.kind.clone(),
        });
    }
    let found = builtin::find_type(module, kind)?;
    Some(Gvk {
        group: found.group.parse().ok(),
        version: found.version.parse().ok()?,
        kind: found.kind.parse().ok()?,
    })
}
