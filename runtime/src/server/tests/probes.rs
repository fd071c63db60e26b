//! `/healthz` and `/readyz`.

use std::{
    future::ready,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use tokio_util::sync::CancellationToken;

use super::client::{ask_clear, listener};
use crate::server::{Probes, serve_probes};

#[tokio::test]
async fn readiness_turns_from_500_to_200_and_health_is_another_matter() {
    let (listener, address) = listener().await;
    let shutdown = CancellationToken::new();
    let probes = Probes::default();
    let served = tokio::spawn(serve_probes(listener, probes.clone(), shutdown.clone()));
    let ask = async |path: &str| {
        let answer = ask_clear(address, &format!("GET {path}")).await;
        (answer.status, answer.body)
    };
    assert_eq!(ask("/readyz").await, (200, "ok".to_owned()));

    let synced = Arc::new(AtomicBool::new(false));
    let cache = Arc::clone(&synced);
    probes.add_ready_check("caches", move || {
        ready(
            cache
                .load(Ordering::Relaxed)
                .then_some(())
                .ok_or("Secrets are not listed yet".to_owned()),
        )
    });
    assert_eq!(
        ask("/readyz").await,
        (
            500,
            "[-]caches failed: reason withheld\nreadyz check failed\n".to_owned()
        )
    );
    assert_eq!(
        ask("/readyz/caches").await,
        (
            500,
            "internal server error: Secrets are not listed yet\n".to_owned()
        )
    );
    assert_eq!(ask("/healthz").await, (200, "ok".to_owned()));
    assert_eq!(ask("/healthz/caches").await.0, 404);

    synced.store(true, Ordering::Relaxed);
    assert_eq!(ask("/readyz").await, (200, "ok".to_owned()));
    assert_eq!(
        ask("/readyz?verbose").await,
        (200, "[+]caches ok\nreadyz check passed\n".to_owned())
    );
    assert_eq!(ask("/readyz/caches").await, (200, "ok".to_owned()));
    assert_eq!(ask("/").await.0, 404);

    shutdown.cancel();
    served.await.unwrap().unwrap();
}
