//! A slow etcd: it is suspended for most of each second.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use tokio::{task::JoinHandle, time::sleep};

use crate::{
    control_plane::{ControlPlane, NAMESPACE, eventually},
    process::send,
};

const OBJECTS: usize = 30;

/// How long etcd is suspended, and how long it runs then.
const SUSPENDED: Duration = Duration::from_millis(700);
const RUNNING: Duration = Duration::from_millis(150);

/// Slows a process down until `stop` is set.
fn slow_down(process: String, stop: Arc<AtomicBool>) -> JoinHandle<()> {
    tokio::spawn(async move {
        while !stop.load(Ordering::Relaxed) {
            send("STOP", &process);
            sleep(SUSPENDED).await;
            send("CONT", &process);
            sleep(RUNNING).await;
        }
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn objects_converge_and_the_leader_stays_while_etcd_is_slow() {
    let Some(plane) = ControlPlane::new().await else {
        return;
    };
    let lease = format!("--leader-election-namespace={NAMESPACE}");
    let flags = ["--leader-elect", lease.as_str()];
    let operator = plane.operator("operator", &flags).await;
    let objects = plane.app_services().await;
    eventually("the operator leads", || async {
        operator.has_acquired_lease()
    })
    .await;

    let etcd = plane.environment.pids()[0].to_string();
    let stop = Arc::<AtomicBool>::default();
    let slow = slow_down(etcd, Arc::clone(&stop));
    objects
        .create_many((0..OBJECTS).map(|number| format!("shop-{number}")))
        .await;
    eventually("all objects converge with a slow etcd", || {
        objects.are_converged(OBJECTS)
    })
    .await;
    stop.store(true, Ordering::Relaxed);
    slow.await.unwrap();
    assert!(operator.is_running());
    assert!(!operator.has_logged(&["leader election lost"]));
}
