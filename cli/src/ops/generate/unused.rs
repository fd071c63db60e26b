//! Which rules of the sources no test needed: rules held against the calls that tests recorded.
//!
//! kb-envtest writes the recordings (`recording.rs` there) and compares calls with roles in the same way (`rule.rs`). Here rules are as they
//! are written, so that each can be named with its place.

use kb_model::rbac::Rule;
use serde::Deserialize;

use crate::source::{Diagnostic, WrittenRule};

/// What rules call the operator's namespace, which config/default replaces.
const SYSTEM: &str = "system";

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

/// The calls of one operator under test.
#[derive(Debug, Deserialize)]
pub(crate) struct Recording {
    /// The operator's namespace.
    namespace: String,
    calls: Vec<Call>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Call {
    Resource {
        verb: String,
        group: String,
        resource: String,
        namespace: Option<String>,
        name: Option<String>,
    },
    Url {
        verb: String,
        url: String,
    },
}

/// A warning for every rule with verbs that no call needed.
pub(crate) fn unused(rules: &[WrittenRule], recordings: &[Recording]) -> Vec<Diagnostic> {
    let told = rules.iter().flat_map(|written| {
        let messages = messages(&written.rule, recordings);
        messages.into_iter().map(|message| Diagnostic {
            message,
            help: Some("take it out, or test the code that needs it".to_owned()),
            ..written.place.clone()
        })
    });
    told.collect()
}

/// What is to be said of a rule: one sentence if nothing of it was needed, else one for each of its resources or URLs.
fn messages(rule: &Rule, recordings: &[Recording]) -> Vec<String> {
    let verbs: Vec<&str> = rule.verbs.iter().map(String::as_str).collect();
    let unused: Vec<(&str, Vec<&str>)> = rule
        .resources
        .iter()
        .chain(&rule.urls)
        .filter(|object| !is_looked_up(object))
        .map(|object| {
            let is_unused =
                |verb: &&str| CALLS.contains(verb) && !is_used(rule, object, verb, recordings);
            (
                object.as_str(),
                verbs.iter().copied().filter(is_unused).collect(),
            )
        })
        .collect();
    let objects = rule.resources.len() + rule.urls.len();
    let is_whole = unused.len() == objects && !unused.is_empty();
    if is_whole && unused.iter().all(|(_, unused)| *unused == verbs) {
        return vec!["no recorded call needed this rule".to_owned()];
    }
    unused
        .iter()
        .filter(|(_, verbs)| !verbs.is_empty())
        .map(|(object, verbs)| {
            format!(
                "no recorded call needed `{}` on `{object}`",
                verbs.join(";")
            )
        })
        .collect()
}

/// `update` of finalizers is what the owner of something else needs, if the API server checks it (admission plugin
/// `OwnerReferencesPermissionEnforcement`). Nobody calls it.
fn is_looked_up(resource: &str) -> bool {
    resource.ends_with("/finalizers")
}

fn is_used(rule: &Rule, object: &str, verb: &str, recordings: &[Recording]) -> bool {
    let mut calls = recordings.iter().flat_map(|recording| {
        recording
            .calls
            .iter()
            .map(|call| (recording.namespace.as_str(), call))
    });
    calls.any(|(system, call)| match call {
        Call::Url { verb: called, url } => is(verb, called) && is_url(object, url),
        Call::Resource {
            verb: called,
            group,
            resource,
            namespace,
            name,
        } => {
            let own = rule.namespace.as_deref();
            let own = own.map(|own| if own == SYSTEM { system } else { own });
            is(verb, called)
                && rule.groups.iter().any(|own| is(own, group))
                && is_resource(object, resource)
                && (rule.resource_names.is_empty()
                    || name
                        .as_ref()
                        .is_some_and(|name| rule.resource_names.contains(name)))
                && (own.is_none() || own == namespace.as_deref())
        }
    })
}

fn is(own: &str, called: &str) -> bool {
    own == "*" || own == called
}

/// `pods`, `pods/log`, `*/log`. A subresource is no part of its resource.
fn is_resource(own: &str, called: &str) -> bool {
    let subresource = called.split_once('/').map(|(_, subresource)| subresource);
    is(own, called)
        || own
            .strip_prefix("*/")
            .is_some_and(|own| Some(own) == subresource)
}

/// `/metrics` or `/logs/*`.
fn is_url(own: &str, called: &str) -> bool {
    match own.strip_suffix('*') {
        Some(start) => called.starts_with(start),
        None => own == called,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn list(text: &str) -> Vec<String> {
        text.split(';').map(ToOwned::to_owned).collect()
    }

    fn rule(groups: &str, resources: &str, verbs: &str) -> Rule {
        Rule {
            groups: list(groups),
            resources: list(resources),
            verbs: list(verbs),
            ..Rule::default()
        }
    }

    fn said(rule: &Rule, calls: &Value) -> Vec<String> {
        let recording = json!({"namespace": "shop-system", "calls": calls});
        messages(rule, &[serde_json::from_value(recording).unwrap()])
    }

    fn call(verb: &str, group: &str, resource: &str) -> Value {
        json!({"verb": verb, "group": group, "resource": resource})
    }

    #[test]
    fn a_rule_or_single_verbs_of_it_are_named() {
        let deployments = rule("apps", "deployments", "get;list;watch");
        let listed = call("list", "apps", "deployments");
        assert_eq!(
            said(&deployments, &json!([listed])),
            ["no recorded call needed `get;watch` on `deployments`"]
        );
        let other = call("list", "extensions", "deployments");
        assert_eq!(
            said(
                &deployments,
                &json!([other, {"verb": "get", "url": "/version"}])
            ),
            ["no recorded call needed this rule"]
        );
        let both = rule("", "pods;secrets", "get");
        assert_eq!(
            said(&both, &json!([call("get", "", "pods")])),
            ["no recorded call needed `get` on `secrets`"]
        );
    }

    #[test]
    fn wildcards_are_used_by_any_call() {
        let all = rule("*", "*", "*");
        assert_eq!(said(&all, &json!([call("get", "a", "b/c")])), [""; 0]);
        let status = rule("a", "*/status", "patch");
        assert_eq!(
            said(&status, &json!([call("patch", "a", "b/status")])),
            [""; 0]
        );
        assert_eq!(
            said(&status, &json!([call("patch", "a", "b/scale")])).len(),
            1
        );
    }

    #[test]
    fn names_and_namespaces_limit_a_rule() {
        let mut named = rule("", "secrets", "get");
        named.resource_names = list("key");
        let get = |name: &str, namespace: &str| json!([{"verb": "get", "group": "", "resource": "secrets", "name": name, "namespace": namespace}]);
        assert!(said(&named, &get("key", "a")).is_empty());
        assert_eq!(said(&named, &get("other", "a")).len(), 1);
        named.namespace = Some("system".to_owned());
        assert!(said(&named, &get("key", "shop-system")).is_empty());
        assert_eq!(said(&named, &get("key", "a")).len(), 1);
    }

    #[test]
    fn urls_are_compared_as_kubernetes_does() {
        let urls = Rule {
            urls: list("/metrics;/logs/*"),
            verbs: list("get"),
            ..Rule::default()
        };
        let called = json!([{"verb": "get", "url": "/logs/kubelet"}]);
        assert_eq!(
            said(&urls, &called),
            ["no recorded call needed `get` on `/metrics`"]
        );
    }

    #[test]
    fn what_is_never_called_is_not_missed() {
        assert_eq!(
            said(&rule("a", "b/finalizers", "update"), &json!([])),
            [""; 0]
        );
        assert_eq!(
            said(&rule("a", "roles", "bind;escalate"), &json!([])),
            [""; 0]
        );
    }
}
