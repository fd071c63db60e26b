//! Suggestions for unknown Kubernetes kinds.
//!
//! Compares the kind first (ignoring case and plural), then the group, then the version. Among equals, suggests the version that Kubernetes prefers.

use std::cmp::Reverse;

use super::lookup::{find, is_group, short};
use super::table::{BuiltinKind, KINDS};
use crate::edit_distance;
use crate::names::Priority;

/// Returns the most similar kind in the form `apps/v1/Deployment`, or `None` if it exists or nothing is similar.
///
/// Keeps the user's spelling of a correct group.
pub fn suggestion(group: &str, version: &str, kind: &str) -> Option<String> {
    if find(group, version, kind).is_some() {
        return None;
    }
    let (_, best) = KINDS
        .iter()
        .filter_map(|known| {
            // A typo in an unknown group is rather a custom kind: AppService is not APIService.
            let allowed = if is_group(group, known.group) { 2 } else { 0 };
            Some((distance(known, kind, allowed)?, known))
        })
        .min_by_key(|(distance, known)| {
            let other_group = !is_group(group, known.group);
            let other_version = known.version != version;
            (
                *distance,
                other_group,
                other_version,
                Reverse(Priority::of(known.version)),
            )
        })?;
    let spelling = if is_group(group, best.group) && !group.is_empty() {
        group
    } else {
        short(best.group)
    };
    Some(format!("{spelling}/{}/{}", best.version, best.kind))
}

/// Returns the edit distance to a known kind, or `None` if too large.
fn distance(known: &BuiltinKind, kind: &str, allowed: usize) -> Option<usize> {
    let kind = kind.to_ascii_lowercase();
    if kind == known.plural {
        return Some(0);
    }
    let known = known.kind.to_ascii_lowercase();
    let allowed = allowed.min(known.len() / 4);
    Some(edit_distance(&known, &kind)).filter(|distance| *distance <= allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(gvk: &str, expected: Option<&str>) {
        let parts: Vec<&str> = gvk.split('/').collect();
        assert_eq!(
            suggestion(parts[0], parts[1], parts[2]).as_deref(),
            expected,
            "{gvk}"
        );
    }

    #[test]
    fn corrects_the_group() {
        check("apps/v1/Service", Some("core/v1/Service"));
        check("core/v1/Deployment", Some("apps/v1/Deployment"));
        check("extensions/v1beta1/Ingress", Some("networking/v1/Ingress"));
    }

    #[test]
    fn corrects_the_version_and_keeps_the_spelling_of_the_group() {
        check("batch/v1beta1/CronJob", Some("batch/v1/CronJob"));
        check(
            "networking.k8s.io/v1beta1/Ingress",
            Some("networking.k8s.io/v1/Ingress"),
        );
        check(
            "autoscaling/v2beta2/HorizontalPodAutoscaler",
            Some("autoscaling/v2/HorizontalPodAutoscaler"),
        );
        check("/v2/Pod", Some("core/v1/Pod"));
    }

    #[test]
    fn corrects_case_plurals_and_typos() {
        check("apps/v1/deployment", Some("apps/v1/Deployment"));
        check("apps/v1/deployments", Some("apps/v1/Deployment"));
        check("apps/v1/Deploymnt", Some("apps/v1/Deployment"));
        check("core/v1/Configmap", Some("core/v1/ConfigMap"));
        check("apps/v1/Statefullset", Some("apps/v1/StatefulSet"));
    }

    #[test]
    fn suggests_nothing_for_known_and_dissimilar_kinds() {
        check("apps/v1/Deployment", None);
        check("batch/v1/AppService", None);
        check("core/v1/Foo", None);
    }
}
