//! The rules of roles: which calls they allow, and which of them no call used.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::Call;

/// A rule, as a Role or `ClusterRole` has it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Rule {
    api_groups: Vec<String>,
    resources: Vec<String>,
    resource_names: Vec<String>,
    verbs: Vec<String>,
    #[serde(rename = "nonResourceURLs")]
    urls: Vec<String>,
}

/// The verbs that are calls. Others, such as `escalate`, are looked up by the API server while it serves a call.
const CALLS: [&str; 9] = [
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

impl Rule {
    /// Whether it allows a call, wherever the call is.
    fn allows(&self, call: &Call) -> bool {
        has(&self.verbs, call.verb()) && self.is_about(call)
    }

    fn is_about(&self, call: &Call) -> bool {
        match call {
            Call::Url { url, .. } => self.urls.iter().any(|own| is_url(own, url)),
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

    /// The verbs that none of the calls needed.
    fn unused(&self, calls: &[&Call]) -> Vec<&str> {
        // `update` of finalizers is what the owner of something else needs, if the API server checks it (admission plugin
        // OwnerReferencesPermissionEnforcement). Nobody calls it.
        let is_asked_for = |resource: &String| resource.ends_with("/finalizers");
        if !self.resources.is_empty() && self.resources.iter().all(is_asked_for) {
            return Vec::new();
        }
        let is_used = |verb: &str| {
            let mut calls = calls.iter();
            calls.any(|call| (verb == "*" || call.verb() == verb) && self.is_about(call))
        };
        let verbs = self.verbs.iter().map(String::as_str);
        verbs
            .filter(|verb| CALLS.contains(verb) && !is_used(verb))
            .collect()
    }
}

fn has(list: &[String], entry: &str) -> bool {
    list.iter().any(|own| own == "*" || own == entry)
}

/// `*`, `pods`, `pods/log`, `*/log`. A subresource is no part of its resource.
fn is_resource(own: &str, called: &str) -> bool {
    if own == "*" || own == called {
        return true;
    }
    match (own.strip_prefix("*/"), called.split_once('/')) {
        (Some(own), Some((_, called))) => own == called,
        _ => false,
    }
}

/// `/metrics`, `/healthz/*`, `*`.
fn is_url(own: &str, called: &str) -> bool {
    match own.strip_suffix('*') {
        Some(start) => called.starts_with(start),
        None => own == called,
    }
}

/// What an account may do by one binding: in a namespace, or everywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Grant {
    pub(crate) role: String,
    pub(crate) namespace: Option<String>,
    pub(crate) rules: Vec<Rule>,
}

impl Grant {
    /// Whether it allows a call.
    pub(crate) fn allows(&self, call: &Call) -> bool {
        self.reaches(call) && self.rules.iter().any(|rule| rule.allows(call))
    }

    /// A line for each of its rules with verbs that none of the calls needed.
    pub(crate) fn unused(&self, calls: &BTreeSet<Call>) -> Vec<String> {
        let calls: Vec<&Call> = calls.iter().filter(|call| self.reaches(call)).collect();
        let line = |rule: &Rule| {
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

    fn reaches(&self, call: &Call) -> bool {
        match (&self.namespace, call) {
            (None, _) => true,
            (Some(_), Call::Url { .. }) => false,
            (own, Call::Resource { namespace, .. }) => own == namespace,
        }
    }
}

/// What Kubernetes allows every account by itself (`system:discovery`, `system:basic-user`, `system:service-account-issuer-discovery`): nobody declares it.
pub(crate) fn of_everybody() -> Grant {
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
        role: "everybody".to_owned(),
        namespace: None,
        rules: from_value(rules).expect("they are rules"),
    }
}

/// The `rules` of a role.
pub(crate) fn from_value(rules: Value) -> serde_json::Result<Vec<Rule>> {
    // A role without rules may have `null` there.
    Ok(serde_json::from_value::<Option<_>>(rules)?.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use http::Method;

    use super::*;

    fn rule(rule: &Value) -> Rule {
        Rule::deserialize(rule).unwrap()
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
    fn a_rule_allows_what_it_names() {
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
    fn wildcards_stand_for_everything() {
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
    fn names_limit_a_rule_to_single_objects() {
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
    fn urls_are_no_resources() {
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
    fn a_role_reaches_its_own_namespace() {
        let rules = json!([{"apiGroups": [""], "resources": ["pods"], "verbs": ["list"]}]);
        let list = |uri| call(&Method::GET, uri);
        let inside = grant(Some("a"), rules.clone());
        assert!(inside.allows(&list("/api/v1/namespaces/a/pods")));
        assert!(!inside.allows(&list("/api/v1/namespaces/b/pods")));
        assert!(!inside.allows(&list("/api/v1/pods")));
        assert!(grant(None, rules).allows(&list("/api/v1/namespaces/b/pods")));
    }

    #[test]
    fn what_no_call_used_is_named_and_what_is_no_call_is_not() {
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
    fn everybody_may_look_around() {
        let everybody = of_everybody();
        assert!(everybody.allows(&call(&Method::GET, "/apis/apps/v1")));
        let review = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
        assert!(everybody.allows(&call(&Method::POST, review)));
        assert!(!everybody.allows(&call(&Method::GET, "/api/v1/pods")));
    }
}
