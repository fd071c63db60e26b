//! The resources of Kubernetes' own groups, as a rule of a role names them, with their subresources.
//!
//! `resources.tsv` is data, made by the program `builtin-resources` of the package `scaffold-tests` from what the API server says
//! of itself, and from what only its authorization knows. It is read when it is first asked for, and kept.

use std::sync::LazyLock;

/// A resource of Kubernetes itself, in any version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuiltinResource {
    /// The API group in full, empty for the core group.
    pub group: &'static str,
    /// The resource: `deployments`.
    pub name: &'static str,
    /// The kind; empty if only authorization knows the resource.
    pub kind: &'static str,
    /// Its subresources; `*` if it may have any.
    pub subresources: Vec<&'static str>,
}

impl BuiltinResource {
    /// Whether a rule can name this subresource of it. Who sets owner references that block needs `finalizers` of the owner, whatever it is.
    pub fn has(&self, subresource: &str) -> bool {
        ["*", "finalizers"].contains(&subresource)
            || self
                .subresources
                .iter()
                .any(|known| *known == subresource || *known == "*")
    }
}

static RESOURCES: LazyLock<Vec<BuiltinResource>> = LazyLock::new(|| {
    include_str!("resources.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| parse(line).expect("resources.tsv has four columns"))
        .collect()
});

fn parse(line: &'static str) -> Option<BuiltinResource> {
    let mut columns = line.split('\t');
    let mut next = || columns.next();
    let resource = BuiltinResource {
        group: next()?,
        name: next()?,
        kind: next()?,
        subresources: next()?.split(',').filter(|name| !name.is_empty()).collect(),
    };
    columns.next().is_none().then_some(resource)
}

/// All resources, sorted by group and name.
pub fn resources() -> impl Iterator<Item = &'static BuiltinResource> {
    RESOURCES.iter()
}

/// The groups that have resources, each once.
pub fn resource_groups() -> impl Iterator<Item = &'static str> {
    RESOURCES
        .chunk_by(|one, other| one.group == other.group)
        .map(|group| group[0].group)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin::table::KINDS;

    #[test]
    fn lines_are_sorted_and_there_is_none_twice() {
        let key = |resource: &'static BuiltinResource| (resource.group, resource.name);
        assert!(RESOURCES.iter().is_sorted_by(|a, b| key(a) < key(b)));
    }

    #[test]
    fn every_kind_that_can_be_watched_has_its_resource() {
        for kind in KINDS.iter() {
            let found =
                resources().find(|known| known.group == kind.group && known.name == kind.plural);
            assert_eq!(found.map(|found| found.kind), Some(kind.kind), "{kind:?}");
        }
    }

    #[test]
    fn what_only_authorization_knows_is_there() {
        let has = |group: &str, name: &str, subresource: &str| {
            let mut found = resources().filter(|known| known.group == group && known.name == name);
            found.any(|known| known.has(subresource))
        };
        assert!(has("", "nodes", "metrics"));
        assert!(has("", "pods", "log"));
        assert!(has("", "users", "*"));
        assert!(has("authentication.k8s.io", "userextras", "scopes"));
        assert!(has("certificates.k8s.io", "signers", "*"));
        assert!(has("apps", "deployments", "finalizers"));
        assert!(!has("apps", "deployments", "log"));
    }
}
