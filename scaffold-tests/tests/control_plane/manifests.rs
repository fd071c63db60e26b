//! The API server accepts the manifests of every golden in its restricted namespace: with each component, all of them and none.

use std::path::Path;

use scaffold_tests::Scenario;
use serde_json::{Value, json};

use crate::{
    kubectl::{Kubectl, edit, project},
    test_namespace::TestNamespace,
};

/// The components, and the kind that each adds.
const COMPONENTS: [(&str, Option<&str>); 4] = [
    ("prometheus", Some("ServiceMonitor")),
    ("metrics-tls", None),
    ("network-policy", Some("NetworkPolicy")),
    ("pdb", Some("PodDisruptionBudget")),
];

const DRY_RUN: [&str; 7] = [
    "apply",
    "--server-side",
    "--dry-run=server",
    "--validate=strict",
    // Other tests deploy the same objects.
    "--force-conflicts",
    "--field-manager=scaffold-tests",
    "--filename=-",
];

fn service_monitor_crd() -> Value {
    serde_saphyr::from_str(include_str!("data/servicemonitors.yaml")).unwrap()
}

/// Builds config/default with these components, and disables them again.
fn build(kubectl: &Kubectl, project: &Path, enabled: &[&str]) -> Vec<Value> {
    let file = "config/default/kustomization.yaml";
    for name in enabled {
        let off = format!("\n# - ../{name}\n");
        let on = format!("\n- ../{name}\n");
        edit(project, file, |text| text.replace(&off, &on));
    }
    let documents = kubectl.kustomize(&project.join("config/default"));
    for name in enabled {
        let off = format!("\n# - ../{name}\n");
        let on = format!("\n- ../{name}\n");
        edit(project, file, |text| text.replace(&on, &off));
    }
    for (name, kind) in COMPONENTS {
        let Some(kind) = kind else { continue };
        let exists = documents.iter().any(|document| document["kind"] == kind);
        assert_eq!(exists, enabled.contains(&name), "{kind} with {enabled:?}");
    }
    documents
}

/// Returns the distinct documents that a project can deploy.
fn all_documents(kubectl: &Kubectl, project: &Path) -> Vec<Value> {
    let names = COMPONENTS.map(|(name, _)| name);
    let mut variants: Vec<Vec<&str>> = names.map(|name| vec![name]).into();
    variants.extend([vec![], names.into()]);
    let mut documents = Vec::new();
    for enabled in variants {
        for document in build(kubectl, project, &enabled) {
            if !documents.contains(&document) {
                documents.push(document);
            }
        }
    }
    documents
}

/// Returns the pods of Deployments: the API server admits a Deployment even if it will reject its pods.
fn pods(documents: &[Value]) -> Vec<Value> {
    let deployments = documents
        .iter()
        .filter(|document| document["kind"] == "Deployment");
    let pod = |(index, deployment): (usize, &Value)| {
        let mut pod = deployment["spec"]["template"].clone();
        pod["apiVersion"] = json!("v1");
        pod["kind"] = json!("Pod");
        pod["metadata"]["name"] = json!(format!("pod-{index}"));
        pod["metadata"]["namespace"] = deployment["metadata"]["namespace"].clone();
        pod
    };
    deployments.enumerate().map(pod).collect()
}

#[tokio::test]
async fn all_manifests_are_accepted_in_a_restricted_namespace() {
    let Some(test) = TestNamespace::new("manifests").await else {
        return;
    };
    let Some(kubectl) = Kubectl::new(&test) else {
        return;
    };
    let crd = service_monitor_crd();
    test.environment.apply([crd]).await.unwrap();
    for scenario in Scenario::all().unwrap() {
        let project = project(&scenario.name);
        let documents = all_documents(&kubectl, project.path());
        let mut namespaces = documents
            .iter()
            .filter(|document| document["kind"] == "Namespace");
        let namespace = namespaces.next().unwrap();
        let labels = &namespace["metadata"]["labels"];
        assert_eq!(labels["pod-security.kubernetes.io/enforce"], "restricted");
        test.environment.apply([namespace]).await.unwrap();

        let mut pods = pods(&documents);
        assert_eq!(
            pods.len(),
            4,
            "with one replica and two, with a certificate and without"
        );
        let accepted = kubectl.succeed(&DRY_RUN, &[documents, pods.clone()].concat());
        assert!(!accepted.stderr.contains("Warning"), "{}", accepted.stderr);

        // The namespace rejects other pods.
        pods[0]["spec"]["securityContext"] = json!({});
        let rejected = kubectl.run(&DRY_RUN, &pods[..1]);
        let expected = "violates PodSecurity \"restricted";
        assert!(rejected.stderr.contains(expected), "{}", rejected.stderr);
    }
}

#[tokio::test]
async fn an_unknown_field_is_rejected() {
    let Some(test) = TestNamespace::new("manifests-strict").await else {
        return;
    };
    let Some(kubectl) = Kubectl::new(&test) else {
        return;
    };
    let account = json!({
        "apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "x", "namespace": test.namespace},
        "automountServiceAcountToken": false,
    });
    let rejected = kubectl.run(&DRY_RUN, &[account]);
    let expected = "automountServiceAcountToken";
    assert!(rejected.stderr.contains(expected), "{}", rejected.stderr);
}

#[tokio::test]
async fn prometheus_verifies_the_mounted_certificate() {
    let Some(test) = TestNamespace::new("manifests-tls").await else {
        return;
    };
    let Some(kubectl) = Kubectl::new(&test) else {
        return;
    };
    for scenario in Scenario::all().unwrap() {
        let project = project(&scenario.name);
        let documents = build(&kubectl, project.path(), &["prometheus", "metrics-tls"]);
        let find = |kind: &str| {
            let mut found = documents.iter().filter(|document| document["kind"] == kind);
            found.next().unwrap()
        };
        let (monitor, service) = (find("ServiceMonitor"), &find("Service")["metadata"]);
        let name = |field: &str| service[field].as_str().unwrap();
        assert_eq!(
            monitor["spec"]["endpoints"][0]["tlsConfig"],
            json!({
                "ca": {"secret": {"name": "metrics-server-cert", "key": "ca.crt"}},
                "serverName": format!("{}.{}.svc", name("name"), name("namespace")),
            })
        );
        // The ServiceMonitor and the pod use the same Secret.
        let pod = &find("Deployment")["spec"]["template"]["spec"];
        assert_eq!(
            pod["volumes"][0]["secret"]["secretName"],
            "metrics-server-cert"
        );
        assert_eq!(
            monitor["metadata"]["namespace"],
            find("Deployment")["metadata"]["namespace"]
        );
        let container = &pod["containers"][0];
        let environment = container["env"].as_array().unwrap();
        let path = environment
            .iter()
            .find(|variable| variable["name"] == "METRICS_CERT_PATH");
        assert_eq!(
            path.unwrap()["value"],
            container["volumeMounts"][0]["mountPath"]
        );
    }
}
