//! A missing CRD delays only the controller of its kind.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use clap::{CommandFactory, FromArgMatches, Parser};
use kb::{
    Flags, Manager,
    controller::{Action, Controller, Error},
    metrics::Metrics,
    shutdown::Shutdown,
};
use kube::ResourceExt;
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

use crate::{
    shop::Shop,
    test_namespace::{OPERATOR, TestNamespace, eventually},
};

/// A warehouse.
#[kb::resource(group = "missing.example.com", version = "v1", kind = "Warehouse")]
pub(crate) struct WarehouseSpec {
    /// Number of shelves.
    pub shelves: Option<i32>,
}

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    flags: Flags,
}

fn flags(namespace: &str, probes: SocketAddr) -> Flags {
    let command = Cli::command().mut_args(|argument| argument.env(None));
    let arguments = [
        OPERATOR.to_owned(),
        format!("--health-probe-bind-address={probes}"),
        format!("--watch-namespace={namespace}"),
    ];
    Cli::from_arg_matches(&command.get_matches_from(arguments))
        .unwrap()
        .flags
}

/// Names of reconciled objects.
#[derive(Clone, Default)]
struct Reconciled(Arc<Mutex<Vec<String>>>);

impl Reconciled {
    fn add(&self, name: String) {
        self.0.lock().unwrap().push(name);
    }

    fn has(&self, name: &str) -> bool {
        self.0.lock().unwrap().iter().any(|seen| seen == name)
    }
}

async fn shop(shop: Arc<Shop>, seen: Arc<Reconciled>) -> Result<Action, Error> {
    seen.add(format!("shop {}", shop.name_any()));
    Ok(Action::await_change())
}

async fn warehouse(object: Arc<Warehouse>, seen: Arc<Reconciled>) -> Result<Action, Error> {
    seen.add(format!("warehouse {}", object.name_any()));
    Ok(Action::await_change())
}

/// Returns an unused address.
async fn free_address() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    listener.local_addr().unwrap()
}

/// Returns the HTTP response of a probe.
async fn probe(address: SocketAddr, path: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}

#[tokio::test]
async fn a_controller_starts_when_its_crd_is_installed() {
    let Some(test) = TestNamespace::new("missing-crd").await else {
        return;
    };
    test.shop("open").await;
    let probes = free_address().await;
    let (seen, shutdown) = (Reconciled::default(), Shutdown::default());
    let manager = Manager::with_client(
        OPERATOR,
        flags(&test.namespace, probes),
        test.admin.clone(),
        Metrics::new(),
        shutdown.clone(),
    )
    .unwrap();
    let shops = Controller::new("shop", &manager.store::<Shop>());
    manager.add_controller(shops, shop, seen.clone());
    let warehouses = Controller::new("warehouse", &manager.store::<Warehouse>());
    manager.add_controller(warehouses, warehouse, seen.clone());
    let running = tokio::spawn(manager.run());

    let reconciled = |what: &'static str| {
        let seen = &seen;
        eventually(what, move || async move { seen.has(what) })
    };
    reconciled("shop open").await;
    let answer = probe(probes, "/readyz").await;
    assert!(answer.starts_with("HTTP/1.1 500"), "{answer}");
    let reason = "caches not synced: Warehouse (CRD not installed)";
    assert!(answer.contains(reason), "{answer}");
    assert!(probe(probes, "/healthz").await.starts_with("HTTP/1.1 200"));

    test.environment.apply([Warehouse::crd()]).await.unwrap();
    let object = json!({"metadata": {"name": "full"}, "spec": {}});
    test.create::<Warehouse>(object).await;
    reconciled("warehouse full").await;
    eventually("the operator is ready", || async {
        probe(probes, "/readyz").await.starts_with("HTTP/1.1 200")
    })
    .await;
    shutdown.drain.cancel();
    running.await.unwrap().unwrap();
}
