//! Rules of namespace-scoped operators.

use super::Rule;
use crate::builtin;

/// Sets `namespace` on rules without one. URLs and cluster-scoped resources of Kubernetes keep none.
pub fn restrict_to_namespace(rules: &[Rule], namespace: &str) -> Vec<Rule> {
    let mut result = Vec::new();
    for rule in rules {
        if rule.namespace.is_some() || rule.resources.is_empty() {
            result.push(rule.clone());
            continue;
        }
        let is_cluster_scoped = |resource: &String| {
            let name = resource.split('/').next().unwrap_or_default();
            let groups = &rule.groups;
            !groups.is_empty()
                && groups
                    .iter()
                    .all(|group| builtin::is_cluster_scoped(group, name))
        };
        let (cluster_scoped, namespaced): (Vec<String>, Vec<String>) =
            rule.resources.iter().cloned().partition(is_cluster_scoped);
        let part = |resources: Vec<String>, namespace: Option<&str>| Rule {
            resources,
            namespace: namespace.map(ToOwned::to_owned),
            ..rule.clone()
        };
        if !cluster_scoped.is_empty() {
            result.push(part(cluster_scoped, None));
        }
        if !namespaced.is_empty() {
            result.push(part(namespaced, Some(namespace)));
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(group: &str, resources: &[&str]) -> Rule {
        Rule {
            groups: vec![group.to_owned()],
            resources: resources.iter().map(|name| (*name).to_owned()).collect(),
            verbs: vec!["list".to_owned()],
            ..Rule::default()
        }
    }

    fn restricted(rules: &[Rule]) -> Vec<(&[String], Option<&str>)> {
        let rules = restrict_to_namespace(rules, "system").leak();
        rules
            .iter()
            .map(|rule| (&rule.resources[..], rule.namespace.as_deref()))
            .collect()
    }

    #[test]
    fn restricts_only_namespaced_resources() {
        let both = rule("core", &["pods", "nodes/status", "secrets"]);
        let (nodes, others) = (
            ["nodes/status".to_owned()],
            ["pods", "secrets"].map(String::from),
        );
        assert_eq!(
            restricted(&[both]),
            [(&nodes[..], None), (&others[..], Some("system"))]
        );
    }

    #[test]
    fn treats_unknown_kinds_as_namespaced() {
        let foreign = rule("example.com", &["nodes"]);
        assert_eq!(restricted(&[foreign])[0].1, Some("system"));
    }

    #[test]
    fn keeps_an_explicit_namespace() {
        let named = Rule {
            namespace: Some("other".to_owned()),
            ..rule("core", &["pods"])
        };
        assert_eq!(restricted(&[named])[0].1, Some("other"));
    }

    #[test]
    fn does_not_restrict_urls() {
        let urls = Rule {
            urls: vec!["/metrics".to_owned()],
            ..Rule::default()
        };
        assert_eq!(restricted(&[urls])[0].1, None);
    }
}
