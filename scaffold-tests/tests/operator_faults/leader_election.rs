//! Two replicas of the operator.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use serde_json::Value;
use tokio::{
    task::JoinHandle,
    time::{Instant, sleep},
};

use crate::{
    app_services::AppServices,
    control_plane::{ControlPlane, NAMESPACE, eventually, within},
    process::Process,
};

/// Timeout of a failover. The lease expires after 15 s and is retried every 2 s; a loaded machine needs more for the reconcile that follows,
/// and this test does not measure speed.
const FAILOVER: Duration = Duration::from_secs(90);

/// Starts two replicas. Returns the leader first.
async fn start_replicas(plane: &ControlPlane) -> [Process; 2] {
    let lease = format!("--leader-election-namespace={NAMESPACE}");
    let flags = [
        "--leader-elect",
        &lease,
        "--log-level=info,appservice=debug",
    ];
    let first = plane.operator("first", &flags).await;
    eventually("the first leads", || async { first.has_acquired_lease() }).await;
    let second = plane.operator("second", &flags).await;
    eventually("the second waits", || async { second.is_standby() }).await;
    [first, second]
}

/// Returns the timestamps of its reconciles in the log. They can be compared as strings.
fn reconciles(operator: &Process) -> Vec<String> {
    let log = operator.log();
    let lines = log.iter().filter(|line| line["message"] == "reconciling");
    let stamp = |line: &Value| line["timestamp"].as_str().unwrap().to_owned();
    lines.map(stamp).collect()
}

/// Changes an object continuously, so that the leader always reconciles.
fn keep_changing(objects: AppServices, stop: Arc<AtomicBool>) -> JoinHandle<()> {
    tokio::spawn(async move {
        for round in 0.. {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let image = format!("shop:{round}");
            objects.set_image("busy", &image).await.unwrap();
            sleep(Duration::from_millis(20)).await;
        }
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_standby_takes_over_when_the_leader_is_killed() {
    let Some(plane) = ControlPlane::new().await else {
        return;
    };
    let [leader, other] = start_replicas(&plane).await;
    let objects = plane.app_services().await;
    objects.create("busy", "shop:0").await.unwrap();
    let stop = Arc::<AtomicBool>::default();
    let changing = keep_changing(objects.clone(), Arc::clone(&stop));
    eventually("the leader works", || async {
        reconciles(&leader).len() > 20
    })
    .await;
    assert_eq!(reconciles(&other), Vec::<String>::new());

    leader.signal("KILL").await;
    let killed = Instant::now();
    objects.create("orphan", "shop:1").await.unwrap();
    within(FAILOVER, "the other reconciles", || async {
        let pending = objects.not_converged().await.unwrap();
        !pending.iter().any(|name| name == "orphan")
    })
    .await;
    let elapsed = killed.elapsed();
    stop.store(true, Ordering::Relaxed);
    changing.await.unwrap();
    eventually("all objects converge", || objects.are_converged(2)).await;

    let last = reconciles(&leader).pop();
    let first = reconciles(&other).into_iter().next();
    assert!(last < first, "both reconciled: {last:?}, {first:?}");
    eprintln!(
        "the standby took over {:.1} s after the leader was killed",
        elapsed.as_secs_f32()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_suspended_leader_exits_without_reconciling() {
    let Some(plane) = ControlPlane::new().await else {
        return;
    };
    let [leader, other] = start_replicas(&plane).await;
    let objects = plane.app_services().await;
    objects.create("busy", "shop:0").await.unwrap();
    let stop = Arc::<AtomicBool>::default();
    let changing = keep_changing(objects.clone(), Arc::clone(&stop));
    eventually("the leader works", || async {
        reconciles(&leader).len() > 20
    })
    .await;

    leader.signal("STOP").await;
    let before = reconciles(&leader).len();
    within(FAILOVER, "the other leads", || async {
        other.has_acquired_lease()
    })
    .await;
    eventually("the other works", || async {
        reconciles(&other).len() > 20
    })
    .await;
    leader.signal("CONT").await;
    within(Duration::from_secs(60), "it exits", || async {
        !leader.is_running()
    })
    .await;
    stop.store(true, Ordering::Relaxed);
    changing.await.unwrap();

    // The elector or the watchdog, whichever runs first.
    assert!(
        leader.has_logged(&["leader election lost"])
            || leader.has_logged(&["lease about to expire"])
    );
    assert_eq!(
        reconciles(&leader).len(),
        before,
        "it reconciled after it was resumed"
    );
    assert!(other.is_running());
    eventually("all objects converge", || objects.are_converged(1)).await;
}
