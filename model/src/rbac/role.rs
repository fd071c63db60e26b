//! Roles and their documents.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::Rule;
use super::merge::merge;
use crate::RoleName;

/// A `Role`, or a `ClusterRole` if it has no namespace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Role {
    /// Namespace.
    pub namespace: Option<String>,
    /// Name.
    pub name: String,
    /// Rules, in document order.
    pub grants: Vec<Grant>,
}

/// A rule of a role, possibly merged from several source rules.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Grant {
    /// API groups.
    pub groups: BTreeSet<String>,
    /// Resources.
    pub resources: BTreeSet<String>,
    /// Resource names.
    pub resource_names: BTreeSet<String>,
    /// Verbs.
    pub verbs: BTreeSet<String>,
    /// Non-resource URLs.
    pub urls: BTreeSet<String>,
    /// Reasons of all merged rules.
    pub reasons: BTreeSet<String>,
}

/// Builds roles of rules: `ClusterRole`s, then Roles by namespace and name.
///
/// Without rules, returns an empty `ClusterRole`, because a binding refers to it.
pub fn roles(rules: &[Rule], default_name: &RoleName) -> Vec<Role> {
    let mut by_role: BTreeMap<(Option<&str>, &str), Vec<&Rule>> = BTreeMap::new();
    for rule in rules {
        let name = rule.role_name.as_deref().unwrap_or(default_name.as_str());
        let role = (rule.namespace.as_deref(), name);
        by_role.entry(role).or_default().push(rule);
    }
    if by_role.is_empty() {
        by_role.insert((None, default_name.as_str()), Vec::new());
    }
    by_role
        .into_iter()
        .map(|((namespace, name), rules)| Role {
            namespace: namespace.map(ToOwned::to_owned),
            name: name.to_owned(),
            grants: merge(rules),
        })
        .collect()
}

impl Role {
    /// Returns the document. Its `rules` are in the same order.
    pub fn document(&self) -> Value {
        let mut metadata = json!({ "name": self.name });
        if let Some(namespace) = &self.namespace {
            metadata["namespace"] = json!(namespace);
        }
        let kind = if self.namespace.is_some() {
            "Role"
        } else {
            "ClusterRole"
        };
        let rules: Vec<Value> = self.grants.iter().map(Grant::document).collect();
        json!({
            "apiVersion": "rbac.authorization.k8s.io/v1",
            "kind": kind,
            "metadata": metadata,
            "rules": rules,
        })
    }
}

impl Grant {
    fn document(&self) -> Value {
        let lists = [
            ("apiGroups", &self.groups),
            ("nonResourceURLs", &self.urls),
            ("resourceNames", &self.resource_names),
            ("resources", &self.resources),
        ];
        let mut fields: Map<String, Value> = lists
            .into_iter()
            .filter(|(_, list)| !list.is_empty())
            .map(|(name, list)| (name.to_owned(), json!(list)))
            .collect();
        // The only field that Kubernetes requires.
        fields.insert("verbs".to_owned(), json!(self.verbs));
        Value::Object(fields)
    }
}
