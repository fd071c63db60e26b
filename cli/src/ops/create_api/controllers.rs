//! The controllers a project has, and whether a further one fits beside them.

use super::{Request, target::Target};
use crate::{
    ops::layout::Layout,
    plan::RelPath,
    problem::{Problem, Problems},
    project::{Project, Resource},
};

/// What a controller is called, everywhere it has a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Names {
    /// Its module inside the folder it is in: `app_service`.
    pub(super) module: String,
    /// Its file: `src/controller/app_service.rs`.
    pub(super) file: RelPath,
    /// Its name in metrics: `appservice`.
    pub(super) metric: String,
}

impl Names {
    /// The names of the controller that the request asks for.
    pub(super) fn of_request(request: &Request, target: &Target) -> Self {
        let name = request
            .controller_name
            .as_ref()
            .map(|name| (name.module(), name.to_string()));
        Self::new(
            &target.layout(),
            name.unwrap_or_else(|| usual(&target.kind)),
        )
    }

    /// Whether this is, or will be, the first controller of the kind: the one that answers for its status.
    pub(super) fn is_first(&self, target: &Target, project: &Project) -> bool {
        project
            .resources
            .iter()
            .filter(|resource| target.is_kind_of(resource))
            .flat_map(|resource| Self::of_resource(resource, project))
            .next()
            .is_none_or(|first| first == *self)
    }

    fn new(layout: &Layout<'_>, (module, metric): (String, String)) -> Self {
        let module = layout.controller_module(module);
        let metric = match layout.controller_group() {
            Some(group) => format!("{}-{metric}", group.trim_end_matches('_').replace('_', "-")),
            None => metric,
        };
        Self {
            file: layout.controller_file(&module),
            module,
            metric,
        }
    }

    /// Those of all controllers of a recorded kind.
    fn of_resource(resource: &Resource, project: &Project) -> Vec<Self> {
        let layout = Layout::of(resource, project);
        let unnamed = resource.controller.then(|| usual(&resource.kind));
        let named = resource
            .controllers
            .iter()
            .map(|controller| (controller.name.module(), controller.name.to_string()));
        unnamed
            .into_iter()
            .chain(named)
            .map(|name| Self::new(&layout, name))
            .collect()
    }
}

/// The files of all controllers of a project.
pub(crate) fn controller_files(project: &Project) -> Vec<RelPath> {
    project
        .resources
        .iter()
        .flat_map(|resource| Names::of_resource(resource, project))
        .map(|names| names.file)
        .collect()
}

/// The names of a kind's controller that was given none.
fn usual(kind: &kb_model::Kind) -> (String, String) {
    (kind.module(), kind.lower())
}

/// Notes why the controller cannot be made.
pub(super) fn check(
    request: &Request,
    project: &Project,
    target: &Target,
    problems: &mut Problems,
) {
    let wanted = Names::of_request(request, target);
    let own_name = "give the new one a name with --controller-name";
    let unnamed = request.controller_name.is_none();
    for resource in project
        .resources
        .iter()
        .filter(|resource| resource.has_controller())
    {
        let taken = Names::of_resource(resource, project);
        let again = target.is(resource) && taken.contains(&wanted);
        if again && request.force {
            continue;
        }
        if again && !unnamed {
            problems.push(Problem::new(
                format!(
                    "{} has the controller \"{}\" already",
                    target.kind, wanted.metric
                ),
                "choose another name, or make it anew with --force",
            ));
        } else if unnamed && target.is_kind_of(resource) && resource.controller {
            problems.push(Problem::new(
                format!(
                    "{}/{} {} has a controller already",
                    target.api_group, resource.version, target.kind
                ),
                own_name,
            ));
        } else if unnamed && target.is(resource) && !resource.controllers.is_empty() {
            problems.push(Problem::new(
                format!("{} has controllers with names already", target.kind),
                own_name,
            ));
        } else if let Some(other) = taken.iter().find(|other| clash(other, &wanted)) {
            problems.push(Problem::new(
                format!(
                    "the controller \"{}\" of {} has the same name or file",
                    other.metric, resource.kind
                ),
                "choose another name with --controller-name",
            ));
        }
    }
}

fn clash(one: &Names, other: &Names) -> bool {
    one.file == other.file || one.metric == other.metric
}
