//! What is reconciled, and how many at once.

use std::{sync::Arc, time::Duration};

use k8s_openapi::api::core::v1::{ConfigMap, Namespace, Secret};
use kube::{ResourceExt, runtime::reflector::ObjectRef};

use super::running::{Calls, note, pass, start, work};
use crate::{
    controller::{Action, Controller, Error},
    store::{
        Store,
        samples::{apply, cluster_object, delete, garble, list, object, owned_by, synced},
    },
};

#[tokio::test(start_paused = true)]
async fn all_objects_are_reconciled_and_then_those_that_change() {
    let (store, mut feed) = synced::<ConfigMap>([object("a", 1), object("b", 1)]);
    let running = start(Controller::new("test", &store), note);
    pass(1).await;
    assert_eq!(running.calls.names(), ["a", "b"]);

    running.calls.clear();
    apply(&mut feed, &object("b", 2));
    apply(&mut feed, &object("c", 1));
    delete(&mut feed, &object("a", 2));
    pass(1).await;
    assert_eq!(running.calls.names(), ["b", "c"]);
}

#[tokio::test(start_paused = true)]
async fn an_object_is_reconciled_again_when_its_action_says() {
    let (store, _feed) = synced::<ConfigMap>([object("a", 1)]);
    let running = start(
        Controller::new("test", &store),
        async |object: Arc<ConfigMap>, calls: Arc<Calls>| {
            calls.note(&*object);
            Ok::<_, Error>(Action::requeue(Duration::from_secs(60)))
        },
    );
    pass(125_000).await;
    assert_eq!(running.calls.times("a").len(), 3);
}

#[tokio::test(start_paused = true)]
async fn children_that_change_or_vanish_trigger_their_owner() {
    let owner: ConfigMap = object("owner", 1);
    let (owners, _feed) = synced([owner.clone(), object("other", 1)]);
    let (children, mut feed) = synced::<Secret>([owned_by(object("child", 1), &owner)]);
    let running = start(Controller::new("test", &owners).owns(&children), note);
    pass(1).await;

    let child = |version| owned_by(object("child", version), &owner);
    running.calls.clear();
    apply(&mut feed, &child(2));
    pass(1).await;
    assert_eq!(running.calls.names(), ["owner"], "changed");
    delete(&mut feed, &child(3));
    pass(1).await;
    assert_eq!(running.calls.names(), ["owner"; 2], "deleted");
    apply(&mut feed, &child(4));
    pass(1).await;
    list(&mut feed, []);
    pass(1).await;
    assert_eq!(
        running.calls.names(),
        ["owner"; 4],
        "deleted while the watch was down"
    );
}

#[tokio::test(start_paused = true)]
async fn an_owner_is_triggered_by_a_child_that_leaves_it() {
    let (one, two): (ConfigMap, ConfigMap) = (object("one", 1), object("two", 1));
    let (owners, _feed) = synced([one.clone(), two.clone(), object("other", 1)]);
    let (children, mut feed) = synced::<Secret>([owned_by(object("child", 1), &one)]);
    let running = start(Controller::new("test", &owners).owns(&children), note);
    pass(1).await;
    running.calls.clear();
    apply(&mut feed, &owned_by(object("child", 2), &two));
    pass(1).await;
    assert_eq!(running.calls.names(), ["one", "two"]);
}

#[tokio::test(start_paused = true)]
async fn an_owner_in_no_namespace_is_one_object_whoever_asks_for_it() {
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
    pass(10).await;
    apply(&mut owners_feed, &cluster_object("owner", 2));
    apply(&mut children_feed, &owned_by(object("child", 1), &owner));
    pass(10_000).await;
    // kube would take the owner within the child's namespace for another object, and the work would panic.
    assert_eq!(running.calls.times("owner").len(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_mapper_says_what_is_concerned_and_what_is_not_there_is_skipped() {
    let (store, _feed) = synced::<ConfigMap>([object("a", 1), object("b", 1)]);
    let (secrets, mut feed) = synced::<Secret>([]);
    let controller = Controller::new("test", &store).watches(&secrets, |secret: &Secret| {
        let names = [secret.name_any(), "missing".into()];
        names.map(|name| ObjectRef::new(&name).within("shop"))
    });
    let running = start(controller, note);
    pass(1).await;
    running.calls.clear();
    apply(&mut feed, &object("b", 1));
    pass(1).await;
    assert_eq!(running.calls.names(), ["b"]);
}

#[tokio::test(start_paused = true)]
async fn several_controllers_share_a_store() {
    let (store, mut feed) = synced::<ConfigMap>([object("a", 1)]);
    let one = start(Controller::new("one", &store), note);
    let two = start(Controller::new("two", &store), note);
    pass(1).await;
    apply(&mut feed, &object("a", 2));
    pass(1).await;
    assert_eq!(
        (one.calls.times("a").len(), two.calls.times("a").len()),
        (2, 2)
    );
}

#[tokio::test(start_paused = true)]
async fn no_more_objects_are_reconciled_at_once_than_there_are_workers() {
    let objects = (0..7).map(|number| object(&number.to_string(), 1));
    let (store, _feed) = synced::<ConfigMap>(objects);
    let running = start(Controller::new("test", &store).workers(3), work);
    pass(10_000).await;
    assert_eq!(running.calls.names().len(), 7);
    assert_eq!(*running.calls.most_at_once.lock().unwrap(), 3);
}

#[tokio::test(start_paused = true)]
async fn a_change_does_not_wait_for_all_objects_of_the_start() {
    let objects = (0..100).map(|number| object(&number.to_string(), 1));
    let (store, mut feed) = synced::<ConfigMap>(objects);
    let running = start(Controller::new("test", &store).workers(1), work);
    pass(10_100).await;
    apply(&mut feed, &object("new", 1));
    pass(2_000).await;
    let times = running.calls.times("new");
    assert!(matches!(times[..], [11_000..=12_100]), "{times:?}");
    pass(100_000).await;
    assert_eq!(running.calls.names().len(), 101);
}

#[tokio::test(start_paused = true)]
async fn an_object_that_changes_while_it_is_reconciled_is_reconciled_once_more_afterwards() {
    let (store, mut feed) = synced::<ConfigMap>([object("a", 1)]);
    let running = start(Controller::new("test", &store), work);
    pass(100).await;
    for version in 2..10 {
        apply(&mut feed, &object("a", version));
        pass(1).await;
    }
    pass(10_000).await;
    let times = running.calls.times("a");
    assert!(matches!(times[..], [0, 1000..=1010]), "{times:?}");
}

#[tokio::test(start_paused = true)]
async fn an_object_that_does_not_fit_its_type_is_not_reconciled_until_it_does() {
    let (store, mut feed) = synced::<ConfigMap>([object("a", 1)]);
    garble(&mut feed, &object::<ConfigMap>("a", 2));
    let running = start(Controller::new("test", &store), note);
    apply(&mut feed, &object("b", 1));
    pass(1).await;
    assert_eq!(running.calls.names(), ["b"]);
    apply(&mut feed, &object("a", 3));
    pass(1).await;
    assert_eq!(running.calls.names(), ["a", "b"]);
}

#[tokio::test(start_paused = true)]
async fn nothing_is_reconciled_before_all_stores_are_synced() {
    let (store, _feed) = synced::<ConfigMap>([object("a", 1)]);
    let (children, mut feed) = Store::<Secret>::fed([None], None);
    let running = start(Controller::new("test", &store).owns(&children), note);
    pass(60_000).await;
    assert!(running.calls.names().is_empty());
    list(&mut feed, []);
    pass(1).await;
    assert_eq!(running.calls.names(), ["a"]);
}
