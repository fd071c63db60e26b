//! What triggers a reconcile, and concurrency.

use std::{sync::Arc, time::Duration};

use k8s_openapi::api::core::v1::{ConfigMap, Namespace, Secret};
use kube::{ResourceExt, runtime::reflector::ObjectRef};

use super::harness::{Calls, record, sleep_ms, start, work};
use crate::{
    controller::{Action, Controller, Error},
    store::samples::{
        apply, apply_invalid, cluster_object, delete, list, object, owned_by, synced, unsynced,
    },
};

#[tokio::test(start_paused = true)]
async fn reconciles_all_objects_and_then_those_that_change() {
    let (store, mut feed) = synced::<ConfigMap>([object("a", 1), object("b", 1)]);
    let running = start(Controller::new("test", &store), record);
    sleep_ms(1).await;
    assert_eq!(running.calls.names(), ["a", "b"]);

    running.calls.clear();
    apply(&mut feed, &object("b", 2));
    apply(&mut feed, &object("c", 1));
    delete(&mut feed, &object("a", 2));
    sleep_ms(1).await;
    assert_eq!(running.calls.names(), ["b", "c"]);
}

#[tokio::test(start_paused = true)]
async fn requeues_after_the_delay_of_the_action() {
    let (store, _feed) = synced::<ConfigMap>([object("a", 1)]);
    let running = start(
        Controller::new("test", &store),
        async |object: Arc<ConfigMap>, calls: Arc<Calls>| {
            calls.record(&*object);
            Ok::<_, Error>(Action::requeue(Duration::from_secs(60)))
        },
    );
    sleep_ms(125_000).await;
    assert_eq!(running.calls.times("a").len(), 3);
}

#[tokio::test(start_paused = true)]
async fn changed_and_deleted_children_trigger_their_owner() {
    let owner: ConfigMap = object("owner", 1);
    let (owners, _feed) = synced([owner.clone(), object("other", 1)]);
    let (children, mut feed) = synced::<Secret>([owned_by(object("child", 1), &owner)]);
    let running = start(Controller::new("test", &owners).owns(&children), record);
    sleep_ms(1).await;

    let child = |version| owned_by(object("child", version), &owner);
    running.calls.clear();
    apply(&mut feed, &child(2));
    sleep_ms(1).await;
    assert_eq!(running.calls.names(), ["owner"], "changed");
    delete(&mut feed, &child(3));
    sleep_ms(1).await;
    assert_eq!(running.calls.names(), ["owner"; 2], "deleted");
    apply(&mut feed, &child(4));
    sleep_ms(1).await;
    list(&mut feed, []);
    sleep_ms(1).await;
    assert_eq!(
        running.calls.names(),
        ["owner"; 4],
        "deleted while the watch was down"
    );
}

#[tokio::test(start_paused = true)]
async fn a_child_with_a_new_owner_triggers_both_owners() {
    let (one, two): (ConfigMap, ConfigMap) = (object("one", 1), object("two", 1));
    let (owners, _feed) = synced([one.clone(), two.clone(), object("other", 1)]);
    let (children, mut feed) = synced::<Secret>([owned_by(object("child", 1), &one)]);
    let running = start(Controller::new("test", &owners).owns(&children), record);
    sleep_ms(1).await;
    running.calls.clear();
    apply(&mut feed, &owned_by(object("child", 2), &two));
    sleep_ms(1).await;
    assert_eq!(running.calls.names(), ["one", "two"]);
}

#[tokio::test(start_paused = true)]
async fn a_cluster_scoped_owner_is_one_object_whatever_triggers_it() {
    let owner: Namespace = cluster_object("owner", 1);
    let (owners, mut owners_feed) = synced([owner.clone()]);
    let (children, mut children_feed) = synced::<Secret>([]);
    let controller = Controller::new("test", &owners).owns(&children);
    let running = start(
        controller,
        async |object: Arc<Namespace>, calls: Arc<Calls>| {
            calls.work(&*object, Duration::from_secs(1)).await;
            Ok::<_, Error>(Action::await_change())
        },
    );
    sleep_ms(10).await;
    apply(&mut owners_feed, &cluster_object("owner", 2));
    apply(&mut children_feed, &owned_by(object("child", 1), &owner));
    sleep_ms(10_000).await;
    // kube treats an owner within the child's namespace as another object; `work` would panic.
    assert_eq!(running.calls.times("owner").len(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_mapper_triggers_existing_objects() {
    let (store, _feed) = synced::<ConfigMap>([object("a", 1), object("b", 1)]);
    let (secrets, mut feed) = synced::<Secret>([]);
    let controller = Controller::new("test", &store).watches(&secrets, |secret: &Secret| {
        let names = [secret.name_any(), "missing".into()];
        names.map(|name| ObjectRef::new(&name).within("shop"))
    });
    let running = start(controller, record);
    sleep_ms(1).await;
    running.calls.clear();
    apply(&mut feed, &object("b", 1));
    sleep_ms(1).await;
    assert_eq!(running.calls.names(), ["b"]);
}

#[tokio::test(start_paused = true)]
async fn controllers_share_a_store() {
    let (store, mut feed) = synced::<ConfigMap>([object("a", 1)]);
    let one = start(Controller::new("one", &store), record);
    let two = start(Controller::new("two", &store), record);
    sleep_ms(1).await;
    apply(&mut feed, &object("a", 2));
    sleep_ms(1).await;
    assert_eq!(
        (one.calls.times("a").len(), two.calls.times("a").len()),
        (2, 2)
    );
}

#[tokio::test(start_paused = true)]
async fn concurrency_limits_concurrent_reconciles() {
    let objects = (0..7).map(|number| object(&number.to_string(), 1));
    let (store, _feed) = synced::<ConfigMap>(objects);
    let running = start(Controller::new("test", &store).concurrency(3), work);
    sleep_ms(10_000).await;
    assert_eq!(running.calls.names().len(), 7);
    assert_eq!(*running.calls.max_in_flight.lock().unwrap(), 3);
}

#[tokio::test(start_paused = true)]
async fn a_change_does_not_wait_for_the_initial_list() {
    let objects = (0..100).map(|number| object(&number.to_string(), 1));
    let (store, mut feed) = synced::<ConfigMap>(objects);
    let running = start(Controller::new("test", &store).concurrency(1), work);
    sleep_ms(10_100).await;
    apply(&mut feed, &object("new", 1));
    sleep_ms(2_000).await;
    let times = running.calls.times("new");
    assert!(matches!(times[..], [11_000..=12_100]), "{times:?}");
    sleep_ms(100_000).await;
    assert_eq!(running.calls.names().len(), 101);
}

#[tokio::test(start_paused = true)]
async fn an_object_that_changes_while_reconciled_is_reconciled_once_more() {
    let (store, mut feed) = synced::<ConfigMap>([object("a", 1)]);
    let running = start(Controller::new("test", &store), work);
    sleep_ms(100).await;
    for version in 2..10 {
        apply(&mut feed, &object("a", version));
        sleep_ms(1).await;
    }
    sleep_ms(10_000).await;
    let times = running.calls.times("a");
    assert!(matches!(times[..], [0, 1000..=1010]), "{times:?}");
}

#[tokio::test(start_paused = true)]
async fn an_object_that_fails_to_deserialize_is_not_reconciled() {
    let (store, mut feed) = synced::<ConfigMap>([object("a", 1)]);
    apply_invalid(&mut feed, &object::<ConfigMap>("a", 2));
    let running = start(Controller::new("test", &store), record);
    apply(&mut feed, &object("b", 1));
    sleep_ms(1).await;
    assert_eq!(running.calls.names(), ["b"]);
    apply(&mut feed, &object("a", 3));
    sleep_ms(1).await;
    assert_eq!(running.calls.names(), ["a", "b"]);
}

#[tokio::test(start_paused = true)]
async fn waits_for_all_stores_to_sync() {
    let (store, _feed) = synced::<ConfigMap>([object("a", 1)]);
    let (children, mut feed) = unsynced::<Secret>();
    let running = start(Controller::new("test", &store).owns(&children), record);
    sleep_ms(60_000).await;
    assert!(running.calls.names().is_empty());
    list(&mut feed, []);
    sleep_ms(1).await;
    assert_eq!(running.calls.names(), ["a"]);
}
