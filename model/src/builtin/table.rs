//! The table `kinds.tsv`: one line per kind and version.
//!
//! Parsed lazily.

use std::sync::LazyLock;

/// A Kubernetes kind in one version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuiltinKind {
    /// Full API group, empty for the core group: `networking.k8s.io`.
    pub group: &'static str,
    /// Version: `v1`.
    pub version: &'static str,
    /// Kind: `Ingress`.
    pub kind: &'static str,
    /// Resource name: `ingresses`.
    pub plural: &'static str,
    /// Whether it is namespaced.
    pub namespaced: bool,
    /// Rust module of its type: `k8s_openapi::api::networking::v1`.
    pub module: &'static str,
}

pub(super) static KINDS: LazyLock<Vec<BuiltinKind>> = LazyLock::new(|| {
    include_str!("kinds.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| parse(line).expect("kinds.tsv has six columns with scope N or C"))
        .collect()
});

fn parse(line: &'static str) -> Option<BuiltinKind> {
    let mut columns = line.split('\t');
    let mut next = || columns.next();
    let kind = BuiltinKind {
        group: next()?,
        version: next()?,
        kind: next()?,
        plural: next()?,
        namespaced: match next()? {
            "N" => true,
            "C" => false,
            _ => return None,
        },
        module: next()?,
    };
    columns.next().is_none().then_some(kind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ApiGroup, Kind, Plural, Version};

    #[test]
    fn every_line_has_valid_names() {
        for kind in KINDS.iter() {
            kind.group.parse::<ApiGroup>().unwrap();
            kind.version.parse::<Version>().unwrap();
            kind.kind.parse::<Kind>().unwrap();
            kind.plural.parse::<Plural>().unwrap();
            assert!(
                kind.module.starts_with("k8s_openapi::") && kind.module.ends_with(kind.version)
            );
        }
    }

    #[test]
    fn plurals_match_kubernetes() {
        let odd: Vec<_> = KINDS
            .iter()
            .filter(|kind| kind.kind.parse::<Kind>().unwrap().plural().as_str() != kind.plural)
            .map(|kind| kind.kind)
            .collect();
        assert_eq!(odd, [""; 0]);
    }

    #[test]
    fn lines_are_sorted_without_duplicates() {
        let key = |kind: &'static BuiltinKind| (kind.group, kind.version, kind.kind);
        assert!(KINDS.iter().is_sorted_by(|a, b| key(a) < key(b)));
    }

    #[test]
    fn includes_only_watchable_kinds() {
        for absent in [
            "Binding",
            "Eviction",
            "Scale",
            "TokenReview",
            "PodList",
            "ComponentStatus",
            "Status",
        ] {
            assert!(KINDS.iter().all(|kind| kind.kind != absent), "{absent}");
        }
        for present in [
            "Pod",
            "CustomResourceDefinition",
            "APIService",
            "Lease",
            "Endpoints",
        ] {
            assert!(KINDS.iter().any(|kind| kind.kind == present), "{present}");
        }
    }
}
