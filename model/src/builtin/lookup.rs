//! Looks up Kubernetes kinds.
//!
//! The core group is empty or `core`; groups below `k8s.io` can be abbreviated as in Kubebuilder: `networking` for `networking.k8s.io`. Custom groups
//! must be given in full, otherwise `batch` would mean Kubernetes' group.

use super::table::{BuiltinKind, KINDS};

/// Kubernetes groups without watchable kinds.
const OTHER_GROUPS: &[&str] = &[
    "admission.k8s.io",
    "authentication.k8s.io",
    "authorization.k8s.io",
    "extensions",
    "imagepolicy.k8s.io",
    "metrics.k8s.io",
];

/// Finds a Kubernetes kind.
pub fn find(group: &str, version: &str, kind: &str) -> Option<&'static BuiltinKind> {
    KINDS.iter().find(|known| {
        known.kind == kind && known.version == version && is_group(group, known.group)
    })
}

/// Finds the Kubernetes kind of a type in a module of k8s-openapi.
pub fn find_type(module: &str, kind: &str) -> Option<&'static BuiltinKind> {
    KINDS
        .iter()
        .find(|known| known.kind == kind && known.module == module)
}

/// Returns whether a group belongs to Kubernetes.
pub fn is_builtin_group(group: &str) -> bool {
    let known = KINDS.iter().map(|known| known.group);
    known
        .chain(OTHER_GROUPS.iter().copied())
        .any(|full| is_group(group, full))
}

/// Returns whether a resource is a cluster-scoped resource of Kubernetes.
pub fn is_cluster_scoped(group: &str, resource: &str) -> bool {
    // Reviews are cluster-scoped, with one exception.
    let reviews = ["authentication.k8s.io", "authorization.k8s.io"];
    if reviews.iter().any(|full| is_group(group, full)) {
        return resource != "localsubjectaccessreviews";
    }
    KINDS
        .iter()
        .any(|known| known.plural == resource && !known.namespaced && is_group(group, known.group))
}

/// Returns whether `spelling` is a spelling of the group `full`.
pub(super) fn is_group(spelling: &str, full: &str) -> bool {
    spelling == full || spelling == short(full)
}

/// Returns the short spelling of a group: `core`, `networking`.
pub(super) fn short(full: &str) -> &str {
    if full.is_empty() {
        "core"
    } else {
        full.strip_suffix(".k8s.io").unwrap_or(full)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(group: &str, version: &str, kind: &str, plural: Option<&str>) {
        let found = find(group, version, kind).map(|known| known.plural);
        assert_eq!(found, plural, "{group}/{version}/{kind}");
    }

    #[test]
    fn knows_the_scope_of_resources() {
        assert!(is_cluster_scoped("", "nodes"));
        assert!(is_cluster_scoped("authentication.k8s.io", "tokenreviews"));
        assert!(!is_cluster_scoped("core", "pods"));
        assert!(!is_cluster_scoped("example.com", "nodes"));
        assert!(!is_cluster_scoped(
            "authorization",
            "localsubjectaccessreviews"
        ));
    }

    #[test]
    fn finds_kinds_by_type() {
        let found = find_type(
            "k8s_openapi::api::autoscaling::v2",
            "HorizontalPodAutoscaler",
        );
        assert_eq!(found.map(|known| known.version), Some("v2"));
        assert!(find_type("k8s_openapi::api::apps::v1", "Pod").is_none());
    }

    #[test]
    fn accepts_short_and_full_groups() {
        check("", "v1", "Pod", Some("pods"));
        check("core", "v1", "Pod", Some("pods"));
        check("apps", "v1", "Deployment", Some("deployments"));
        check("networking", "v1", "Ingress", Some("ingresses"));
        check("networking.k8s.io", "v1", "Ingress", Some("ingresses"));
        check(
            "rbac.authorization",
            "v1",
            "ClusterRole",
            Some("clusterroles"),
        );
    }

    #[test]
    fn does_not_find_unknown_kinds() {
        check("apps", "v1", "Service", None);
        check("batch", "v1beta1", "CronJob", None);
        check("apps.k8s.io", "v1", "Deployment", None);
        check("batch.example.com", "v1", "CronJob", None);
    }

    #[test]
    fn kinds_have_a_scope_and_a_rust_module() {
        let crd = find("apiextensions", "v1", "CustomResourceDefinition").unwrap();
        assert!(!crd.namespaced);
        assert_eq!(
            crd.module,
            "k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1"
        );
        let deployment = find("apps", "v1", "Deployment").unwrap();
        assert!(deployment.namespaced);
        assert_eq!(deployment.module, "k8s_openapi::api::apps::v1");
    }

    #[test]
    fn knows_the_groups_of_kubernetes() {
        for group in [
            "",
            "core",
            "apps",
            "networking",
            "networking.k8s.io",
            "authentication",
            "apiregistration",
        ] {
            assert!(is_builtin_group(group), "{group}");
        }
        for group in ["batch.example.com", "example.com", "app", "k8s.io"] {
            assert!(!is_builtin_group(group), "{group}");
        }
    }
}
