//! Restarts of the API server while objects change.

use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use kube::ResourceExt;
use kube::api::{DeleteParams, ListParams};
use tokio::time::sleep;

use crate::{
    app_services::AppServices,
    control_plane::{ControlPlane, eventually},
};

const RESTARTS: usize = 10;
const OBJECTS: usize = 20;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_objects_converge_after_ten_restarts_of_the_api_server() {
    let Some(mut plane) = ControlPlane::new().await else {
        return;
    };
    let operator = plane.operator("operator", &[]).await;
    let objects = plane.app_services().await;
    objects
        .create_many((0..OBJECTS).map(|number| format!("stays-{number}")))
        .await;
    // An operator that cannot connect at startup exits, which is not tested here.
    eventually("the operator works", || objects.are_converged(OBJECTS)).await;

    let stop = Arc::new(AtomicBool::new(false));
    let writer = tokio::spawn(change(objects.clone(), Arc::clone(&stop)));
    for _ in 0..RESTARTS {
        sleep(Duration::from_millis(1500)).await;
        plane.environment.stop_api_server();
        sleep(Duration::from_millis(300)).await;
        plane.environment.start_api_server().await.unwrap();
    }
    stop.store(true, Ordering::Relaxed);
    let changed = writer.await.unwrap();
    assert!(changed.images > RESTARTS, "{changed:?}");

    eventually("all objects converge", || async {
        objects
            .not_converged()
            .await
            .is_ok_and(|names| names.is_empty())
    })
    .await;
    let found = objects.objects.list(&ListParams::default()).await.unwrap();
    let found: BTreeSet<String> = found.iter().map(ResourceExt::name_any).collect();
    let stays = (0..OBJECTS).map(|number| format!("stays-{number}"));
    let lost: Vec<String> = stays
        .chain(changed.created.iter().cloned())
        .filter(|name| !found.contains(name))
        .collect();
    assert_eq!(lost, Vec::<String>::new(), "objects that were created");
    assert!(operator.is_running());
    eprintln!(
        "{} changes, {} creations and {} deletions over {RESTARTS} restarts of the API server",
        changed.images,
        changed.created.len(),
        changed.deleted
    );
}

/// Changes that the API server confirmed.
#[derive(Debug, Default)]
struct Changed {
    images: usize,
    created: BTreeSet<String>,
    deleted: usize,
}

/// Changes, creates and deletes objects until `stop` is set, and ignores errors.
async fn change(objects: AppServices, stop: Arc<AtomicBool>) -> Changed {
    let mut changed = Changed::default();
    for round in 0.. {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let name = format!("stays-{}", round % OBJECTS);
        if objects
            .set_image(&name, &format!("shop:{round}"))
            .await
            .is_ok()
        {
            changed.images += 1;
        }
        let name = format!("new-{round}");
        if round % 5 == 0 && objects.create(&name, "shop:new").await.is_ok() {
            changed.created.insert(name);
        }
        if round % 15 == 10
            && let Some(name) = changed.created.first().cloned()
        {
            // After an error it is unknown whether it exists.
            changed.created.remove(&name);
            let delete = DeleteParams::default();
            changed.deleted += usize::from(objects.objects.delete(&name, &delete).await.is_ok());
        }
        sleep(Duration::from_millis(20)).await;
    }
    changed
}
