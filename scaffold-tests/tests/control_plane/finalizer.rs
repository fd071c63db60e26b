//! Finalizers: cleanup of an external system before an object is deleted.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex},
    time::Duration,
};

use kb::{
    Manager,
    controller::{Action, Cleanup, Controller, Error},
    namespaces::Namespaces,
    objects::conditions,
};
use kube::{
    Api, Client, ResourceExt,
    api::{DeleteParams, Patch, PatchParams},
};
use serde_json::json;

use crate::{
    shop::Shop,
    test_namespace::{OPERATOR, TestNamespace, eventually},
};

const FINALIZER: &str = "control-plane.example.com/account";
const OTHER: &str = "control-plane.example.com/audit";

/// Accounts outside of the cluster, and what the controller did.
#[derive(Clone, Default)]
struct Accounts(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    accounts: BTreeSet<String>,
    cleanups: usize,
    /// Number of cleanups that fail first.
    failures: usize,
    /// Whether the first cleanup hangs after its work, until the process is killed.
    hangs: bool,
}

impl Accounts {
    fn exists(&self, name: &str) -> bool {
        self.0.lock().unwrap().accounts.contains(name)
    }

    fn cleanups(&self) -> usize {
        self.0.lock().unwrap().cleanups
    }
}

async fn reconcile(shop: Arc<Shop>, accounts: Arc<Accounts>) -> Result<Action, Error> {
    assert!(shop.finalizers().iter().any(|it| it == FINALIZER));
    assert_eq!(shop.metadata.deletion_timestamp, None);
    accounts.0.lock().unwrap().accounts.insert(shop.name_any());
    Ok(Action::await_change())
}

async fn cleanup(shop: Arc<Shop>, accounts: Arc<Accounts>) -> Result<Cleanup, Error> {
    let hangs = {
        let mut state = accounts.0.lock().unwrap();
        state.cleanups += 1;
        if state.cleanups <= state.failures {
            return Err(Error::new("the bank is closed").with_reason("BankClosed"));
        }
        if state.cleanups == state.failures + 1 {
            return Ok(Cleanup::Pending(Duration::from_millis(10)));
        }
        state.accounts.remove(&shop.name_any());
        std::mem::take(&mut state.hangs)
    };
    if hangs {
        std::future::pending::<()>().await;
    }
    Ok(Cleanup::Done)
}

fn manager(client: Client, namespace: &str, accounts: &Accounts) -> Manager {
    let manager = Manager::for_tests(OPERATOR, client, Namespaces::single(namespace)).unwrap();
    let controller = Controller::new("shop", &manager.store::<Shop>())
        .finalizer(FINALIZER, manager.objects(), cleanup)
        .report_errors(manager.objects());
    manager.add_controller(controller, reconcile, accounts.clone());
    manager
}

/// Waits until `reconcile` has created the account.
async fn wait_for_account(api: &Api<Shop>, accounts: &Accounts) {
    eventually("the account exists", || async { accounts.exists("s") }).await;
    let shop = api.get("s").await.unwrap();
    assert!(shop.finalizers().iter().any(|it| it == FINALIZER));
}

async fn delete(api: &Api<Shop>) {
    api.delete("s", &DeleteParams::default()).await.unwrap();
}

async fn wait_until_deleted(api: &Api<Shop>) {
    eventually("the Shop is deleted", || async {
        api.get_opt("s").await.unwrap().is_none()
    })
    .await;
}

#[tokio::test]
async fn cleans_up_before_deletion_and_reports_errors() {
    let Some(test) = TestNamespace::new("finalizer").await else {
        return;
    };
    let accounts = Accounts::default();
    accounts.0.lock().unwrap().failures = 8;
    let running = manager(test.admin.clone(), &test.namespace, &accounts).spawn();
    let api = test.api::<Shop>();
    test.shop("s").await;
    wait_for_account(&api, &accounts).await;

    delete(&api).await;
    eventually("the error is reported", || async {
        let shop = api.get_opt("s").await.unwrap();
        let status = shop.and_then(|shop| shop.status).unwrap_or_default();
        conditions::find(&status.conditions, "Ready").is_some_and(|it| it.reason == "BankClosed")
    })
    .await;
    assert!(accounts.exists("s"));
    wait_until_deleted(&api).await;
    assert!(!accounts.exists("s"));
    // Eight errors, one pending and one done; the report of an error may trigger one more.
    assert!((10..=11).contains(&accounts.cleanups()));
    running.stop().await.unwrap();
}

#[tokio::test]
async fn cleans_up_again_after_a_crash_before_the_finalizer_was_removed() {
    let Some(test) = TestNamespace::new("finalizer-crash").await else {
        return;
    };
    let accounts = Accounts::default();
    accounts.0.lock().unwrap().hangs = true;
    let running = manager(test.admin.clone(), &test.namespace, &accounts).spawn();
    let api = test.api::<Shop>();
    test.shop("s").await;
    wait_for_account(&api, &accounts).await;
    delete(&api).await;
    eventually("the account is deleted", || async { !accounts.exists("s") }).await;
    // Aborts the cleanup.
    drop(running);
    assert!(api.get_opt("s").await.unwrap().is_some());

    let before = accounts.cleanups();
    let running = manager(test.admin.clone(), &test.namespace, &accounts).spawn();
    wait_until_deleted(&api).await;
    assert_eq!(accounts.cleanups(), before + 1);
    running.stop().await.unwrap();
}

#[tokio::test]
async fn keeps_the_finalizers_of_others() {
    let Some(test) = TestNamespace::new("finalizers").await else {
        return;
    };
    let accounts = Accounts::default();
    let running = manager(test.admin.clone(), &test.namespace, &accounts).spawn();
    let api = test.api::<Shop>();
    let shop = json!({"metadata": {"name": "s", "finalizers": [OTHER]}, "spec": {}});
    test.create::<Shop>(shop).await;
    wait_for_account(&api, &accounts).await;
    assert_eq!(api.get("s").await.unwrap().finalizers(), [OTHER, FINALIZER]);

    delete(&api).await;
    let only_other = || async { api.get("s").await.unwrap().finalizers() == [OTHER] };
    eventually("only the other finalizer is left", only_other).await;
    let done = accounts.cleanups();
    let patch = json!({"metadata": {"labels": {"a": "b"}}});
    let params = PatchParams::default();
    api.patch("s", &params, &Patch::Merge(&patch))
        .await
        .unwrap();
    running.stop().await.unwrap();
    assert_eq!(accounts.cleanups(), done);

    let patch = json!({"metadata": {"finalizers": null}});
    api.patch("s", &params, &Patch::Merge(&patch))
        .await
        .unwrap();
    wait_until_deleted(&api).await;
}
