//! Validates a request: its flags, and its names against the kinds of the project.

use super::{Request, controller_names, image, target::TargetKind};
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
    check_image(request, project, target, problems);
    if request.controller {
        check_scope(request, project, target, problems);
        controller_names::check(request, project, target, problems);
    }
}

/// Returns the problems with the flags alone, whatever the project.
pub(super) fn check_flags(request: &Request) -> Vec<Problem> {
    let mut problems = Vec::new();
    if request.resource && !request.version.is_conventional() {
        problems.push(Problem::new(
            format!(
                "version \"{}\" is not a Kubernetes API version",
                request.version
            ),
            "use a version such as v1, v1beta1 or v2alpha1",
        ));
    }
    if !request.resource && !request.controller {
        problems.push(Problem::new(
            "nothing to scaffold: neither an API type nor a controller",
            "omit --resource=false or --controller=false",
        ));
    }
    if request.resource && request.external.is_given() {
        problems.push(Problem::new(
            "the --external-api flags require --resource=false",
            "pass --resource=false, or omit the --external-api flags",
        ));
    }
    if !request.resource && request.external.path.is_none() && request.external.is_given() {
        problems.push(Problem::new(
            "--external-api-domain and --external-api-module require --external-api-path",
            "pass the Rust module of the type with --external-api-path",
        ));
    }
    for (flag, given) in [
        ("--controller-name", request.controller_name.is_some()),
        ("--owns", !request.owns.is_empty()),
        ("--finalizer", request.finalizer),
    ] {
        if given && !request.controller {
            problems.push(Problem::new(
                format!("{flag} requires --controller"),
                format!("omit {flag} or --controller=false"),
            ));
        }
    }
    problems.extend(check_image_flags(request));
    problems
}

fn check_image_flags(request: &Request) -> Vec<Problem> {
    let flags = &request.image;
    let mut problems = Vec::new();
    if flags.reference.is_none() {
        for (flag, given) in [
            ("--image-container-port", flags.container_port.is_some()),
            (
                "--image-container-command",
                flags.container_command.is_some(),
            ),
            ("--run-as-user", flags.run_as_user.is_some()),
        ] {
            if given {
                problems.push(Problem::new(
                    format!("{flag} requires --image"),
                    format!("pass --image, or omit {flag}"),
                ));
            }
        }
        return problems;
    }
    for (flag, given) in [
        ("--resource=false", !request.resource),
        ("--controller=false", !request.controller),
        ("--controller-name", request.controller_name.is_some()),
        ("--namespaced=false", request.namespaced == Some(false)),
    ] {
        if given {
            problems.push(Problem::new(
                format!("--image conflicts with {flag}"),
                format!("omit {flag}"),
            ));
        }
    }
    if !request.owns.is_empty() {
        problems.push(Problem::new(
            "--image conflicts with --owns",
            "omit --owns, or scaffold without --image",
        ));
    }
    problems
}

/// Rejects images and owned kinds that the existing type of the kind does not allow.
fn check_image(request: &Request, project: &Project, target: &TargetKind, problems: &mut Problems) {
    let mut before = project
        .resources
        .iter()
        .take_while(|other| !target.is(other));
    let is_copied = |other: &&Resource| target.is_kind_of(other) && other.api.is_some();
    if request.image.reference.is_some()
        && let Some(other) = before.find(is_copied)
    {
        problems.push(Problem::new(
            format!(
                "--image requires a new kind: {} {} starts as a copy of version {}",
                target.kind, target.version, other.version
            ),
            "omit --image",
        ));
    }
    if !request.owns.is_empty() && image::recorded(request, project, target).is_some() {
        problems.push(Problem::new(
            format!(
                "--owns conflicts with the image of {}: its controller owns what it deploys",
                target.kind
            ),
            "omit --owns, or pass --controller-name to scaffold another controller",
        ));
    }
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
                "groups \"{group}\" and \"{other}\" have the same Rust module: {}",
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
                "--group must not include the domain: the API group would be {}",
                target.api_group
            ),
            format!("pass --group {short}"),
        ));
        return;
    }
    if project.multigroup {
        if target.group.is_none() {
            problems.push(Problem::new(
                "a multi-group project requires an API group",
                "pass --group, or the group in --api GROUP/VERSION/KIND",
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
                "this is a single-group project with API group \"{group}\", and {} is another group",
                target.api_group
            ),
            "use that group, or run `kb-rs edit --multigroup` first",
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
            format!("{}/{} {} already exists", target.api_group, target.version, target.kind),
            "choose another version or kind, pass --resource=false to add a controller, or --force to scaffold it again",
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
                format!("plural \"{plural}\" is already used by {}", other.kind),
                "pass another --plural",
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
                    "kind {} conflicts with {}: {reason}",
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
            "omit --plural: all versions of a kind share one plural",
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
            "omit --namespaced: all versions of a kind share one scope",
        ));
    }
}

fn check_scope(request: &Request, project: &Project, target: &TargetKind, problems: &mut Problems) {
    if project.namespaced && !target.namespaced {
        let help = if request.resource {
            "pass --controller=false, or run `kb-rs edit --namespaced=false` first"
        } else {
            "run `kb-rs edit --namespaced=false` first"
        };
        problems.push(Problem::new(
            format!(
                "{} is cluster-scoped, but the manager of this project is namespaced",
                target.kind
            ),
            help,
        ));
    }
}
