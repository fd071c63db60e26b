//! An API server that goes away and comes back, again and again, while objects change.

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
    place::{Place, eventually},
};

const RESTARTS: usize = 10;
const OBJECTS: usize = 20;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_converge_and_none_is_lost_when_the_api_server_is_stopped_ten_times() {
    let Some(mut place) = Place::new().await else {
        return;
    };
    let operator = place.operator("operator", &[]).await;
    let objects = place.app_services().await;
    objects
        .create_many((0..OBJECTS).map(|number| format!("stays-{number}")))
        .await;
    // An operator that cannot connect when it starts ends: that is another matter.
    eventually("the operator works", || objects.are_settled(OBJECTS)).await;

    let stop = Arc::new(AtomicBool::new(false));
    let writer = tokio::spawn(change(objects.clone(), Arc::clone(&stop)));
    for _ in 0..RESTARTS {
        sleep(Duration::from_millis(1500)).await;
        place.environment.stop_api_server();
        sleep(Duration::from_millis(300)).await;
        place.environment.start_api_server().await.unwrap();
    }
    stop.store(true, Ordering::Relaxed);
    let changed = writer.await.unwrap();
    assert!(changed.images > RESTARTS, "{changed:?}");

    eventually("every object has what its spec asks for", || async {
        objects
            .unsettled()
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
    assert!(operator.runs());
    eprintln!(
        "{} changes, {} creations and {} deletions over {RESTARTS} restarts of the API server: all converged",
        changed.images,
        changed.created.len(),
        changed.deleted
    );
}

/// What was changed for certain: the API server said so.
#[derive(Debug, Default)]
struct Changed {
    images: usize,
    created: BTreeSet<String>,
    deleted: usize,
}

/// Changes, creates and deletes objects until it is told to stop, whether the API server is there or not.
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
            // Without an answer nobody knows whether it is there.
            changed.created.remove(&name);
            let delete = DeleteParams::default();
            changed.deleted += usize::from(objects.objects.delete(&name, &delete).await.is_ok());
        }
        sleep(Duration::from_millis(20)).await;
    }
    changed
}
