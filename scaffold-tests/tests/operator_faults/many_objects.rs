//! Very many objects at once.

use std::time::Duration;

use tokio::time::Instant;

use crate::place::{Place, within};

const OBJECTS: usize = 2000;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_thousand_objects_that_are_created_at_once_are_all_reconciled() {
    let Some(place) = Place::new().await else {
        return;
    };
    let operator = place.operator("operator", &[]).await;
    let objects = place.app_services().await;
    let start = Instant::now();
    objects
        .create_many((0..OBJECTS).map(|number| format!("shop-{number}")))
        .await;
    let created = start.elapsed();
    within(Duration::from_secs(300), "all are reconciled", || {
        objects.are_settled(OBJECTS)
    })
    .await;
    assert!(operator.runs());
    let memory = operator.peak_memory().await;
    eprintln!(
        "{OBJECTS} objects, created within {:.1} s, were reconciled {:.1} s after the first; peak memory of the operator (not optimised): {}",
        created.as_secs_f32(),
        start.elapsed().as_secs_f32(),
        memory.map_or("not known".to_owned(), |memory| format!("{memory} MiB"))
    );
}
