//! The project's record after a request.

use super::{
    Request,
    target::{Origin, Target},
};
use crate::project::{Api, Controller, Project, Resource};

/// `project` with the kind and its controller.
pub(super) fn updated(request: &Request, target: &Target, project: &Project) -> Project {
    let mut project = project.clone();
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
    }
    if request.controller {
        match &request.controller_name {
            None => resource.controller = true,
            Some(name) => {
                let mut controllers = resource.controllers.iter();
                if controllers.all(|controller| controller.name != *name) {
                    resource.controllers.push(Controller::new(name.clone()));
                }
            }
        }
    }
    project
}

fn new(request: &Request, target: &Target) -> Resource {
    let is_external = target.origin == Origin::External;
    Resource {
        group: target.group.clone(),
        domain: target.domain.clone(),
        plural: (target.plural != target.kind.plural()).then(|| target.plural.clone()),
        path: Some(target.module.clone()),
        core: target.origin == Origin::Builtin,
        external: is_external,
        module: request
            .external
            .module
            .as_ref()
            .filter(|_| is_external)
            .map(ToString::to_string),
        ..Resource::new(target.version.clone(), target.kind.clone())
    }
}
