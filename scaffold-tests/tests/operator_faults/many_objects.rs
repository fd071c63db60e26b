//! Thousands of objects.

use std::time::Duration;

use tokio::time::Instant;

use crate::control_plane::{ControlPlane, within};

const OBJECTS: usize = 2000;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_thousand_new_objects_are_reconciled() {
    let Some(plane) = ControlPlane::new().await else {
        return;
    };
    let operator = plane.operator("operator", &[]).await;
    let objects = plane.app_services().await;
    let start = Instant::now();
    objects
        .create_many((0..OBJECTS).map(|number| format!("shop-{number}")))
        .await;
    let created = start.elapsed();
    within(Duration::from_secs(300), "all are reconciled", || {
        objects.are_converged(OBJECTS)
    })
    .await;
    assert!(operator.is_running());
    let memory = operator.peak_memory().await;
    eprintln!(
        "{OBJECTS} objects, created within {:.1} s, were reconciled after {:.1} s; peak memory of the operator (not optimized): {}",
        created.as_secs_f32(),
        start.elapsed().as_secs_f32(),
        memory.map_or("unknown".to_owned(), |memory| format!("{memory} MiB"))
    );
}
