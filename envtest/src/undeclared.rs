//! What is said of calls that no role declares: the calls, and the lines to add.

use std::collections::{BTreeMap, BTreeSet};

use crate::{Call, Error};

/// The error for these calls.
pub(crate) fn error(calls: &[&Call]) -> Error {
    let lines: Vec<String> = calls.iter().map(|call| format!("  {call}")).collect();
    Error::Undeclared {
        calls: lines.join("\n"),
        rules: attributes(calls).join("\n"),
    }
}

/// One line for each resource. A namespace is not named: in a project for single namespaces `kb-rs generate` adds it.
fn attributes(calls: &[&Call]) -> Vec<String> {
    let mut rules: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for call in calls {
        let objects = match call {
            Call::Url { url, .. } => format!("urls = {url:?}"),
            Call::Resource {
                group, resource, ..
            } => {
                let group = if group.is_empty() { "core" } else { group };
                format!("groups = {group:?}, resources = {resource:?}")
            }
        };
        rules.entry(objects).or_default().insert(call.verb());
    }
    let line = |(objects, verbs): (&String, &BTreeSet<&str>)| {
        let verbs: Vec<&str> = verbs.iter().copied().collect();
        format!("  #[kb::rbac({objects}, verbs = {:?})]", verbs.join(";"))
    };
    rules.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use http::Method;

    use super::*;

    #[test]
    fn calls_are_listed_with_the_lines_that_declare_them() {
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
the operator made calls that its roles do not declare:
  list deployments of apps, in the namespace shop
  patch deployments of apps, web, in the namespace shop
  list nodes
  get /metrics
Put this on the code that makes them, unless it is there already, and run `kb-rs generate rbac`:
  #[kb::rbac(groups = \"apps\", resources = \"deployments\", verbs = \"list;patch\")]
  #[kb::rbac(groups = \"core\", resources = \"nodes\", verbs = \"list\")]
  #[kb::rbac(urls = \"/metrics\", verbs = \"get\")]"
        );
    }
}
