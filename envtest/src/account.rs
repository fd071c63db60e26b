//! Service accounts: who an operator under test is, and what it may do.

use std::fmt;

use serde_json::{Value, json};

use crate::{Error, api::Api, documents};

const RBAC: &str = "rbac.authorization.k8s.io";

/// A service account of an [`Environment`](crate::Environment), with a token that the API server has issued for it.
#[derive(Clone)]
pub struct ServiceAccount {
    namespace: String,
    name: String,
    token: String,
}

impl ServiceAccount {
    /// Its namespace.
    pub fn namespace(&self) -> &str {
        &self.namespace
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its token, good for a day, as pods get it.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// Makes it, with its namespace; see [`Environment::service_account`](crate::Environment::service_account).
    pub(crate) async fn make(
        api: &Api,
        namespace: &str,
        name: &str,
        mut rules: Vec<Value>,
    ) -> Result<Self, Error> {
        let account = json!({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": name, "namespace": namespace}});
        documents::apply(api, &[named_namespace(namespace), account]).await?;
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
        let elsewhere = rules
            .iter()
            .filter_map(|role| role["metadata"]["namespace"].as_str())
            .filter(|other| *other != namespace);
        let elsewhere: Vec<Value> = elsewhere.map(named_namespace).collect();
        documents::apply(api, &elsewhere).await?;
        documents::apply(api, &rules).await?;
        documents::apply(api, &bindings).await?;
        for role in &rules {
            in_force(api, role, namespace, name).await?;
        }
        let path = format!("/api/v1/namespaces/{namespace}/serviceaccounts/{name}/token");
        let asked = json!({"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {"expirationSeconds": 86_400}});
        let issued = api.create(&path, &asked).await?;
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

fn named_namespace(name: &str) -> Value {
    json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
}

/// Gives a role to the account, where the role is: everywhere, or in its namespace.
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

/// Waits until the API server's authorizer has seen a role: everything that it says is allowed.
async fn in_force(api: &Api, role: &Value, namespace: &str, name: &str) -> Result<(), Error> {
    if !role["kind"].as_str().is_some_and(is_role) {
        return Ok(());
    }
    let user = format!("system:serviceaccount:{namespace}:{name}");
    let path = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
    let rules = role["rules"].as_array().map_or(&[][..], Vec::as_slice);
    for spec in rules
        .iter()
        .flat_map(|rule| questions(rule, &role["metadata"]["namespace"], &user))
    {
        let review = json!({"apiVersion": "authorization.k8s.io/v1", "kind": "SubjectAccessReview", "spec": spec});
        let check = || async {
            let answer = api.create(path, &review).await?;
            let allowed = answer["status"]["allowed"] == true;
            Ok((!allowed).then(|| format!("{user} has no permission yet")))
        };
        api.until(&format!("the role {}", role["metadata"]["name"]), check)
            .await?;
    }
    Ok(())
}

/// Questions that the API server answers by this rule: each of its words is in one, because it may be the last that was added.
fn questions(rule: &Value, namespace: &Value, user: &str) -> Vec<Value> {
    let words = |field: &str| rule[field].as_array().map_or(&[][..], Vec::as_slice);
    let fields = [
        "verbs",
        "apiGroups",
        "resources",
        "resourceNames",
        "nonResourceURLs",
    ];
    let most = fields.iter().map(|field| words(field).len()).max();
    // The last word of a field again, where others have more.
    let word = |field: &str, at: usize| {
        let words = words(field);
        words.get(at).or(words.last()).unwrap_or(&Value::Null)
    };
    let question = |at: usize| {
        let verb = word("verbs", at);
        if let Some(url) = word("nonResourceURLs", at).as_str() {
            return json!({"user": user, "nonResourceAttributes": {"path": url, "verb": verb}});
        }
        let resource = word("resources", at).as_str().unwrap_or_default();
        let (resource, subresource) = resource.split_once('/').unwrap_or((resource, ""));
        json!({
            "user": user,
            "resourceAttributes": {
                "group": word("apiGroups", at),
                "resource": resource,
                "subresource": subresource,
                "name": word("resourceNames", at),
                "namespace": namespace,
                "verb": verb,
            },
        })
    };
    (0..most.unwrap_or_default()).map(question).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_role_is_bound_where_it_is() {
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
    fn the_questions_are_those_that_the_rule_allows() {
        let rule = json!({"apiGroups": ["apps"], "resources": ["deployments/status"], "verbs": ["patch", "get"]});
        let asked = questions(&rule, &Value::Null, "u");
        assert_eq!(asked[0]["resourceAttributes"]["verb"], "patch");
        let attributes = &asked[1]["resourceAttributes"];
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
        let asked = questions(&rule, &Value::Null, "u");
        let resources = asked.iter().map(|spec| &spec["resourceAttributes"]);
        let resources: Vec<_> = resources
            .map(|asked| (asked["group"].as_str(), asked["resource"].as_str()))
            .collect();
        let expected = [("", "a"), ("apps", "b"), ("apps", "c")];
        assert_eq!(
            resources,
            expected.map(|(group, name)| (Some(group), Some(name)))
        );
        let rule = json!({"nonResourceURLs": ["/metrics"], "verbs": ["get"]});
        assert_eq!(
            questions(&rule, &Value::Null, "u")[0]["nonResourceAttributes"]["path"],
            "/metrics"
        );
    }
}
