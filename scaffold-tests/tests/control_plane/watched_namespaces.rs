//! A namespace-scoped operator has permissions in the watched namespaces, and nowhere else.

use std::path::Path;

use kb::k8s_openapi::api::authorization::v1::SubjectAccessReview;
use kube::{Api, Client, api::PostParams};
use serde_json::{Value, json};

use crate::{
    kubectl::{Kubectl, edit, project},
    test_namespace::{TestNamespace, eventually},
};

const OWN: &str = "namespaced-system";
const ACCOUNT: &str = "system:serviceaccount:namespaced-system:namespaced-controller-manager";

/// Edits the two files as their comments describe.
fn watch(project: &Path, namespaces: &[&str]) {
    edit(project, "config/watched-namespaces/roles.yaml", |text| {
        let examples: Vec<&str> = text
            .lines()
            .filter_map(|line| line.strip_prefix("# - "))
            .collect();
        assert_eq!(examples.len(), 2);
        let lines = namespaces.iter().flat_map(|namespace| {
            let line = |example: &&str| format!("- {}\n", example.replace("team-a", namespace));
            examples.iter().map(line)
        });
        text.to_owned() + &lines.collect::<String>()
    });
    let own = "value: $(POD_NAMESPACE)\n";
    let all = format!("value: $(POD_NAMESPACE),{}\n", namespaces.join(","));
    edit(project, "config/manager/manager.yaml", |text| {
        text.replace(own, &all)
    });
}

/// Returns every permission of the manager's role as attributes of an access review.
fn permissions(documents: &[Value], namespace: Option<&str>) -> Vec<Value> {
    let is_role = |document: &&Value| {
        document["kind"] == "Role"
            && document["metadata"]["namespace"] == OWN
            && document["metadata"]["name"] == "namespaced-manager-role"
    };
    let role = documents.iter().find(is_role).unwrap();
    let mut permissions = Vec::new();
    let list = |rule: &Value, name: &str| -> Vec<String> {
        serde_json::from_value(rule[name].clone()).unwrap()
    };
    for rule in role["rules"].as_array().unwrap() {
        for resource in list(rule, "resources") {
            let (resource, subresource) = resource.split_once('/').unwrap_or((&resource, ""));
            for (group, verb) in pairs(&list(rule, "apiGroups"), &list(rule, "verbs")) {
                permissions.push(json!({
                    "group": group, "resource": resource, "subresource": subresource, "verb": verb, "namespace": namespace,
                }));
            }
        }
    }
    permissions
}

fn pairs<'a>(some: &'a [String], others: &'a [String]) -> Vec<(&'a str, &'a str)> {
    let pairs = some.iter().flat_map(|one| {
        others
            .iter()
            .map(move |other| (one.as_str(), other.as_str()))
    });
    pairs.collect()
}

async fn is_allowed(client: &Client, permission: &Value) -> bool {
    let review = json!({"spec": {"user": ACCOUNT, "resourceAttributes": permission}});
    let review: SubjectAccessReview = serde_json::from_value(review).unwrap();
    let reviews = Api::all(client.clone());
    let answer = reviews.create(&PostParams::default(), &review).await;
    answer.unwrap().status.unwrap().allowed
}

#[tokio::test]
async fn the_manager_has_permissions_only_in_watched_namespaces() {
    let Some(test) = TestNamespace::new("watched-a").await else {
        return;
    };
    let Some(kubectl) = Kubectl::new(&test) else {
        return;
    };
    test.create_namespace("watched-b").await;
    test.create_namespace("not-watched").await;
    let project = project("namespaced");
    watch(project.path(), &["watched-a", "watched-b"]);
    let documents = kubectl.kustomize(&project.path().join("config/default"));
    let deployment = documents
        .iter()
        .find(|document| document["kind"] == "Deployment");
    let environment = &deployment.unwrap()["spec"]["template"]["spec"]["containers"][0]["env"];
    assert_eq!(
        environment[1]["value"],
        "$(POD_NAMESPACE),watched-a,watched-b"
    );
    kubectl.succeed(&["apply", "--server-side", "--filename=-"], &documents);

    for namespace in [OWN, "watched-a", "watched-b"] {
        let permissions = permissions(&documents, Some(namespace));
        assert!(permissions.len() > 10, "{permissions:?}");
        for permission in permissions {
            let allowed = || is_allowed(&test.admin, &permission);
            eventually(&permission.to_string(), allowed).await;
        }
    }
    // The roles are in effect by now.
    for namespace in [Some("not-watched"), Some("default"), None] {
        for permission in permissions(&documents, namespace) {
            assert!(!is_allowed(&test.admin, &permission).await, "{permission}");
        }
    }
    let lease = |namespace| json!({"group": "coordination.k8s.io", "resource": "leases", "verb": "update", "namespace": namespace, "name": "namespaced"});
    assert!(is_allowed(&test.admin, &lease(OWN)).await);
    assert!(!is_allowed(&test.admin, &lease("watched-a")).await);
}
