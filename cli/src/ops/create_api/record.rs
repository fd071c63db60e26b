//! Records a request in PROJECT.

use kb_model::Gvk;

use super::{
    Request,
    owned::Owned,
    target::{Origin, TargetKind},
};
use crate::project::{Api, Controller, Image, Project, Resource};

/// Adds the kind and its controller to the project record.
pub(super) fn add(
    request: &Request,
    target: &TargetKind,
    image: Option<&Image>,
    owned: &[Owned],
    project: &mut Project,
) {
    let index = project
        .resources
        .iter()
        .position(|resource| target.is(resource))
        .unwrap_or_else(|| {
            project.resources.push(new(request, target));
            project.resources.len() - 1
        });
    let resource = &mut project.resources[index];
    if request.resource {
        resource.api = Some(Api {
            crd_version: "v1".to_owned(),
            namespaced: target.namespaced,
        });
        resource.image = image.cloned();
    }
    if !request.controller {
        return;
    }
    let owns: Vec<Gvk> = owned.iter().map(Owned::gvk).collect();
    let Some(name) = &request.controller_name else {
        resource.controller = true;
        resource.owns = owns;
        resource.finalizer = request.finalizer;
        return;
    };
    let controllers = &mut resource.controllers;
    match controllers.iter_mut().find(|known| known.name == *name) {
        Some(known) => {
            known.owns = owns;
            known.finalizer = request.finalizer;
        }
        None => controllers.push(Controller {
            owns,
            finalizer: request.finalizer,
            ..Controller::new(name.clone())
        }),
    }
}

fn new(request: &Request, target: &TargetKind) -> Resource {
    let is_external = target.origin == Origin::External;
    let module = request.external.module.as_ref().filter(|_| is_external);
    Resource {
        group: target.group.clone(),
        domain: target.domain.clone(),
        plural: (target.plural != target.kind.plural()).then(|| target.plural.clone()),
        path: Some(target.module.clone()),
        core: target.origin == Origin::Builtin,
        external: is_external,
        module: module.map(ToString::to_string),
        ..Resource::new(target.version.clone(), target.kind.clone())
    }
}
