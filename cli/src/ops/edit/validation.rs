//! Validates a request against the kinds of the project.

use std::collections::BTreeSet;

use kb_model::{Group, builtin};

use super::Request;
use crate::{
    ops::layout::Layout,
    problem::Problem,
    project::{Project, Resource},
};

/// Returns every conflict with the project.
pub(super) fn check(request: &Request, project: &Project) -> Vec<Problem> {
    let mut problems = Vec::new();
    for component in &request.enable {
        if request.disable.contains(component) {
            let name = component.dir();
            problems.push(Problem::new(
                format!("--enable and --disable both contain {name}"),
                format!("omit {name} from one of them"),
            ));
        }
    }
    if request.multigroup == Some(false) && project.multigroup {
        problems.extend(check_one_group(project));
    }
    if request.namespaced == Some(true) && !project.namespaced {
        problems.extend(check_scopes(project));
    }
    problems
}

fn check_one_group(project: &Project) -> Option<Problem> {
    let own = || project.resources.iter().filter(|own| own.api.is_some());
    let groups: BTreeSet<&str> = own()
        .map(|own| own.group.as_ref().map_or("", Group::as_str))
        .collect();
    if groups.len() > 1 {
        let groups: Vec<&str> = groups.into_iter().collect();
        return Some(Problem::new(
            format!("this project has several API groups: {}", groups.join(", ")),
            "delete the APIs of all but one group first, with `kb-rs delete api`",
        ));
    }
    let is_grouped = |own: &&Resource| Layout::of(own, project).is_grouped();
    own().find(is_grouped).map(|own| {
        Problem::new(
            format!(
                "{} is in the directory of its group, and files are not moved",
                own.kind
            ),
            "keep the multi-group layout, which also works for a single group",
        )
    })
}

fn check_scopes(project: &Project) -> Vec<Problem> {
    let is_cluster_scoped = |resource: &&Resource| {
        if let Some(api) = &resource.api {
            return !api.namespaced;
        }
        let group = resource.group.as_ref().map_or("", Group::as_str);
        let known = builtin::find(group, resource.version.as_str(), resource.kind.as_str());
        resource.core && known.is_some_and(|known| !known.namespaced)
    };
    project
        .resources
        .iter()
        .filter(|resource| resource.has_controller())
        .filter(is_cluster_scoped)
        .map(|resource| {
            Problem::new(
                format!(
                    "{} is cluster-scoped and has a controller, which a namespace-scoped operator cannot run",
                    resource.kind
                ),
                "delete the controller first, with `kb-rs delete api --resource=false`",
            )
        })
        .collect()
}
