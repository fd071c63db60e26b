//! `/healthz` and `/readyz`.

use std::{
    future::ready,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use tokio_util::sync::CancellationToken;

use super::client::{listener, send_http};
use crate::server::{Probes, serve_probes};

#[tokio::test]
async fn serves_readiness_and_health_separately() {
    let (listener, address) = listener().await;
    let shutdown = CancellationToken::new();
    let probes = Probes::default();
    let task = tokio::spawn(serve_probes(listener, probes.clone(), shutdown.clone()));
    let send = async |path: &str| {
        let response = send_http(address, &format!("GET {path}")).await;
        (response.status, response.body)
    };
    assert_eq!(send("/readyz").await, (200, "ok".to_owned()));

    let synced = Arc::new(AtomicBool::new(false));
    let cache = Arc::clone(&synced);
    probes.add_ready_check("caches", move || {
        ready(
            cache
                .load(Ordering::Relaxed)
                .then_some(())
                .ok_or("caches not synced: Secret".to_owned()),
        )
    });
    assert_eq!(
        send("/readyz").await,
        (
            500,
            "[-]caches failed: reason withheld\nreadyz check failed\n".to_owned()
        )
    );
    assert_eq!(
        send("/readyz/caches").await,
        (
            500,
            "internal server error: caches not synced: Secret\n".to_owned()
        )
    );
    assert_eq!(send("/healthz").await, (200, "ok".to_owned()));
    assert_eq!(send("/healthz/caches").await.0, 404);

    synced.store(true, Ordering::Relaxed);
    assert_eq!(send("/readyz").await, (200, "ok".to_owned()));
    assert_eq!(
        send("/readyz?verbose").await,
        (200, "[+]caches ok\nreadyz check passed\n".to_owned())
    );
    assert_eq!(send("/readyz/caches").await, (200, "ok".to_owned()));
    assert_eq!(send("/").await.0, 404);

    shutdown.cancel();
    task.await.unwrap().unwrap();
}
