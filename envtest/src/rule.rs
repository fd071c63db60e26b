//! RBAC rules: which calls they allow, and which permissions were not used.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::Call;

/// A rule of a Role or `ClusterRole`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct PolicyRule {
    api_groups: Vec<String>,
    resources: Vec<String>,
    resource_names: Vec<String>,
    verbs: Vec<String>,
    #[serde(rename = "nonResourceURLs")]
    urls: Vec<String>,
}

/// Verbs of requests. Others, such as `escalate`, are checked by the API server while it handles a request.
const REQUEST_VERBS: [&str; 9] = [
    "*",
    "get",
    "list",
    "watch",
    "create",
    "update",
    "patch",
    "delete",
    "deletecollection",
];

impl PolicyRule {
    /// Returns whether it allows a call, in any namespace.
    fn allows(&self, call: &Call) -> bool {
        has(&self.verbs, call.verb()) && self.covers(call)
    }

    fn covers(&self, call: &Call) -> bool {
        match call {
            Call::NonResource { url, .. } => self.urls.iter().any(|own| is_url(own, url)),
            Call::Resource {
                group,
                resource,
                name,
                ..
            } => {
                has(&self.api_groups, group)
                    && self.resources.iter().any(|own| is_resource(own, resource))
                    && (self.resource_names.is_empty()
                        || name
                            .as_ref()
                            .is_some_and(|name| self.resource_names.contains(name)))
            }
        }
    }

    /// Returns the verbs that no call used.
    fn unused(&self, calls: &[&Call]) -> Vec<&str> {
        // `update` of finalizers is required to set blockOwnerDeletion (admission plugin OwnerReferencesPermissionEnforcement), but is never
        // requested.
        let is_finalizers = |resource: &String| resource.ends_with("/finalizers");
        if !self.resources.is_empty() && self.resources.iter().all(is_finalizers) {
            return Vec::new();
        }
        let is_used = |verb: &str| {
            let mut calls = calls.iter();
            calls.any(|call| (verb == "*" || call.verb() == verb) && self.covers(call))
        };
        let verbs = self.verbs.iter().map(String::as_str);
        verbs
            .filter(|verb| REQUEST_VERBS.contains(verb) && !is_used(verb))
            .collect()
    }
}

fn has(list: &[String], entry: &str) -> bool {
    list.iter().any(|own| own == "*" || own == entry)
}

/// Matches `*`, `pods`, `pods/log` and `*/log`. A resource does not include its subresources.
fn is_resource(own: &str, called: &str) -> bool {
    if own == "*" || own == called {
        return true;
    }
    match (own.strip_prefix("*/"), called.split_once('/')) {
        (Some(own), Some((_, called))) => own == called,
        _ => false,
    }
}

/// Matches `/metrics`, `/healthz/*` and `*`.
fn is_url(own: &str, called: &str) -> bool {
    match own.strip_suffix('*') {
        Some(start) => called.starts_with(start),
        None => own == called,
    }
}

/// Permissions granted by one binding, in a namespace or cluster-wide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Grant {
    pub(crate) role: String,
    pub(crate) namespace: Option<String>,
    pub(crate) rules: Vec<PolicyRule>,
}

impl Grant {
    /// Returns whether it allows a call.
    pub(crate) fn allows(&self, call: &Call) -> bool {
        self.applies_to(call) && self.rules.iter().any(|rule| rule.allows(call))
    }

    /// Describes the verbs that no call used, one line per rule.
    pub(crate) fn unused(&self, calls: &BTreeSet<Call>) -> Vec<String> {
        let calls: Vec<&Call> = calls.iter().filter(|call| self.applies_to(call)).collect();
        let line = |rule: &PolicyRule| {
            let verbs = rule.unused(&calls);
            let objects = if rule.urls.is_empty() {
                &rule.resources
            } else {
                &rule.urls
            };
            let text = format!("{}: {} {}", self.role, verbs.join(";"), objects.join(";"));
            (!verbs.is_empty()).then_some(text)
        };
        self.rules.iter().filter_map(line).collect()
    }

    fn applies_to(&self, call: &Call) -> bool {
        match (&self.namespace, call) {
            (None, _) => true,
            (Some(_), Call::NonResource { .. }) => false,
            (own, Call::Resource { namespace, .. }) => own == namespace,
        }
    }
}

/// Returns what Kubernetes grants to every service account (`system:discovery`, `system:basic-user`,
/// `system:service-account-issuer-discovery`).
pub(crate) fn default_grant() -> Grant {
    let rules = json!([
        {
            "nonResourceURLs": [
                "/.well-known/openid-configuration", "/.well-known/openid-configuration/", "/api", "/api/*", "/apis", "/apis/*",
                "/healthz", "/livez", "/openapi", "/openapi/*", "/openid/v1/jwks", "/openid/v1/jwks/", "/readyz", "/version",
                "/version/"
            ],
            "verbs": ["get"]
        },
        {
            "apiGroups": ["authorization.k8s.io"],
            "resources": ["selfsubjectaccessreviews", "selfsubjectrulesreviews"],
            "verbs": ["create"]
        },
        {"apiGroups": ["authentication.k8s.io"], "resources": ["selfsubjectreviews"], "verbs": ["create"]}
    ]);
    Grant {
        role: "default".to_owned(),
        namespace: None,
        rules: from_value(rules).expect("valid rules"),
    }
}

/// Parses the `rules` of a role.
pub(crate) fn from_value(rules: Value) -> serde_json::Result<Vec<PolicyRule>> {
    // `null` in a role without rules.
    Ok(serde_json::from_value::<Option<_>>(rules)?.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use http::Method;

    use super::*;

    fn rule(rule: &Value) -> PolicyRule {
        PolicyRule::deserialize(rule).unwrap()
    }

    fn call(method: &Method, uri: &str) -> Call {
        Call::of(method, &uri.parse().unwrap())
    }

    #[track_caller]
    fn check(allowing: &Value, uri: &str, expected: bool) {
        let allowed = rule(allowing).allows(&call(&Method::GET, uri));
        assert_eq!(allowed, expected, "{allowing} {uri}");
    }

    #[test]
    fn rules_match_groups_resources_and_verbs() {
        let apps = json!({"apiGroups": ["apps", "batch"], "resources": ["deployments", "jobs"], "verbs": ["get", "list"]});
        check(&apps, "/apis/apps/v1/deployments", true);
        check(&apps, "/apis/batch/v1/namespaces/a/jobs/j", true);
        check(&apps, "/apis/apps/v1/deployments?watch=1", false);
        check(&apps, "/apis/extensions/v1/deployments", false);
        check(&apps, "/apis/apps/v1/statefulsets", false);
        check(
            &apps,
            "/apis/apps/v1/namespaces/a/deployments/d/status",
            false,
        );
    }

    #[test]
    fn wildcards_match_everything() {
        let groups = json!({"apiGroups": ["*"], "resources": ["pods"], "verbs": ["*"]});
        check(&groups, "/api/v1/pods", true);
        check(&groups, "/api/v1/secrets", false);
        let all = json!({"apiGroups": [""], "resources": ["*"], "verbs": ["get"]});
        check(&all, "/api/v1/namespaces/a/pods/p", true);
        check(&all, "/api/v1/namespaces/a/pods/p/log", true);
        let status = json!({"apiGroups": [""], "resources": ["*/status"], "verbs": ["get"]});
        check(&status, "/api/v1/namespaces/a/pods/p/status", true);
        check(&status, "/api/v1/namespaces/a/pods/p/log", false);
        check(&status, "/api/v1/namespaces/a/pods/p", false);
        let core = json!({"apiGroups": [""], "resources": ["pods"], "verbs": ["*"]});
        check(&core, "/apis/apps/v1/pods", false);
    }

    #[test]
    fn resource_names_restrict_a_rule() {
        let named = json!({"apiGroups": [""], "resources": ["secrets"], "resourceNames": ["key"], "verbs": ["*"]});
        check(&named, "/api/v1/namespaces/a/secrets/key", true);
        check(&named, "/api/v1/namespaces/a/secrets/other", false);
        check(&named, "/api/v1/secrets", false);
        check(
            &named,
            "/api/v1/secrets?fieldSelector=metadata.name%3Dkey",
            true,
        );
    }

    #[test]
    fn non_resource_urls_match_paths_only() {
        let urls = json!({"nonResourceURLs": ["/metrics", "/logs/*"], "verbs": ["get"]});
        check(&urls, "/metrics", true);
        check(&urls, "/metrics/more", false);
        check(&urls, "/logs/kubelet", true);
        check(&urls, "/api/v1/pods", false);
        let all = json!({"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]});
        check(&all, "/metrics", false);
    }

    fn grant(namespace: Option<&str>, rules: Value) -> Grant {
        Grant {
            role: "r".to_owned(),
            namespace: namespace.map(ToOwned::to_owned),
            rules: from_value(rules).unwrap(),
        }
    }

    #[test]
    fn a_role_applies_to_its_namespace() {
        let rules = json!([{"apiGroups": [""], "resources": ["pods"], "verbs": ["list"]}]);
        let list = |uri| call(&Method::GET, uri);
        let inside = grant(Some("a"), rules.clone());
        assert!(inside.allows(&list("/api/v1/namespaces/a/pods")));
        assert!(!inside.allows(&list("/api/v1/namespaces/b/pods")));
        assert!(!inside.allows(&list("/api/v1/pods")));
        assert!(grant(None, rules).allows(&list("/api/v1/namespaces/b/pods")));
    }

    #[test]
    fn unused_request_verbs_are_reported() {
        let grant = grant(
            None,
            json!([
                {"apiGroups": [""], "resources": ["pods"], "verbs": ["get", "list", "watch"]},
                {"apiGroups": [""], "resources": ["secrets"], "verbs": ["get"]},
                {"apiGroups": ["rbac.authorization.k8s.io"], "resources": ["roles"], "verbs": ["bind"]},
                {"apiGroups": ["example.com"], "resources": ["shops/finalizers"], "verbs": ["update"]},
                {"nonResourceURLs": ["/metrics"], "verbs": ["get"]},
            ]),
        );
        let calls = ["/api/v1/pods", "/api/v1/namespaces/a/secrets/s"];
        let calls = calls.iter().map(|uri| call(&Method::GET, uri)).collect();
        assert_eq!(
            grant.unused(&calls),
            ["r: get;watch pods", "r: get /metrics"]
        );
    }

    #[test]
    fn discovery_is_always_allowed() {
        let grant = default_grant();
        assert!(grant.allows(&call(&Method::GET, "/apis/apps/v1")));
        let review = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
        assert!(grant.allows(&call(&Method::POST, review)));
        assert!(!grant.allows(&call(&Method::GET, "/api/v1/pods")));
    }
}
