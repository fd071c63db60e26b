//! Validates a request: its flags, and its names against the kinds of the project.

use super::{Request, controller_names, target::TargetKind};
use crate::{
    problem::{Problem, Problems},
    project::{Project, Resource},
};

/// Reports every conflict with the project.
pub(super) fn check(
    request: &Request,
    project: &Project,
    target: &TargetKind,
    problems: &mut Problems,
) {
    if request.resource {
        check_group(project, target, problems);
        check_existing(request, project, target, problems);
        check_siblings(project, target, problems);
    }
    if request.controller {
        check_scope(request, project, target, problems);
        controller_names::check(request, project, target, problems);
    }
}

/// Returns the problems with the flags alone, whatever the project.
pub(super) fn check_flags(request: &Request) -> Vec<Problem> {
    let mut problems = Vec::new();
    if request.resource && !request.version.is_usual() {
        problems.push(Problem::new(
            format!("version \"{}\" is not of the usual form", request.version),
            "use v1, v1beta1, v2alpha1 or the like: Kubernetes orders versions by it",
        ));
    }
    if !request.resource && !request.controller {
        problems.push(Problem::new(
            "there is nothing to make: neither a resource nor a controller",
            "leave out --resource=false or --controller=false",
        ));
    }
    if request.resource && request.external.is_given() {
        problems.push(Problem::new(
            "a type of another crate cannot be made here",
            "add --resource=false, or leave out the --external-api flags",
        ));
    }
    if !request.resource && request.external.path.is_none() && request.external.is_given() {
        problems.push(Problem::new(
            "--external-api-domain and --external-api-module say nothing without a path",
            "add --external-api-path, the Rust module that has the type",
        ));
    }
    for (flag, given) in [
        ("--controller-name", request.controller_name.is_some()),
        ("--owns", !request.owns.is_empty()),
    ] {
        if given && !request.controller {
            problems.push(Problem::new(
                format!("{flag} is about a controller, and none is made"),
                format!("leave out {flag}, or --controller=false"),
            ));
        }
    }
    problems
}

/// Rejects a group whose Rust module is that of another group.
fn check_group_module(project: &Project, target: &TargetKind, problems: &mut Problems) {
    let Some(group) = &target.group else { return };
    let mut groups = project
        .resources
        .iter()
        .filter_map(|resource| resource.group.as_ref());
    if let Some(other) = groups.find(|other| *other != group && other.module() == group.module()) {
        problems.push(Problem::new(
            format!(
                "group \"{group}\" has the Rust module of group \"{other}\": {}",
                group.module()
            ),
            "choose a group that differs in more than dots and dashes",
        ));
    }
}

fn check_group(project: &Project, target: &TargetKind, problems: &mut Problems) {
    let suffix = project.domain.as_ref().map(|domain| format!(".{domain}"));
    let short = suffix.as_ref().and_then(|suffix| {
        target
            .group
            .as_ref()?
            .as_str()
            .strip_suffix(suffix.as_str())
    });
    if let Some(short) = short {
        problems.push(Problem::new(
            format!(
                "the domain is added to the group, which would make it {}",
                target.api_group
            ),
            format!("leave the domain out: --group {short}"),
        ));
        return;
    }
    if project.multigroup {
        if target.group.is_none() {
            problems.push(Problem::new(
                "this project keeps its API groups apart, and no group is given",
                "name the group: with --group, or before the first slash of --api",
            ));
        }
        check_group_module(project, target, problems);
        return;
    }
    let other = project
        .resources
        .iter()
        .find(|resource| resource.api.is_some() && resource.group != target.group);
    if let Some(other) = other {
        let group = other
            .group
            .as_ref()
            .map(ToString::to_string)
            .unwrap_or_default();
        problems.push(Problem::new(
            format!(
                "this project has one API group, \"{group}\", and {} is another",
                target.api_group
            ),
            "use that group, or make the project with `kb-rs init --multigroup`",
        ));
    }
}

fn check_existing(
    request: &Request,
    project: &Project,
    target: &TargetKind,
    problems: &mut Problems,
) {
    if request.force {
        return;
    }
    let exists = |resource: &&Resource| target.is(resource) && resource.api.is_some();
    if project.resources.iter().find(exists).is_some() {
        problems.push(Problem::new(
            format!("{}/{} {} exists already", target.api_group, target.version, target.kind),
            "choose another version or kind, add a controller with --resource=false, or make it anew with --force",
        ));
    }
}

/// Checks the names that kinds share: Rust modules and types within a version, plurals within a group, one CRD per kind.
fn check_siblings(project: &Project, target: &TargetKind, problems: &mut Problems) {
    let in_group = project.resources.iter().filter(|resource| {
        resource.api.is_some() && resource.group == target.group && resource.domain == target.domain
    });
    for other in in_group {
        let plural = other.plural.clone().unwrap_or_else(|| other.kind.plural());
        if other.kind == target.kind {
            check_versions_agree(other, &plural, target, problems);
            continue;
        }
        if plural == target.plural {
            problems.push(Problem::new(
                format!("the plural \"{plural}\" is that of {} already", other.kind),
                "give another one with --plural",
            ));
        }
        if let Some(reason) = target
            .kind
            .collides_with(&other.kind)
            // Versions have separate types and modules, but share roles and the CRD.
            .filter(|_| {
                other.version == target.version || other.kind.lower() == target.kind.lower()
            })
        {
            problems.push(Problem::new(
                format!(
                    "kind {} cannot stand beside {}: {reason}",
                    target.kind, other.kind
                ),
                "choose another kind",
            ));
        }
    }
}

fn check_versions_agree(
    other: &Resource,
    plural: &kb_model::Plural,
    target: &TargetKind,
    problems: &mut Problems,
) {
    if *plural != target.plural {
        problems.push(Problem::new(
            format!(
                "{} has the plural \"{plural}\" in version {}, not \"{}\"",
                target.kind, other.version, target.plural
            ),
            "all versions of a kind share its plural: leave out --plural",
        ));
    }
    if other
        .api
        .as_ref()
        .is_some_and(|api| api.namespaced != target.namespaced)
    {
        let scope = if target.namespaced {
            "cluster-scoped"
        } else {
            "namespaced"
        };
        problems.push(Problem::new(
            format!("{} is {scope} in version {}", target.kind, other.version),
            "all versions of a kind share its scope: leave out --namespaced",
        ));
    }
}

fn check_scope(request: &Request, project: &Project, target: &TargetKind, problems: &mut Problems) {
    if project.namespaced && !target.namespaced {
        let help = if request.resource {
            "leave the controller out with --controller=false, or use a project made without --namespaced"
        } else {
            "use a project made without --namespaced"
        };
        problems.push(Problem::new(
            format!(
                "{} is cluster-scoped, and this project's manager may only see single namespaces",
                target.kind
            ),
            help,
        ));
    }
}
