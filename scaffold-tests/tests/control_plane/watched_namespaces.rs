//! A manager that watches single namespaces may work in these, and nowhere else.

use std::path::Path;

use kb::k8s_openapi::api::authorization::v1::SubjectAccessReview;
use kube::{Api, Client, api::PostParams};
use serde_json::{Value, json};

use crate::{
    kubectl::{Kubectl, edit, project},
    place::{Place, eventually},
};

const OWN: &str = "namespaced-system";
const ACCOUNT: &str = "system:serviceaccount:namespaced-system:namespaced-controller-manager";

/// The two edits that the comments in the files ask for.
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

/// Every permission that the manager's role gives, as a question about a namespace.
fn questions(documents: &[Value], namespace: Option<&str>) -> Vec<Value> {
    let is_role = |document: &&Value| {
        document["kind"] == "Role"
            && document["metadata"]["namespace"] == OWN
            && document["metadata"]["name"] == "namespaced-manager-role"
    };
    let role = documents.iter().find(is_role).unwrap();
    let mut questions = Vec::new();
    let list = |rule: &Value, name: &str| -> Vec<String> {
        serde_json::from_value(rule[name].clone()).unwrap()
    };
    for rule in role["rules"].as_array().unwrap() {
        for resource in list(rule, "resources") {
            let (resource, subresource) = resource.split_once('/').unwrap_or((&resource, ""));
            for (group, verb) in pairs(&list(rule, "apiGroups"), &list(rule, "verbs")) {
                questions.push(json!({
                    "group": group, "resource": resource, "subresource": subresource, "verb": verb, "namespace": namespace,
                }));
            }
        }
    }
    questions
}

fn pairs<'a>(some: &'a [String], others: &'a [String]) -> Vec<(&'a str, &'a str)> {
    let pairs = some.iter().flat_map(|one| {
        others
            .iter()
            .map(move |other| (one.as_str(), other.as_str()))
    });
    pairs.collect()
}

async fn may(client: &Client, question: &Value) -> bool {
    let review = json!({"spec": {"user": ACCOUNT, "resourceAttributes": question}});
    let review: SubjectAccessReview = serde_json::from_value(review).unwrap();
    let reviews = Api::all(client.clone());
    let answer = reviews.create(&PostParams::default(), &review).await;
    answer.unwrap().status.unwrap().allowed
}

#[tokio::test]
async fn the_manager_may_work_in_every_watched_namespace_and_in_no_other() {
    let Some(place) = Place::new("watched-a").await else {
        return;
    };
    let Some(kubectl) = Kubectl::new(&place) else {
        return;
    };
    place.make_namespace("watched-b").await;
    place.make_namespace("not-watched").await;
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
        let questions = questions(&documents, Some(namespace));
        assert!(questions.len() > 10, "{questions:?}");
        for question in questions {
            let allowed = || may(&place.admin, &question);
            eventually(&format!("{question}"), allowed).await;
        }
    }
    // All is in force now, so what is not allowed will not be.
    for namespace in [Some("not-watched"), Some("default"), None] {
        for question in questions(&documents, namespace) {
            assert!(!may(&place.admin, &question).await, "{question}");
        }
    }
    let lease = |namespace| json!({"group": "coordination.k8s.io", "resource": "leases", "verb": "update", "namespace": namespace, "name": "namespaced"});
    assert!(may(&place.admin, &lease(OWN)).await);
    assert!(!may(&place.admin, &lease("watched-a")).await);
}
