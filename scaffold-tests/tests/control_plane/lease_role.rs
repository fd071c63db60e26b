//! The role for leader election allows the lease of the manager, and no other.

use clap::{CommandFactory, FromArgMatches, Parser};
use kb::{
    Flags, Manager, k8s_openapi::api::coordination::v1::Lease, metrics::Metrics, shutdown::Shutdown,
};
use kube::{Api, Client, api::PostParams};
use serde_json::{Value, json};

use crate::{
    kubectl::{Kubectl, project},
    test_namespace::{TestNamespace, eventually},
};

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    flags: Flags,
}

/// Returns the flags of the scaffolded Deployment, with the namespace of the test.
fn flags(namespace: &str) -> Flags {
    let command = Cli::command().mut_args(|argument| argument.env(None));
    let namespace = format!("--leader-election-namespace={namespace}");
    let arguments = [
        "manager",
        "--leader-elect",
        "--health-probe-bind-address=0",
        &namespace,
    ];
    Cli::from_arg_matches(&command.get_matches_from(arguments))
        .unwrap()
        .flags
}

fn role(documents: &[Value]) -> &Value {
    let is_role = |document: &&Value| {
        let name = document["metadata"]["name"].as_str().unwrap_or_default();
        document["kind"] == "Role" && name.ends_with("leader-election-role")
    };
    documents.iter().find(is_role).unwrap()
}

/// Returns the HTTP status.
fn status<T>(response: kube::Result<T>) -> u16 {
    match response {
        Err(kube::Error::Api(error)) => error.code,
        Err(error) => panic!("{error}"),
        Ok(_) => 200,
    }
}

async fn renewed(leases: &Api<Lease>, name: &str) -> Option<String> {
    let spec = leases.get_opt(name).await.unwrap()?.spec?;
    spec.holder_identity?;
    Some(spec.renew_time?.0.to_string())
}

#[tokio::test]
async fn a_manager_is_elected_under_its_role_that_allows_no_other_lease() {
    let Some(test) = TestNamespace::new("lease-role").await else {
        return;
    };
    let Some(kubectl) = Kubectl::new(&test) else {
        return;
    };
    let name = "one-api";
    let project = project(name);
    let documents = kubectl.kustomize(&project.path().join("config/default"));
    // kustomize prefixes names of objects, but not the name of the lease.
    let rules = role(&documents)["rules"].clone();
    assert_eq!(rules[1]["resourceNames"], json!([name]));
    let account = test.account("manager", rules).await;
    let client: Client = test.environment.client_as(&account).await.unwrap();

    let shutdown = Shutdown::default();
    let flags = flags(&test.namespace);
    let metrics = Metrics::new();
    let manager = Manager::with_client(name, flags, client.clone(), metrics, shutdown.clone());
    let running = tokio::spawn(manager.unwrap().run());
    let leases: Api<Lease> = test.api();
    eventually("the manager is elected", || async {
        renewed(&leases, name).await.is_some()
    })
    .await;
    let first = renewed(&leases, name).await;
    eventually("the lease is renewed", || async {
        renewed(&leases, name).await > first
    })
    .await;

    let own: Api<Lease> = Api::namespaced(client, &test.namespace);
    let other: Lease = serde_json::from_value(json!({"metadata": {"name": "other"}})).unwrap();
    let other = leases.create(&PostParams::default(), &other).await.unwrap();
    assert_eq!(status(own.get("other").await), 403);
    let replaced = own.replace("other", &PostParams::default(), &other).await;
    assert_eq!(status(replaced), 403);
    assert_eq!(status(own.get(name).await), 200);

    shutdown.drain.cancel();
    running.await.unwrap().unwrap();
}
