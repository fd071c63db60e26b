//! Names of controllers, and conflicts between them.

use kb_model::Gvk;

use super::{Request, target::TargetKind};
use crate::{
    ops::layout::Layout,
    plan::RelPath,
    problem::{Problem, Problems},
    project::{Project, Resource},
};

/// The names of a controller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ControllerNames {
    /// Module: `app_service`.
    pub(super) module: String,
    /// File: `src/controller/app_service.rs`.
    pub(super) file: RelPath,
    /// Name in logs and metrics: `appservice`.
    pub(super) metric: String,
}

impl ControllerNames {
    /// Returns the names of the requested controller.
    pub(super) fn of_request(request: &Request, target: &TargetKind) -> Self {
        let name = request
            .controller_name
            .as_ref()
            .map(|name| (name.module(), name.to_string()));
        Self::new(
            &target.layout(),
            name.unwrap_or_else(|| default_name(&target.kind)),
        )
    }

    /// Returns whether this is the first controller of the kind, which writes its status.
    pub(super) fn is_first(&self, target: &TargetKind, project: &Project) -> bool {
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

    /// Returns the names of all controllers of a recorded kind.
    fn of_resource(resource: &Resource, project: &Project) -> Vec<Self> {
        let layout = Layout::of(resource, project);
        let unnamed = resource.controller.then(|| default_name(&resource.kind));
        let named = resource
            .controllers
            .iter()
            .map(|known| (known.name.module(), known.name.to_string()));
        unnamed
            .into_iter()
            .chain(named)
            .map(|name| Self::new(&layout, name))
            .collect()
    }
}

/// Returns the file of every controller of a recorded kind, and the kinds that PROJECT records as owned by it.
pub(crate) fn controllers<'a>(
    resource: &'a Resource,
    project: &Project,
) -> impl Iterator<Item = (RelPath, &'a [Gvk])> {
    let unnamed = resource.controller.then_some(&resource.owns);
    let named = resource.controllers.iter().map(|known| &known.owns);
    let owns = unnamed.into_iter().chain(named).map(Vec::as_slice);
    let files = ControllerNames::of_resource(resource, project).into_iter();
    files.map(|names| names.file).zip(owns)
}

/// Returns module and name of a controller without --controller-name.
fn default_name(kind: &kb_model::Kind) -> (String, String) {
    (kind.module(), kind.lower())
}

/// Checks that the requested controller conflicts with no recorded one.
pub(super) fn check(
    request: &Request,
    project: &Project,
    target: &TargetKind,
    problems: &mut Problems,
) {
    let requested = ControllerNames::of_request(request, target);
    let rename = "pass --controller-name to add another one";
    let unnamed = request.controller_name.is_none();
    for resource in project
        .resources
        .iter()
        .filter(|resource| resource.has_controller())
    {
        let taken = ControllerNames::of_resource(resource, project);
        let again = target.is(resource) && taken.contains(&requested);
        if again && request.force {
            continue;
        }
        if again && !unnamed {
            problems.push(Problem::new(
                format!(
                    "{} already has a controller named \"{}\"",
                    target.kind, requested.metric
                ),
                "choose another name, or pass --force to scaffold it again",
            ));
        } else if unnamed && target.is_kind_of(resource) && resource.controller {
            problems.push(Problem::new(
                format!(
                    "{}/{} {} already has a controller",
                    target.api_group, resource.version, target.kind
                ),
                rename,
            ));
        } else if unnamed && target.is(resource) && !resource.controllers.is_empty() {
            problems.push(Problem::new(
                format!("{} already has named controllers", target.kind),
                rename,
            ));
        } else if let Some(other) = taken.iter().find(|other| conflict(other, &requested)) {
            problems.push(Problem::new(
                format!(
                    "controller \"{}\" of {} has the same name or file",
                    other.metric, resource.kind
                ),
                "pass another --controller-name",
            ));
        }
    }
}

fn conflict(one: &ControllerNames, other: &ControllerNames) -> bool {
    one.file == other.file || one.metric == other.metric
}
