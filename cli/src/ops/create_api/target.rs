//! Resolves the kind that a request refers to: who defines its type, and all its names.

use kb_model::{ApiGroup, Domain, Group, Kind, Plural, Version, builtin};

use toml_edit::{DocumentMut, Item};

use super::Request;
use crate::{
    ops::layout::{self, Layout},
    problem::{Problem, Problems},
    project::{Project, Resource},
};

/// Who defines the type of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// This project.
    Own,
    /// Kubernetes.
    Builtin,
    /// Another crate.
    External,
}

/// The kind of a request.
#[derive(Debug, Clone)]
pub(super) struct TargetKind {
    pub(super) origin: Origin,
    pub(super) group: Option<Group>,
    pub(super) domain: Option<Domain>,
    pub(super) api_group: ApiGroup,
    pub(super) version: Version,
    pub(super) kind: Kind,
    pub(super) plural: Plural,
    pub(super) namespaced: bool,
    /// Whether its files are in a directory of its group.
    pub(super) grouped: bool,
    /// Rust module of the type.
    pub(super) module: String,
    /// Notes on decisions that the user did not make.
    pub(super) notes: Vec<String>,
}

impl TargetKind {
    /// Returns the paths of its files.
    pub(super) fn layout(&self) -> Layout<'_> {
        Layout::new(self.grouped, self.group.as_ref(), &self.version, &self.kind)
    }

    /// Returns the file name of its sample.
    pub(super) fn sample(&self) -> String {
        let group = self.group.as_ref();
        layout::sample_name(group, &self.api_group, &self.version, &self.kind)
    }

    /// Returns whether `resource` is this kind in this version.
    pub(super) fn is(&self, resource: &Resource) -> bool {
        self.is_kind_of(resource) && resource.version == self.version
    }

    /// Returns whether `resource` is this kind in any version.
    pub(super) fn is_kind_of(&self, resource: &Resource) -> bool {
        resource.group == self.group && resource.domain == self.domain && resource.kind == self.kind
    }
}

/// Resolves the kind of a request, and reports what is wrong with it.
pub(super) fn resolve(
    request: &Request,
    project: &Project,
    problems: &mut Problems,
) -> Option<TargetKind> {
    if request.resource {
        return own(request, project, problems);
    }
    if request.external.path.is_some() {
        return external(request, project, problems);
    }
    if let Some(known) = tracked(request, project) {
        let target = from_record(request, project, known, problems)?;
        if target.origin == Origin::Own {
            check_fixed(request, &target, problems);
        }
        return Some(target);
    }
    builtin_kind(request, project, problems)
}

/// Returns the only recorded kind with the group, version and kind of the request.
fn tracked<'a>(request: &Request, project: &'a Project) -> Option<&'a Resource> {
    let mut matching = project.resources.iter().filter(|resource| {
        resource.group == request.group
            && resource.version == request.version
            && resource.kind == request.kind
    });
    matching.next().filter(|_| matching.next().is_none())
}

fn own(request: &Request, project: &Project, problems: &mut Problems) -> Option<TargetKind> {
    let domain = project.domain.clone();
    let api_group = problems.take(ApiGroup::new(request.group.as_ref(), domain.as_ref()))?;
    if let Err(error) = api_group.check_custom() {
        problems.push(error.into());
    }
    // All versions of a kind share one CRD, and so its scope and plural.
    let sibling = project.resources.iter().find(|resource| {
        resource.api.is_some()
            && resource.group == request.group
            && resource.domain == domain
            && resource.kind == request.kind
    });
    let plural = request
        .plural
        .clone()
        .or_else(|| sibling.and_then(|sibling| sibling.plural.clone()))
        .unwrap_or_else(|| request.kind.plural());
    let scope = sibling
        .and_then(|sibling| sibling.api.as_ref())
        .map(|api| api.namespaced);
    let mut notes = Vec::new();
    if api_group.is_protected() {
        notes.push(format!(
            "{api_group} is a protected Kubernetes community group: the CRD is annotated as \"unapproved, experimental-only\""
        ));
    }
    let mut target = TargetKind {
        origin: Origin::Own,
        group: request.group.clone(),
        domain,
        api_group,
        version: request.version.clone(),
        kind: request.kind.clone(),
        plural,
        namespaced: request.namespaced.or(scope).unwrap_or(true),
        grouped: project.multigroup,
        module: String::new(),
        notes,
    };
    let recorded = project.resources.iter().find(|known| target.is(known));
    if let Some(known) = recorded {
        target.grouped = Layout::of(known, project).is_grouped();
    }
    target.module = target.layout().type_module(project);
    Some(target)
}

fn external(request: &Request, project: &Project, problems: &mut Problems) -> Option<TargetKind> {
    let path = request.external.path.as_ref()?;
    let domain = request.external.domain.clone();
    let api_group = problems.take(ApiGroup::new(request.group.as_ref(), domain.as_ref()))?;
    if let Some(module) = request
        .external
        .module
        .as_ref()
        .filter(|module| module.lib() != path.crate_name())
    {
        problems.push(Problem::new(
            format!(
                "crate {} is `{}` in Rust code, but --external-api-path starts with `{}`",
                module.name,
                module.lib(),
                path.crate_name()
            ),
            format!("pass `--external-api-path {}::…`", module.lib()),
        ));
    }
    Some(TargetKind {
        origin: Origin::External,
        group: request.group.clone(),
        domain,
        api_group,
        version: request.version.clone(),
        kind: request.kind.clone(),
        plural: request
            .plural
            .clone()
            .unwrap_or_else(|| request.kind.plural()),
        namespaced: request.namespaced.unwrap_or(true),
        grouped: project.multigroup,
        module: path.to_string(),
        notes: Vec::new(),
    })
}

/// Resolves a kind that PROJECT records, for another controller.
fn from_record(
    request: &Request,
    project: &Project,
    known: &Resource,
    problems: &mut Problems,
) -> Option<TargetKind> {
    if known.core {
        return builtin_kind(request, project, problems);
    }
    let origin = if known.external {
        Origin::External
    } else {
        Origin::Own
    };
    let api_group = problems.take(ApiGroup::new(known.group.as_ref(), known.domain.as_ref()))?;
    let mut target = TargetKind {
        origin,
        group: known.group.clone(),
        domain: known.domain.clone(),
        api_group,
        version: known.version.clone(),
        kind: known.kind.clone(),
        plural: known.plural(),
        namespaced: known
            .api
            .as_ref()
            .map(|api| api.namespaced)
            .or(request.namespaced)
            .unwrap_or(true),
        grouped: Layout::of(known, project).is_grouped(),
        module: known.path.clone().unwrap_or_default(),
        notes: Vec::new(),
    };
    if target.module.is_empty() {
        target.module = target.layout().type_module(project);
    }
    Some(target)
}

fn builtin_kind(
    request: &Request,
    project: &Project,
    problems: &mut Problems,
) -> Option<TargetKind> {
    let group = request.group.as_ref().map_or("", Group::as_str);
    let (version, kind) = (request.version.as_str(), request.kind.as_str());
    let Some(found) = builtin::find(group, version, kind) else {
        let gvk = format!("{group}/{version}/{kind}");
        problems.push(match builtin::suggestion(group, version, kind) {
            Some(suggestion) => Problem::new(
                format!("Kubernetes has no kind {gvk}"),
                format!("did you mean {suggestion}?"),
            ),
            None => Problem::new(
                format!("{gvk} is neither in this project nor built into Kubernetes"),
                "pass --resource to scaffold its type, or --external-api-path if another crate defines it",
            ),
        });
        return None;
    };
    let (group, domain) = record_names(found.group);
    let target = TargetKind {
        origin: Origin::Builtin,
        group: Some(problems.take(group.parse::<Group>())?),
        domain: domain.and_then(|domain| problems.take(domain.parse::<Domain>())),
        api_group: problems.take(found.group.parse::<ApiGroup>())?,
        version: request.version.clone(),
        kind: request.kind.clone(),
        plural: problems.take(found.plural.parse::<Plural>())?,
        namespaced: found.namespaced,
        grouped: project.multigroup,
        module: found.module.to_owned(),
        notes: Vec::new(),
    };
    check_fixed(request, &target, problems);
    Some(target)
}

/// Splits a group of Kubernetes into group and domain as Kubebuilder records them: `core`, `apps`, `networking` and `k8s.io`.
fn record_names(group: &str) -> (&str, Option<&str>) {
    match group.strip_suffix(".k8s.io") {
        Some(short) => (short, Some("k8s.io")),
        None if group.is_empty() => ("core", None),
        None => (group, None),
    }
}

/// Rejects flags that contradict the plural or scope of an existing kind.
fn check_fixed(request: &Request, target: &TargetKind, problems: &mut Problems) {
    if let Some(plural) = request
        .plural
        .as_ref()
        .filter(|plural| **plural != target.plural)
    {
        problems.push(Problem::new(
            format!(
                "the plural of {} is \"{}\", not \"{plural}\"",
                target.kind, target.plural
            ),
            "omit --plural",
        ));
    }
    if request
        .namespaced
        .is_some_and(|namespaced| namespaced != target.namespaced)
    {
        let scope = if target.namespaced {
            "namespaced"
        } else {
            "cluster-scoped"
        };
        problems.push(Problem::new(
            format!("{} is {scope}", target.kind),
            "omit --namespaced",
        ));
    }
}

/// Requires that Cargo.toml depends on the crate of an external type.
pub(super) fn check_dependency(
    request: &Request,
    target: &TargetKind,
    manifest: Option<&str>,
    problems: &mut Problems,
) {
    let Some(path) = &request.external.path else {
        return;
    };
    if target.origin != Origin::External || request.external.module.is_some() {
        return;
    }
    let manifest: DocumentMut = manifest
        .and_then(|text| text.parse().ok())
        .unwrap_or_default();
    let is_dependency = manifest
        .get("dependencies")
        .and_then(Item::as_table_like)
        .is_some_and(|table| {
            table
                .iter()
                .any(|(name, _)| name.replace('-', "_") == path.crate_name())
        });
    if !is_dependency {
        problems.push(Problem::new(
            format!(
                "crate `{}` is not a dependency in Cargo.toml",
                path.crate_name()
            ),
            "pass --external-api-module NAME@VERSION to add it",
        ));
    }
}
