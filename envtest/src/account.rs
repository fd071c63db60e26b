//! Service accounts for operators under test.

use std::fmt;

use serde_json::{Value, json};

use crate::{Error, api::Api, documents};

const RBAC: &str = "rbac.authorization.k8s.io";

/// A service account of an [`Environment`](crate::Environment), with a token issued by the API server.
#[derive(Clone)]
pub struct ServiceAccount {
    namespace: String,
    name: String,
    token: String,
}

impl ServiceAccount {
    /// Returns the namespace.
    pub fn namespace(&self) -> &str {
        &self.namespace
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the token, which is valid for a day.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// See [`Environment::service_account`](crate::Environment::service_account).
    pub(crate) async fn create(
        api: &Api,
        namespace: &str,
        name: &str,
        mut rules: Vec<Value>,
    ) -> Result<Self, Error> {
        let account = json!({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": name, "namespace": namespace}});
        documents::apply(api, &[namespace_object(namespace), account]).await?;
        for role in rules.iter_mut().filter(|role| role["kind"] == "Role") {
            let metadata = &mut role["metadata"];
            if metadata["namespace"].is_null() {
                metadata["namespace"] = json!(namespace);
            }
        }
        let bindings: Vec<Value> = rules
            .iter()
            .filter_map(|role| binding(role, namespace, name))
            .collect();
        let namespaces: Vec<Value> = rules
            .iter()
            .filter_map(|role| role["metadata"]["namespace"].as_str())
            .filter(|other| *other != namespace)
            .map(namespace_object)
            .collect();
        documents::apply(api, &namespaces).await?;
        documents::apply(api, &rules).await?;
        documents::apply(api, &bindings).await?;
        for role in &rules {
            wait_until_in_force(api, role, namespace, name).await?;
        }
        let path = format!("/api/v1/namespaces/{namespace}/serviceaccounts/{name}/token");
        let request = json!({"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {"expirationSeconds": 86_400}});
        let issued = api.create(&path, &request).await?;
        Ok(Self {
            namespace: namespace.to_owned(),
            name: name.to_owned(),
            token: issued["status"]["token"]
                .as_str()
                .unwrap_or_default()
                .to_owned(),
        })
    }
}

impl fmt::Debug for ServiceAccount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServiceAccount")
            .field("namespace", &self.namespace)
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

fn namespace_object(name: &str) -> Value {
    json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
}

/// Binds a Role in its namespace or a `ClusterRole` cluster-wide.
fn binding(role: &Value, namespace: &str, name: &str) -> Option<Value> {
    let kind = role["kind"].as_str().filter(|kind| is_role(kind))?;
    let role_name = &role["metadata"]["name"];
    Some(json!({
        "apiVersion": format!("{RBAC}/v1"),
        "kind": format!("{kind}Binding"),
        "metadata": {
            "name": format!("{}:{namespace}:{name}", role_name.as_str().unwrap_or_default()),
            "namespace": role["metadata"]["namespace"],
        },
        "roleRef": {"apiGroup": RBAC, "kind": kind, "name": role_name},
        "subjects": [{"kind": "ServiceAccount", "name": name, "namespace": namespace}],
    }))
}

fn is_role(kind: &str) -> bool {
    matches!(kind, "Role" | "ClusterRole")
}

/// Waits until the API server's authorizer allows everything that a role grants.
async fn wait_until_in_force(
    api: &Api,
    role: &Value,
    namespace: &str,
    name: &str,
) -> Result<(), Error> {
    if !role["kind"].as_str().is_some_and(is_role) {
        return Ok(());
    }
    let user = format!("system:serviceaccount:{namespace}:{name}");
    let path = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
    let rules = role["rules"].as_array().map_or(&[][..], Vec::as_slice);
    for spec in rules
        .iter()
        .flat_map(|rule| access_reviews(rule, &role["metadata"]["namespace"], &user))
    {
        let review = json!({"apiVersion": "authorization.k8s.io/v1", "kind": "SubjectAccessReview", "spec": spec});
        let check = || async {
            let answer = api.create(path, &review).await?;
            let allowed = answer["status"]["allowed"] == true;
            Ok((!allowed).then(|| format!("{user} is not authorized")))
        };
        api.poll_until(&format!("the role {}", role["metadata"]["name"]), check)
            .await?;
    }
    Ok(())
}

/// Returns access reviews that together cover each value of each field of a rule.
fn access_reviews(rule: &Value, namespace: &Value, user: &str) -> Vec<Value> {
    let values = |field: &str| rule[field].as_array().map_or(&[][..], Vec::as_slice);
    let fields = [
        "verbs",
        "apiGroups",
        "resources",
        "resourceNames",
        "nonResourceURLs",
    ];
    let longest = fields.iter().map(|field| values(field).len()).max();
    // Shorter lists repeat their last value.
    let value = |field: &str, at: usize| {
        let values = values(field);
        values.get(at).or(values.last()).unwrap_or(&Value::Null)
    };
    let review = |at: usize| {
        let verb = value("verbs", at);
        if let Some(url) = value("nonResourceURLs", at).as_str() {
            return json!({"user": user, "nonResourceAttributes": {"path": url, "verb": verb}});
        }
        let resource = value("resources", at).as_str().unwrap_or_default();
        let (resource, subresource) = resource.split_once('/').unwrap_or((resource, ""));
        json!({
            "user": user,
            "resourceAttributes": {
                "group": value("apiGroups", at),
                "resource": resource,
                "subresource": subresource,
                "name": value("resourceNames", at),
                "namespace": namespace,
                "verb": verb,
            },
        })
    };
    (0..longest.unwrap_or_default()).map(review).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_are_bound_in_their_own_namespace() {
        let role = json!({"kind": "Role", "metadata": {"name": "r", "namespace": "there"}});
        let bound = binding(&role, "here", "shop").unwrap();
        assert_eq!(bound["kind"], "RoleBinding");
        assert_eq!(bound["metadata"]["namespace"], "there");
        assert_eq!(bound["subjects"][0]["namespace"], "here");
        let role = json!({"kind": "ClusterRole", "metadata": {"name": "r"}});
        assert_eq!(
            binding(&role, "here", "shop").unwrap()["kind"],
            "ClusterRoleBinding"
        );
        assert_eq!(binding(&json!({"kind": "ConfigMap"}), "here", "shop"), None);
    }

    #[test]
    fn access_reviews_cover_every_value_of_a_rule() {
        let rule = json!({"apiGroups": ["apps"], "resources": ["deployments/status"], "verbs": ["patch", "get"]});
        let reviews = access_reviews(&rule, &Value::Null, "u");
        assert_eq!(reviews[0]["resourceAttributes"]["verb"], "patch");
        let attributes = &reviews[1]["resourceAttributes"];
        assert_eq!(
            (&attributes["resource"], &attributes["subresource"]),
            (&json!("deployments"), &json!("status"))
        );
        assert_eq!(
            (&attributes["group"], &attributes["verb"]),
            (&json!("apps"), &json!("get"))
        );
        let rule =
            json!({"apiGroups": ["", "apps"], "resources": ["a", "b", "c"], "verbs": ["get"]});
        let reviews = access_reviews(&rule, &Value::Null, "u");
        let resources = reviews.iter().map(|spec| &spec["resourceAttributes"]);
        let resources: Vec<_> = resources
            .map(|review| (review["group"].as_str(), review["resource"].as_str()))
            .collect();
        let expected = [("", "a"), ("apps", "b"), ("apps", "c")];
        assert_eq!(
            resources,
            expected.map(|(group, name)| (Some(group), Some(name)))
        );
        let rule = json!({"nonResourceURLs": ["/metrics"], "verbs": ["get"]});
        assert_eq!(
            access_reviews(&rule, &Value::Null, "u")[0]["nonResourceAttributes"]["path"],
            "/metrics"
        );
    }
}
