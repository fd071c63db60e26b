//! The roles that rules are in, and their documents.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::Rule;
use super::merge::merge;
use crate::RoleName;

/// A `Role`, or a `ClusterRole` if it has no namespace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Role {
    /// The namespace.
    pub namespace: Option<String>,
    /// The name.
    pub name: String,
    /// What it allows, in the order of the document.
    pub grants: Vec<Grant>,
}

/// A rule of a role: several rules of the sources may have become one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Grant {
    /// API groups.
    pub groups: BTreeSet<String>,
    /// Resources.
    pub resources: BTreeSet<String>,
    /// Names of objects.
    pub resource_names: BTreeSet<String>,
    /// Verbs.
    pub verbs: BTreeSet<String>,
    /// URLs.
    pub urls: BTreeSet<String>,
    /// The reasons of all rules that are in it.
    pub reasons: BTreeSet<String>,
}

/// The roles that these rules make: the `ClusterRole`s, then the Roles by namespace and name.
///
/// Without any rule there is a `ClusterRole` that allows nothing: what is bound to it must exist.
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
    /// The document. Its `rules` are the grants, in the same order.
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
        // The one field that Kubernetes requires.
        fields.insert("verbs".to_owned(), json!(self.verbs));
        Value::Object(fields)
    }
}
