//! An operator that creates a `ConfigMap` for every Shop.

use std::sync::Arc;

use clap::{CommandFactory, FromArgMatches, Parser};
use kb::{
    Flags, Manager,
    controller::{Action, Controller, Error},
    k8s_openapi::api::core::v1::ConfigMap,
    metrics::Metrics,
    objects::{Objects, Owner},
    shutdown::Shutdown,
    store::Store,
};
use kb_envtest::{Environment, ServiceAccount};
use kube::{Api, Client, ResourceExt};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::{
    shop::Shop,
    test_namespace::{OPERATOR, eventually},
};

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    flags: Flags,
}

/// Parses flags without the environment variables of the test.
fn flags(namespace: &str) -> Flags {
    let command = Cli::command().mut_args(|argument| argument.env(None));
    let watched = format!("--watch-namespace={namespace}");
    let arguments = [OPERATOR, "--health-probe-bind-address=0", &watched];
    let matches = command.get_matches_from(arguments);
    Cli::from_arg_matches(&matches).unwrap().flags
}

struct Context {
    objects: Objects,
    config_maps: Store<ConfigMap>,
}

async fn reconcile(shop: Arc<Shop>, context: Arc<Context>) -> Result<Action, Error> {
    let desired = serde_json::from_value(json!({
        "metadata": {"name": shop.name_any()},
        "data": {"motto": shop.spec.motto.clone().unwrap_or_default()},
    }))?;
    let owner = Owner::of(&*shop)?;
    let applied = context.objects.apply(&owner, desired, &context.config_maps);
    applied.await?;
    Ok(Action::await_change())
}

/// An operator in the namespace of its account.
pub(crate) struct Operator {
    shutdown: Shutdown,
    running: JoinHandle<Result<(), kb::manager::Error>>,
}

impl Operator {
    pub(crate) async fn start(environment: &Environment, account: &ServiceAccount) -> Self {
        let client = environment.client_as(account).await.unwrap();
        Self::with_client(client, account.namespace())
    }

    pub(crate) fn with_client(client: Client, namespace: &str) -> Self {
        let flags = flags(namespace);
        let shutdown = Shutdown::default();
        let metrics = Metrics::new();
        let manager = Manager::with_client(OPERATOR, flags, client, metrics, shutdown.clone());
        let manager = manager.unwrap();
        let (shops, config_maps) = (manager.store::<Shop>(), manager.store::<ConfigMap>());
        let controller = Controller::new("shop", &shops).owns(&config_maps);
        let objects = manager.objects();
        let context = Context {
            objects,
            config_maps,
        };
        manager.add_controller(controller, reconcile, context);
        let running = tokio::spawn(manager.run());
        Self { shutdown, running }
    }

    pub(crate) async fn stop(self) {
        self.shutdown.drain.cancel();
        self.running.await.unwrap().unwrap();
    }
}

/// Returns its rules for Shops, and for `ConfigMaps` with these verbs.
pub(crate) fn rules(config_maps: &[&str]) -> Value {
    let mut rules = vec![json!({
        "apiGroups": ["control-plane.example.com"], "resources": ["shops"], "verbs": ["list", "watch"],
    })];
    if !config_maps.is_empty() {
        rules.push(json!({"apiGroups": [""], "resources": ["configmaps"], "verbs": config_maps}));
    }
    rules.into()
}

/// The verbs that it needs for `ConfigMaps`.
pub(crate) const ALL_VERBS: [&str; 5] = ["list", "watch", "get", "patch", "create"];

/// Waits until the `ConfigMap` of a Shop has its motto.
pub(crate) async fn wait_for_config_map(api: &Api<ConfigMap>, name: &str, motto: &str) {
    let what = format!("the ConfigMap {name} has the motto {motto:?}");
    eventually(&what, || async {
        let found = api.get_opt(name).await.unwrap();
        found.is_some_and(|found| found.data.unwrap()["motto"] == motto)
    })
    .await;
}
