//! Reports RBAC rules that no test needed, by comparing the rules with the API calls that tests recorded.
//!
//! kb-envtest writes the recordings (`recording.rs`) and matches calls with roles in the same way (`rule.rs`). Here the rules are those
//! of the sources, so that each is reported with its location.

use kb_model::rbac::Rule;
use serde::Deserialize;

use super::Host;
use crate::{
    problem::Failure,
    source::{Diagnostic, SourceRule},
};

/// The operator's namespace in rules, which config/default replaces.
const SYSTEM: &str = "system";

/// The verbs of API calls. The API server only looks others up, such as `escalate`.
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

/// Help for a rule or verb.
const REMOVE: &str = "remove it, or test the code that needs it";

/// The recordings of a project, unparsed.
#[derive(Debug)]
pub(crate) struct RecordingFiles {
    /// The directory, for messages.
    pub(crate) dir: String,
    /// Path and text of each file.
    pub(crate) files: Vec<(String, String)>,
}

/// The calls of one operator under test.
#[derive(Debug, Deserialize)]
struct Recording {
    /// Namespace of the operator.
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

/// Prints a warning for every rule with verbs that no test needed.
pub(super) fn report(rules: &[SourceRule], host: &dyn Host) -> Result<(), Failure> {
    let RecordingFiles { dir, files } = host.recordings()?;
    let mut recordings = Vec::new();
    for (path, text) in files {
        match serde_json::from_str(&text) {
            Ok(recording) => recordings.push(recording),
            Err(error) => host.note(&format!(
                "ignoring {path}, which is not a recording of API calls: {error}"
            )),
        }
    }
    if recordings.is_empty() {
        host.note(&format!(
            "no recorded API calls in {dir}: run `cargo test` with a control plane first, or pass --target-dir"
        ));
        return Ok(());
    }
    for warning in unused(rules, &recordings) {
        host.warn(&warning);
    }
    Ok(())
}

/// Returns a warning for every rule with verbs that no call needed.
fn unused(rules: &[SourceRule], recordings: &[Recording]) -> Vec<Diagnostic> {
    let warnings = rules.iter().flat_map(|written| {
        let messages = messages(&written.rule, recordings);
        messages.into_iter().map(|(message, help)| Diagnostic {
            message,
            help: Some(help),
            ..written.location.clone()
        })
    });
    warnings.collect()
}

/// Returns one message with help if the whole rule is unused, else one for each resource or URL with unused verbs.
fn messages(rule: &Rule, recordings: &[Recording]) -> Vec<(String, String)> {
    let verbs: Vec<&str> = rule.verbs.iter().map(String::as_str).collect();
    let unused: Vec<(&str, Vec<&str>)> = rule
        .resources
        .iter()
        .chain(&rule.urls)
        .filter(|object| !is_only_looked_up(object))
        .map(|object| {
            let is_unused =
                |verb: &&str| CALLS.contains(verb) && !is_used(rule, object, verb, recordings);
            let mut unused: Vec<&str> = verbs.iter().copied().filter(is_unused).collect();
            if is_applied(&verbs) && !unused.contains(&"patch") {
                unused.retain(|verb| *verb != "get");
            }
            (object.as_str(), unused)
        })
        .collect();
    let objects = rule.resources.len() + rule.urls.len();
    let is_whole = unused.len() == objects && !unused.is_empty();
    if is_whole && unused.iter().all(|(_, unused)| *unused == verbs) {
        let message = "no recorded API call needed this rule";
        return vec![(message.to_owned(), REMOVE.to_owned())];
    }
    unused
        .iter()
        .filter(|(_, verbs)| !verbs.is_empty())
        .map(|(object, verbs)| {
            let list = verbs.join(", ");
            let message = format!("no recorded API call needed `{list}` on `{object}`");
            (message, help(rule, verbs))
        })
        .collect()
}

/// Returns the rule without these verbs, if it is for one resource or URL.
fn help(rule: &Rule, unused: &[&str]) -> String {
    let mut rule = rule.clone();
    rule.verbs.retain(|verb| !unused.contains(&verb.as_str()));
    match rule.compact() {
        Some(attribute) => format!("use `{attribute}`, or test the code that needs it"),
        None => REMOVE.to_owned(),
    }
}

/// Returns whether the rule is for server-side apply: `kb::objects::Objects::apply` gets the live object after a conflict, which tests
/// rarely provoke.
fn is_applied(verbs: &[&str]) -> bool {
    ["create", "patch"].iter().all(|verb| verbs.contains(verb))
}

/// Returns whether no call needs the resource. The admission plugin `OwnerReferencesPermissionEnforcement` looks up `update` of
/// finalizers when an object with an owner is created.
fn is_only_looked_up(resource: &str) -> bool {
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
        Call::Url { verb: called, url } => matches(verb, called) && matches_url(object, url),
        Call::Resource {
            verb: called,
            group,
            resource,
            namespace,
            name,
        } => {
            let own = rule.namespace.as_deref();
            let own = own.map(|own| if own == SYSTEM { system } else { own });
            matches(verb, called)
                && rule.groups.iter().any(|own| matches(own, group))
                && matches_resource(object, resource)
                && (rule.resource_names.is_empty()
                    || name
                        .as_ref()
                        .is_some_and(|name| rule.resource_names.contains(name)))
                && (own.is_none() || own == namespace.as_deref())
        }
    })
}

fn matches(own: &str, called: &str) -> bool {
    own == "*" || own == called
}

/// Matches `pods`, `pods/log` or `*/log`. A resource does not include its subresources.
fn matches_resource(own: &str, called: &str) -> bool {
    let subresource = called.split_once('/').map(|(_, subresource)| subresource);
    matches(own, called)
        || own
            .strip_prefix("*/")
            .is_some_and(|own| Some(own) == subresource)
}

/// Matches `/metrics` or `/logs/*`.
fn matches_url(own: &str, called: &str) -> bool {
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

    fn warnings(rule: &Rule, calls: &Value) -> Vec<String> {
        let recording = json!({"namespace": "shop-system", "calls": calls});
        let messages = messages(rule, &[serde_json::from_value(recording).unwrap()]);
        messages.into_iter().map(|(message, _)| message).collect()
    }

    fn call(verb: &str, group: &str, resource: &str) -> Value {
        json!({"verb": verb, "group": group, "resource": resource})
    }

    #[test]
    fn reports_whole_rules_or_single_verbs() {
        let deployments = rule("apps", "deployments", "get;list;watch");
        let listed = call("list", "apps", "deployments");
        assert_eq!(
            warnings(&deployments, &json!([listed])),
            ["no recorded API call needed `get, watch` on `deployments`"]
        );
        let other = call("list", "extensions", "deployments");
        assert_eq!(
            warnings(
                &deployments,
                &json!([other, {"verb": "get", "url": "/version"}])
            ),
            ["no recorded API call needed this rule"]
        );
        let both = rule("", "pods;secrets", "get");
        assert_eq!(
            warnings(&both, &json!([call("get", "", "pods")])),
            ["no recorded API call needed `get` on `secrets`"]
        );
    }

    #[test]
    fn help_is_the_rule_without_the_verbs() {
        let mut pods = rule("", "pods/log", "get;list;watch");
        pods.reason = Some("to show logs".to_owned());
        assert_eq!(
            help(&pods, &["get", "watch"]),
            r#"use `#[kb::rbac("core/pods/log": list, reason = "to show logs")]`, or test the code that needs it"#
        );
        assert_eq!(help(&pods, &["get", "list", "watch"]), REMOVE);
        assert_eq!(help(&rule("", "pods;nodes", "get;list"), &["get"]), REMOVE);
    }

    #[test]
    fn any_call_uses_a_wildcard() {
        let all = rule("*", "*", "*");
        assert_eq!(warnings(&all, &json!([call("get", "a", "b/c")])), [""; 0]);
        let status = rule("a", "*/status", "patch");
        assert_eq!(
            warnings(&status, &json!([call("patch", "a", "b/status")])),
            [""; 0]
        );
        assert_eq!(
            warnings(&status, &json!([call("patch", "a", "b/scale")])).len(),
            1
        );
    }

    #[test]
    fn resource_names_and_namespaces_restrict_a_rule() {
        let mut named = rule("", "secrets", "get");
        named.resource_names = list("key");
        let get = |name: &str, namespace: &str| json!([{"verb": "get", "group": "", "resource": "secrets", "name": name, "namespace": namespace}]);
        assert!(warnings(&named, &get("key", "a")).is_empty());
        assert_eq!(warnings(&named, &get("other", "a")).len(), 1);
        named.namespace = Some("system".to_owned());
        assert!(warnings(&named, &get("key", "shop-system")).is_empty());
        assert_eq!(warnings(&named, &get("key", "a")).len(), 1);
    }

    #[test]
    fn matches_urls_as_kubernetes_does() {
        let urls = Rule {
            urls: list("/metrics;/logs/*"),
            verbs: list("get"),
            ..Rule::default()
        };
        let called = json!([{"verb": "get", "url": "/logs/kubelet"}]);
        assert_eq!(
            warnings(&urls, &called),
            ["no recorded API call needed `get` on `/metrics`"]
        );
    }

    #[test]
    fn does_not_report_get_of_applied_kinds() {
        let jobs = rule("batch", "jobs", "get;list;create;patch");
        let applied = json!([
            call("list", "batch", "jobs"),
            call("create", "batch", "jobs"),
            call("patch", "batch", "jobs"),
        ]);
        assert_eq!(warnings(&jobs, &applied), [""; 0]);
        let listed = json!([call("list", "batch", "jobs")]);
        assert_eq!(
            warnings(&jobs, &listed),
            ["no recorded API call needed `get, create, patch` on `jobs`"]
        );
    }

    #[test]
    fn ignores_verbs_that_are_only_looked_up() {
        assert_eq!(
            warnings(&rule("a", "b/finalizers", "update"), &json!([])),
            [""; 0]
        );
        assert_eq!(
            warnings(&rule("a", "roles", "bind;escalate"), &json!([])),
            [""; 0]
        );
    }
}
