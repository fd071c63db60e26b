//! When a controller begins, and how it ends.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use k8s_openapi::api::core::v1::{ConfigMap, Secret};

use super::running::{Calls, note, pass, stand_by, start, work};
use crate::{
    controller::{Action, Controller, Error},
    leader::Moment,
    store::{
        Store,
        samples::{apply, object, synced},
    },
};

#[tokio::test(start_paused = true)]
async fn a_standby_does_nothing_until_it_leads() {
    let (store, mut feed) = synced::<ConfigMap>([object("a", 1)]);
    let running = stand_by(Controller::new("test", &store), note);
    for version in 2..100 {
        apply(&mut feed, &object("a", version));
        pass(1000).await;
    }
    assert!(running.calls.names().is_empty());
    running.lead();
    pass(1).await;
    assert_eq!(running.calls.names(), ["a"]);
}

#[tokio::test(start_paused = true)]
async fn who_no_longer_leads_aborts_its_work_and_waits_again() {
    let (store, mut feed) = synced::<ConfigMap>([object("a", 1)]);
    let finished = Arc::new(AtomicBool::new(false));
    let finish = Arc::clone(&finished);
    let running = start(
        Controller::new("test", &store),
        move |object: Arc<ConfigMap>, calls: Arc<Calls>| {
            let finish = Arc::clone(&finish);
            async move {
                calls.note(&*object);
                tokio::time::sleep(Duration::from_secs(1)).await;
                finish.store(true, Ordering::Relaxed);
                Ok::<_, Error>(Action::await_change())
            }
        },
    );
    pass(500).await;
    running.grant.withdraw();
    pass(1).await;
    apply(&mut feed, &object("a", 2));
    pass(60_000).await;
    assert_eq!(running.calls.names(), ["a"]);
    assert!(
        !finished.load(Ordering::Relaxed),
        "it went on though another may lead"
    );

    running.lead();
    pass(2000).await;
    assert!(finished.load(Ordering::Relaxed));
    assert!(!running.task.is_finished());
}

#[tokio::test(start_paused = true)]
async fn who_slept_past_the_end_of_its_term_does_nothing_before_the_loss_is_announced() {
    let (store, mut feed) = synced::<ConfigMap>([object("under-way", 1)]);
    let running = stand_by(Controller::new("test", &store).workers(2), work);
    running.grant.until(Moment::now() + Duration::from_secs(10));
    pass(500).await;
    assert_eq!(running.calls.names(), ["under-way"]);

    // All timers are late, those of the election too.
    tokio::time::advance(Duration::from_secs(20)).await;
    apply(&mut feed, &object("new", 1));
    pass(5000).await;
    assert_eq!(running.calls.names(), ["under-way"]);
    assert_eq!(*running.calls.under_way.lock().unwrap(), ["under-way"]);

    // It was renewed after all: the answer had been there.
    running.lead();
    pass(2000).await;
    assert_eq!(running.calls.names(), ["new", "under-way"]);
    assert!(running.calls.under_way.lock().unwrap().is_empty());
}

#[tokio::test(start_paused = true)]
async fn at_shutdown_what_is_under_way_is_finished_and_what_waits_is_dropped() {
    let (store, mut feed) =
        synced::<ConfigMap>((0..5).map(|number| object(&number.to_string(), 1)));
    let running = start(Controller::new("test", &store).workers(2), work);
    pass(500).await;
    running.shutdown.cancel();
    apply(&mut feed, &object("late", 1));
    pass(1).await;
    assert!(!running.task.is_finished());
    pass(600).await;
    assert!(running.task.is_finished());
    assert_eq!(running.calls.names().len(), 2);
    assert!(running.calls.under_way.lock().unwrap().is_empty());
}

#[tokio::test(start_paused = true)]
async fn at_shutdown_retries_are_not_waited_for() {
    let (store, _feed) = synced::<ConfigMap>([object("a", 1)]);
    let running = start(
        Controller::new("test", &store),
        async |_: Arc<ConfigMap>, _: Arc<Calls>| {
            Ok::<_, Error>(Action::requeue(Duration::from_secs(3600)))
        },
    );
    pass(1).await;
    running.shutdown.cancel();
    pass(1).await;
    assert!(running.task.is_finished());
}

#[tokio::test(start_paused = true)]
async fn a_controller_whose_stores_never_sync_ends_at_shutdown() {
    let (never, _feed) = Store::<ConfigMap>::fed([None], None);
    let (store, _synced) = synced::<ConfigMap>([object("a", 1)]);
    let (children, _children_feed) = Store::<Secret>::fed([None], None);
    let waits_for_itself = start(Controller::new("test", &never), note);
    let waits_for_children = start(Controller::new("test", &store).owns(&children), note);
    let waits_to_lead = stand_by(Controller::new("test", &store), note);
    for running in [waits_for_itself, waits_for_children, waits_to_lead] {
        pass(1000).await;
        running.shutdown.cancel();
        pass(1).await;
        assert!(running.task.is_finished());
    }
}

#[tokio::test(start_paused = true)]
async fn dropping_the_future_aborts_what_is_under_way() {
    let (store, _feed) = synced::<ConfigMap>([object("a", 1)]);
    let running = start(Controller::new("test", &store), work);
    pass(500).await;
    running.task.abort();
    pass(60_000).await;
    assert_eq!(
        *running.calls.under_way.lock().unwrap(),
        ["a"],
        "it never came to its end"
    );
}
