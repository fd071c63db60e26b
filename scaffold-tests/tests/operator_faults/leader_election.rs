//! Two copies of the operator, of which one leads.

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
    place::{NAMESPACE, Place, eventually, within},
    process::Process,
};

/// How long a leader may be missed.
const PATIENCE: Duration = Duration::from_secs(20);

/// Two copies, the leader first.
async fn two(place: &Place) -> [Process; 2] {
    let lease = format!("--leader-election-namespace={NAMESPACE}");
    let flags = [
        "--leader-elect",
        &lease,
        "--log-level=info,appservice=debug",
    ];
    let first = place.operator("first", &flags).await;
    eventually("the first leads", || async { leads(&first) }).await;
    let second = place.operator("second", &flags).await;
    eventually("the second waits", || async {
        second.said(&["new leader elected"])
    })
    .await;
    [first, second]
}

fn leads(operator: &Process) -> bool {
    operator.said(&["successfully acquired lease"])
}

/// When it reconciled: the time stamps of its log, which can be compared as texts.
fn reconciled(operator: &Process) -> Vec<String> {
    let log = operator.log();
    let lines = log.iter().filter(|line| line["message"] == "reconciling");
    let stamp = |line: &Value| line["timestamp"].as_str().unwrap().to_owned();
    lines.map(stamp).collect()
}

/// Changes an object all the time, so that a leader always has something to do.
fn changes(objects: AppServices, stop: Arc<AtomicBool>) -> JoinHandle<()> {
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
async fn when_the_leader_is_killed_the_other_takes_over_within_20_seconds() {
    let Some(place) = Place::new().await else {
        return;
    };
    let [leader, other] = two(&place).await;
    let objects = place.app_services().await;
    objects.create("busy", "shop:0").await.unwrap();
    let stop = Arc::<AtomicBool>::default();
    let changing = changes(objects.clone(), Arc::clone(&stop));
    eventually("the leader works", || async {
        reconciled(&leader).len() > 20
    })
    .await;
    assert_eq!(reconciled(&other), Vec::<String>::new());

    leader.signal("KILL").await;
    let killed = Instant::now();
    objects.create("orphan", "shop:1").await.unwrap();
    within(PATIENCE, "the other reconciles", || async {
        let unsettled = objects.unsettled().await.unwrap();
        !unsettled.iter().any(|name| name == "orphan")
    })
    .await;
    let taken_over = killed.elapsed();
    stop.store(true, Ordering::Relaxed);
    changing.await.unwrap();
    eventually("all is settled", || objects.are_settled(2)).await;

    let last = reconciled(&leader).pop();
    let first = reconciled(&other).into_iter().next();
    assert!(last < first, "both at once: {last:?}, {first:?}");
    eprintln!(
        "the other copy took over {:.1} s after the leader was killed",
        taken_over.as_secs_f32()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_leader_that_slept_too_long_ends_and_does_not_work_beside_the_next() {
    let Some(place) = Place::new().await else {
        return;
    };
    let [leader, other] = two(&place).await;
    let objects = place.app_services().await;
    objects.create("busy", "shop:0").await.unwrap();
    let stop = Arc::<AtomicBool>::default();
    let changing = changes(objects.clone(), Arc::clone(&stop));
    eventually("the leader works", || async {
        reconciled(&leader).len() > 20
    })
    .await;

    leader.signal("STOP").await;
    let before = reconciled(&leader).len();
    within(PATIENCE, "the other leads", || async { leads(&other) }).await;
    eventually("the other works", || async {
        reconciled(&other).len() > 20
    })
    .await;
    leader.signal("CONT").await;
    within(Duration::from_secs(10), "it ends", || async {
        !leader.runs()
    })
    .await;
    stop.store(true, Ordering::Relaxed);
    changing.await.unwrap();

    // Whichever of the elector and the watchdog wakes first.
    assert!(leader.said(&["leader election lost"]) || leader.said(&["lease about to expire"]));
    assert_eq!(
        reconciled(&leader).len(),
        before,
        "it reconciled after it had slept"
    );
    assert!(other.runs());
    eventually("all is settled", || objects.are_settled(1)).await;
}
