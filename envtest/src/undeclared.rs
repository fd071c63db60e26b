//! Formats undeclared calls and the attributes that would declare them.

use std::collections::{BTreeMap, BTreeSet};

use crate::{Call, Error};

/// Returns the error for undeclared calls.
pub(crate) fn error(calls: &[&Call]) -> Error {
    let lines: Vec<String> = calls.iter().map(|call| format!("  {call}")).collect();
    Error::UndeclaredCalls {
        calls: lines.join("\n"),
        rules: attributes(calls).join("\n"),
    }
}

/// Returns one marker per resource. Omits namespaces, which `kb-rs generate` adds in namespaced projects.
fn attributes(calls: &[&Call]) -> Vec<String> {
    let mut rules: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for call in calls {
        let subject = match call {
            Call::NonResource { url, .. } => url.clone(),
            Call::Resource {
                group, resource, ..
            } => {
                let group = if group.is_empty() { "core" } else { group };
                format!("{group}/{resource}")
            }
        };
        rules.entry(subject).or_default().insert(call.verb());
    }
    let line = |(subject, verbs): (&String, &BTreeSet<&str>)| {
        let verbs: Vec<&str> = verbs.iter().copied().collect();
        format!("  #[kb::rbac({subject:?}: {})]", verbs.join(", "))
    };
    rules.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use http::Method;

    use super::*;

    #[test]
    fn the_error_lists_calls_and_markers() {
        let calls = [
            (Method::GET, "/apis/apps/v1/namespaces/shop/deployments"),
            (
                Method::PATCH,
                "/apis/apps/v1/namespaces/shop/deployments/web",
            ),
            (Method::GET, "/api/v1/nodes"),
            (Method::GET, "/metrics"),
        ];
        let calls = calls.map(|(method, uri)| Call::of(&method, &uri.parse().unwrap()));
        let calls: Vec<&Call> = calls.iter().collect();
        assert_eq!(
            error(&calls).to_string(),
            "\
the operator made API calls that its roles do not allow:
  list deployments of apps in namespace shop
  patch deployments of apps, web in namespace shop
  list nodes
  get /metrics
Add these markers to the code that makes the calls and run `kb-rs generate rbac`:
  #[kb::rbac(\"/metrics\": get)]
  #[kb::rbac(\"apps/deployments\": list, patch)]
  #[kb::rbac(\"core/nodes\": list)]"
        );
    }
}
