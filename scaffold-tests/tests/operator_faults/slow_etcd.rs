//! An etcd that takes its time: it is stopped for most of each second.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use tokio::{task::JoinHandle, time::sleep};

use crate::{
    place::{NAMESPACE, Place, eventually},
    process::send,
};

const OBJECTS: usize = 30;

/// How long etcd does nothing, and how long it works then.
const STOPPED: Duration = Duration::from_millis(700);
const WORKS: Duration = Duration::from_millis(150);

/// Slows a process down until it is told to stop.
fn slowed(process: String, stop: Arc<AtomicBool>) -> JoinHandle<()> {
    tokio::spawn(async move {
        while !stop.load(Ordering::Relaxed) {
            send("STOP", &process);
            sleep(STOPPED).await;
            send("CONT", &process);
            sleep(WORKS).await;
        }
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_converge_and_the_leader_stays_while_etcd_is_slow() {
    let Some(place) = Place::new().await else {
        return;
    };
    let lease = format!("--leader-election-namespace={NAMESPACE}");
    let flags = ["--leader-elect", lease.as_str()];
    let operator = place.operator("operator", &flags).await;
    let objects = place.app_services().await;
    eventually("the operator leads", || async {
        operator.said(&["successfully acquired lease"])
    })
    .await;

    let etcd = place.environment.processes()[0].to_string();
    let stop = Arc::<AtomicBool>::default();
    let slow = slowed(etcd, Arc::clone(&stop));
    objects
        .create_many((0..OBJECTS).map(|number| format!("shop-{number}")))
        .await;
    eventually("all have converged with a slow etcd", || {
        objects.are_settled(OBJECTS)
    })
    .await;
    stop.store(true, Ordering::Relaxed);
    slow.await.unwrap();
    assert!(operator.runs());
    assert!(!operator.said(&["leader election lost"]));
}
