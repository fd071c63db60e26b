//! Start, leadership and shutdown of a controller.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use k8s_openapi::api::core::v1::{ConfigMap, Secret};

use super::harness::{Calls, record, sleep_ms, start, start_standby, work};
use crate::{
    controller::{Action, Controller, Error},
    leader::BootInstant,
    store::samples::{apply, object, synced, unsynced},
};

#[tokio::test(start_paused = true)]
async fn a_standby_reconciles_nothing_until_it_leads() {
    let (store, mut feed) = synced::<ConfigMap>([object("a", 1)]);
    let running = start_standby(Controller::new("test", &store), record);
    for version in 2..100 {
        apply(&mut feed, &object("a", version));
        sleep_ms(1000).await;
    }
    assert!(running.calls.names().is_empty());
    running.lead();
    sleep_ms(1).await;
    assert_eq!(running.calls.names(), ["a"]);
}

#[tokio::test(start_paused = true)]
async fn losing_leadership_aborts_reconciles_until_it_leads_again() {
    let (store, mut feed) = synced::<ConfigMap>([object("a", 1)]);
    let finished = Arc::new(AtomicBool::new(false));
    let finish = Arc::clone(&finished);
    let running = start(
        Controller::new("test", &store),
        move |object: Arc<ConfigMap>, calls: Arc<Calls>| {
            let finish = Arc::clone(&finish);
            async move {
                calls.record(&*object);
                tokio::time::sleep(Duration::from_secs(1)).await;
                finish.store(true, Ordering::Relaxed);
                Ok::<_, Error>(Action::await_change())
            }
        },
    );
    sleep_ms(500).await;
    running.sender.revoke();
    sleep_ms(1).await;
    apply(&mut feed, &object("a", 2));
    sleep_ms(60_000).await;
    assert_eq!(running.calls.names(), ["a"]);
    assert!(
        !finished.load(Ordering::Relaxed),
        "continued although another may lead"
    );

    running.lead();
    sleep_ms(2000).await;
    assert!(finished.load(Ordering::Relaxed));
    assert!(!running.task.is_finished());
}

#[tokio::test(start_paused = true)]
async fn a_process_that_slept_past_its_deadline_does_nothing_before_the_loss_is_announced() {
    let (store, mut feed) = synced::<ConfigMap>([object("running", 1)]);
    let running = start_standby(Controller::new("test", &store).concurrency(2), work);
    running
        .sender
        .lead_until(BootInstant::now() + Duration::from_secs(10));
    sleep_ms(500).await;
    assert_eq!(running.calls.names(), ["running"]);

    // All timers are late, including those of the election.
    tokio::time::advance(Duration::from_secs(20)).await;
    apply(&mut feed, &object("new", 1));
    sleep_ms(5000).await;
    assert_eq!(running.calls.names(), ["running"]);
    assert_eq!(*running.calls.in_flight.lock().unwrap(), ["running"]);

    // The renewal turns out to have succeeded.
    running.lead();
    sleep_ms(2000).await;
    assert_eq!(running.calls.names(), ["new", "running"]);
    assert!(running.calls.in_flight.lock().unwrap().is_empty());
}

#[tokio::test(start_paused = true)]
async fn shutdown_finishes_running_reconciles_and_drops_the_queue() {
    let (store, mut feed) =
        synced::<ConfigMap>((0..5).map(|number| object(&number.to_string(), 1)));
    let running = start(Controller::new("test", &store).concurrency(2), work);
    sleep_ms(500).await;
    running.shutdown.cancel();
    apply(&mut feed, &object("late", 1));
    sleep_ms(1).await;
    assert!(!running.task.is_finished());
    sleep_ms(600).await;
    assert!(running.task.is_finished());
    assert_eq!(running.calls.names().len(), 2);
    assert!(running.calls.in_flight.lock().unwrap().is_empty());
}

#[tokio::test(start_paused = true)]
async fn shutdown_does_not_wait_for_requeues() {
    let (store, _feed) = synced::<ConfigMap>([object("a", 1)]);
    let running = start(
        Controller::new("test", &store),
        async |_: Arc<ConfigMap>, _: Arc<Calls>| {
            Ok::<_, Error>(Action::requeue(Duration::from_secs(3600)))
        },
    );
    sleep_ms(1).await;
    running.shutdown.cancel();
    sleep_ms(1).await;
    assert!(running.task.is_finished());
}

#[tokio::test(start_paused = true)]
async fn a_controller_waiting_to_start_ends_at_shutdown() {
    let (never, _feed) = unsynced::<ConfigMap>();
    let (store, _synced) = synced::<ConfigMap>([object("a", 1)]);
    let (children, _children_feed) = unsynced::<Secret>();
    let waits_for_itself = start(Controller::new("test", &never), record);
    let waits_for_children = start(Controller::new("test", &store).owns(&children), record);
    let waits_to_lead = start_standby(Controller::new("test", &store), record);
    for running in [waits_for_itself, waits_for_children, waits_to_lead] {
        sleep_ms(1000).await;
        running.shutdown.cancel();
        sleep_ms(1).await;
        assert!(running.task.is_finished());
    }
}

#[tokio::test(start_paused = true)]
async fn dropping_the_future_aborts_running_reconciles() {
    let (store, _feed) = synced::<ConfigMap>([object("a", 1)]);
    let running = start(Controller::new("test", &store), work);
    sleep_ms(500).await;
    running.task.abort();
    sleep_ms(60_000).await;
    assert_eq!(
        *running.calls.in_flight.lock().unwrap(),
        ["a"],
        "must not finish"
    );
}
