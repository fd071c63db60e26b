//! Tests of running control planes. Skipped without binaries; with `CI=true` that is a failure.
#![allow(
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "tests print durations and may panic"
)]
#![cfg(all(feature = "client", unix))]

use std::{
    env,
    io::Read,
    os::unix::{fs::PermissionsExt, process::CommandExt},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use k8s_openapi::api::{
    apps::v1::{Deployment, ReplicaSet},
    core::v1::ConfigMap,
};
use kb_envtest::{Binaries, Builder, Environment, Error, skip};
use kube::{Api, Client, api::PostParams};
use serde_json::json;

fn builder() -> Option<Builder> {
    match Binaries::find() {
        Ok(_) => Some(Environment::builder()),
        Err(error) => skipped(&error),
    }
}

fn skipped<T>(error: &Error) -> Option<T> {
    skip(format_args!("control plane not found: {error}"));
    None
}

fn config_map(name: &str) -> ConfigMap {
    serde_json::from_value(json!({"metadata": {"name": name}, "data": {"k": "v"}})).unwrap()
}

fn config_maps(client: Client) -> Api<ConfigMap> {
    Api::namespaced(client, "default")
}

fn is_running(process: u32) -> bool {
    let signalled = Command::new("sh")
        .args(["-c", &format!("kill -0 {process}")])
        .stderr(Stdio::null())
        .status();
    signalled.unwrap().success()
}

fn wait_until_gone(processes: &[u32], folder: &Path) {
    let start = Instant::now();
    while processes.iter().any(|process| is_running(*process)) || folder.exists() {
        assert!(
            start.elapsed() < Duration::from_secs(10),
            "{processes:?} or {} survive",
            folder.display()
        );
        thread::sleep(Duration::from_millis(20));
    }
}

#[tokio::test]
async fn environments_run_in_parallel_and_clean_up() {
    let (Some(one), Some(other)) = (builder(), builder()) else {
        return;
    };
    let start = Instant::now();
    let (one, other) = tokio::try_join!(one.start(), other.start()).unwrap();
    eprintln!("two environments started in {:?}", start.elapsed());

    let here = config_maps(one.client().await.unwrap());
    here.create(&PostParams::default(), &config_map("c"))
        .await
        .unwrap();
    let elsewhere = config_maps(other.client().await.unwrap());
    assert!(elsewhere.get_opt("c").await.unwrap().is_none());

    let processes = [one.pids(), other.pids()].concat();
    assert_eq!(processes.len(), 4);
    assert!(processes.iter().all(|process| is_running(*process)));
    let folders = [&one, &other].map(|environment| environment.dir().to_owned());
    for folder in &folders {
        // It contains private keys.
        let mode = folder.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700, "{mode:o}");
    }
    one.stop().await;
    drop(other);
    for folder in folders {
        wait_until_gone(&processes, &folder);
    }
}

#[tokio::test]
async fn service_accounts_have_exactly_their_permissions() {
    let Some(builder) = builder() else { return };
    let start = Instant::now();
    let environment = builder.crds([crd()]).start().await.unwrap();
    eprintln!(
        "one environment with a CRD started in {:?}",
        start.elapsed()
    );

    let account = environment
        .service_account("shop", "nobody", Vec::<()>::new())
        .await
        .unwrap();
    let client = environment.client_as(&account).await.unwrap();
    let error = config_maps(client)
        .list(&kube::api::ListParams::default())
        .await
        .unwrap_err();
    let kube::Error::Api(status) = error else {
        panic!("{error}")
    };
    assert_eq!(status.code, 403);
    assert!(
        status.message.contains("system:serviceaccount:shop:nobody"),
        "{}",
        status.message
    );

    let rules = json!([{"apiGroups": [""], "resources": ["configmaps"], "verbs": ["get"]}]);
    let role = |kind: &str, name: &str| json!({"apiVersion": "rbac.authorization.k8s.io/v1", "kind": kind, "metadata": {"name": name}, "rules": rules});
    let everywhere = environment
        .service_account("shop", "all", [role("ClusterRole", "all")])
        .await
        .unwrap();
    let client = environment.client_as(&everywhere).await.unwrap();
    assert!(config_maps(client).get_opt("c").await.unwrap().is_none());

    let inside = environment
        .service_account("shop", "one", [role("Role", "one")])
        .await
        .unwrap();
    let client = environment.client_as(&inside).await.unwrap();
    let own: Api<ConfigMap> = Api::namespaced(client.clone(), "shop");
    assert!(own.get_opt("c").await.unwrap().is_none());
    assert!(config_maps(client).get_opt("c").await.is_err());
}

fn crd() -> serde_json::Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "shops.example.com"},
        "spec": {
            "group": "example.com",
            "names": {"plural": "shops", "kind": "Shop"},
            "scope": "Namespaced",
            "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {"type": "object"}}}],
        },
    })
}

#[tokio::test]
async fn the_api_server_keeps_its_objects_across_restarts() {
    let Some(builder) = builder() else { return };
    let mut environment = builder.start().await.unwrap();
    let objects = config_maps(environment.client().await.unwrap());
    objects
        .create(&PostParams::default(), &config_map("c"))
        .await
        .unwrap();
    environment.stop_api_server();
    assert!(environment.apply([crd()]).await.is_err());
    assert!(objects.get("c").await.is_err());
    let start = Instant::now();
    environment.start_api_server().await.unwrap();
    eprintln!("the API server started again in {:?}", start.elapsed());
    assert!(objects.get("c").await.is_ok());
    environment.apply([crd()]).await.unwrap();
}

#[tokio::test]
async fn the_controller_manager_creates_replica_sets() {
    let Some(builder) = builder() else { return };
    let environment = match builder.controller_manager(true).start().await {
        Err(error @ Error::Incomplete { .. }) => skipped(&error),
        started => Some(started.unwrap()),
    };
    let Some(environment) = environment else {
        return;
    };
    let client = environment.client().await.unwrap();
    let labels = json!({"app": "a"});
    let deployment: Deployment = serde_json::from_value(json!({
        "metadata": {"name": "d"},
        "spec": {
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "c", "image": "i"}]}},
        },
    }))
    .unwrap();
    let deployments: Api<Deployment> = Api::namespaced(client.clone(), "default");
    deployments
        .create(&PostParams::default(), &deployment)
        .await
        .unwrap();
    let replica_sets: Api<ReplicaSet> = Api::namespaced(client, "default");
    let start = Instant::now();
    while replica_sets
        .list(&kube::api::ListParams::default())
        .await
        .unwrap()
        .items
        .is_empty()
    {
        assert!(start.elapsed() < Duration::from_secs(20));
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Run in a child process by the tests below.
#[tokio::test]
async fn killed() {
    if env::var_os("KB_ENVTEST_KILLED").is_none() {
        return;
    }
    let environment = Environment::builder().start().await.unwrap();
    let processes: Vec<String> = environment.pids().iter().map(u32::to_string).collect();
    println!(
        "\nREADY {} {}",
        environment.dir().display(),
        processes.join(" ")
    );
    tokio::time::sleep(Duration::from_secs(60)).await;
}

#[test]
fn servers_stop_when_the_process_is_killed() {
    check_cleanup_after(|process| format!("kill -KILL {process}"));
}

#[test]
fn servers_stop_when_the_process_group_is_terminated() {
    check_cleanup_after(|process| format!("kill -TERM -{process}"));
}

/// Starts a process with an environment, runs a shell command to stop it, and checks that nothing remains.
fn check_cleanup_after(kill: impl Fn(u32) -> String) {
    if builder().is_none() {
        return;
    }
    let mut child = Command::new(env::current_exe().unwrap())
        .args(["--exact", "killed", "--nocapture"])
        .env("KB_ENVTEST_KILLED", "1")
        .stdout(Stdio::piped())
        .process_group(0)
        .spawn()
        .unwrap();
    let mut output = String::new();
    let mut stdout = child.stdout.take().unwrap();
    let line = loop {
        let mut buffer = [0; 1024];
        let count = stdout.read(&mut buffer).unwrap();
        assert!(count > 0, "{output}");
        output.push_str(&String::from_utf8_lossy(&buffer[..count]));
        if let Some(line) = output.lines().find_map(|line| line.strip_prefix("READY "))
            && output.ends_with('\n')
        {
            break line.to_owned();
        }
    };
    let mut words = line.split(' ');
    let folder = PathBuf::from(words.next().unwrap());
    let processes: Vec<u32> = words.map(|word| word.parse().unwrap()).collect();
    assert_eq!(processes.len(), 2);
    assert!(processes.iter().all(|process| is_running(*process)) && folder.exists());
    let ended = Command::new("sh").args(["-c", &kill(child.id())]).status();
    assert!(ended.unwrap().success());
    child.wait().unwrap();
    wait_until_gone(&processes, &folder);
}
