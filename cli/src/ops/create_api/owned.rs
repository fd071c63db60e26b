//! Resolves `--owns GROUP/VERSION/KIND` to a Rust type.

use kb_model::{Group, Gvk, Kind, Version, builtin};

use super::{
    imports::Import,
    plural_names::PluralNames,
    target::{Origin, TargetKind},
};
use crate::{
    ops::layout::Layout,
    problem::{Problem, Problems},
    project::{Project, Resource},
};

/// A kind that the controller creates and owns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Owned {
    pub(super) origin: Origin,
    pub(super) kind: Kind,
    pub(super) api_group: String,
    pub(super) version: Version,
    pub(super) plural: String,
    pub(super) namespaced: bool,
    pub(super) import: Import,
    pub(super) plurals: PluralNames,
}

impl Owned {
    /// Returns the name that PROJECT records. It has the full API group, so that it never refers to another kind of the same short name.
    pub(super) fn gvk(&self) -> Gvk {
        Gvk {
            group: self.api_group.parse().ok(),
            version: self.version.clone(),
            kind: self.kind.clone(),
        }
    }
}

/// Resolves all owned kinds, and reports those that do not exist or cannot be owned.
pub(super) fn resolve(
    owns: &[Gvk],
    project: &Project,
    target: Option<&TargetKind>,
    problems: &mut Problems,
) -> Vec<Owned> {
    let mut owned: Vec<Owned> = Vec::new();
    for gvk in owns {
        let Some(found) = find(gvk, project, problems) else {
            continue;
        };
        if let Some(target) = target {
            check(&found, gvk, project, target, problems);
        }
        if !owned.contains(&found) {
            owned.push(found);
        }
    }
    owned
}

fn find(gvk: &Gvk, project: &Project, problems: &mut Problems) -> Option<Owned> {
    let group = gvk.group.as_ref().map_or("", Group::as_str);
    if let Some(resource) = project
        .resources
        .iter()
        .find(|resource| !resource.core && resource.matches_gvk(gvk))
    {
        return from_record(resource, project, problems);
    }
    if let Some(kind) = builtin::find(group, gvk.version.as_str(), gvk.kind.as_str()) {
        return Some(Owned {
            origin: Origin::Builtin,
            kind: gvk.kind.clone(),
            api_group: kind.group.to_owned(),
            version: gvk.version.clone(),
            plural: kind.plural.to_owned(),
            namespaced: kind.namespaced,
            import: Import::of(kind.module, kind.kind),
            plurals: PluralNames::new(&gvk.kind, &problems.take(kind.plural.parse())?),
        });
    }
    problems.push(
        match builtin::suggestion(group, gvk.version.as_str(), gvk.kind.as_str()) {
            Some(suggestion) => Problem::new(
                format!("unknown kind {gvk} in --owns"),
                format!("did you mean {suggestion}?"),
            ),
            None => Problem::new(
                format!("unknown kind {gvk} in --owns: neither in this project nor built into Kubernetes"),
                "create it first with `kb-rs create api`, or use a built-in kind such as apps/v1/Deployment",
            ),
        },
    );
    None
}

fn from_record(resource: &Resource, project: &Project, problems: &mut Problems) -> Option<Owned> {
    let module = match &resource.path {
        Some(path) => path.clone(),
        None => Layout::of(resource, project).type_module(project),
    };
    let api_group = problems.take(resource.api_group())?;
    Some(Owned {
        origin: if resource.external {
            Origin::External
        } else {
            Origin::Own
        },
        kind: resource.kind.clone(),
        api_group: api_group.to_string(),
        version: resource.version.clone(),
        plural: resource.plural().to_string(),
        plurals: PluralNames::new(&resource.kind, &resource.plural()),
        namespaced: resource.api.as_ref().is_none_or(|api| api.namespaced),
        import: Import::of(&module, resource.kind.as_str()),
    })
}

fn check(
    owned: &Owned,
    gvk: &Gvk,
    project: &Project,
    target: &TargetKind,
    problems: &mut Problems,
) {
    if target.namespaced && !owned.namespaced {
        problems.push(Problem::new(
            format!(
                "{} is namespaced and cannot own the cluster-scoped {gvk}",
                target.kind
            ),
            if project.namespaced {
                "omit this --owns"
            } else {
                "pass --namespaced=false, or omit this --owns"
            },
        ));
    }
    if owned.api_group == target.api_group.as_str() && owned.kind == target.kind {
        problems.push(Problem::new(
            format!("{} cannot own itself", target.kind),
            "omit this --owns",
        ));
    }
}
