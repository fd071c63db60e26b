//! Stopping an election and releasing the lease.

use super::server::Network;
use super::*;

#[tokio::test(start_paused = true)]
async fn a_stopped_leader_releases_the_lease() {
    let server = Server::default();
    let mut a = TestCandidate::start(&server, "a");
    a.wait_until_leading().await;
    seconds(5).await;
    a.stop.cancel();
    let (ended, after) = a.wait_until_ended().await;
    ended.unwrap();
    assert_eq!(after, Duration::ZERO);
    let spec = server.spec();
    assert_eq!(spec.holder_identity.as_deref(), Some(""));
    assert_eq!(
        (spec.lease_duration_seconds, spec.lease_transitions),
        (Some(1), Some(0))
    );
}

#[tokio::test(start_paused = true)]
async fn a_stopped_standby_does_not_touch_the_lease() {
    let server = Server::default();
    let mut a = TestCandidate::start(&server, "a");
    a.wait_until_leading().await;
    let b = TestCandidate::start(&server, "b");
    seconds(5).await;
    b.stop.cancel();
    let (ended, after) = b.wait_until_ended().await;
    ended.unwrap();
    assert_eq!((after, server.holder().as_str()), (Duration::ZERO, "a"));
}

#[tokio::test(start_paused = true)]
async fn a_lease_held_by_another_is_not_released() {
    let server = Server::default();
    let mut a = TestCandidate::start(&server, "a");
    a.wait_until_leading().await;
    server.edit(|lease| lease.spec.as_mut().unwrap().holder_identity = Some("b".to_owned()));
    a.stop.cancel();
    a.wait_until_ended().await.0.unwrap();
    assert_eq!(server.holder(), "b");
}

#[tokio::test(start_paused = true)]
async fn a_candidate_stopped_while_acquiring_releases_the_lease() {
    let server = Server::default();
    let link = Link::default();
    link.set(Network::Slow {
        request: Duration::from_millis(100),
        response: Duration::from_millis(100),
    });
    let a = TestCandidate::start_with(&server, "a", link);
    // The lease is created, and the response is in flight.
    sleep(Duration::from_millis(350)).await;
    assert_eq!(server.holder(), "a");
    a.stop.cancel();
    a.wait_until_ended().await.0.unwrap();
    assert_eq!(server.holder(), "");
}

#[tokio::test(start_paused = true)]
async fn a_renewal_that_arrives_during_the_release_does_not_undo_it() {
    let server = Server::default();
    let mut a = TestCandidate::start(&server, "a");
    a.wait_until_leading().await;
    a.link.set(Network::Slow {
        request: Duration::from_millis(1500),
        response: Duration::ZERO,
    });
    // The renewal of the second 2 arrives at 3.5, after the release has read at 3.2 and before it writes at 4.
    sleep(Duration::from_millis(2500)).await;
    a.link.set(Network::Slow {
        request: Duration::from_millis(700),
        response: Duration::from_millis(100),
    });
    a.stop.cancel();
    a.wait_until_ended().await.0.unwrap();
    assert_eq!(server.holder(), "");
}

#[tokio::test(start_paused = true)]
async fn a_hanging_server_delays_the_end_by_one_timeout() {
    let server = Server::default();
    let mut a = TestCandidate::start(&server, "a");
    a.wait_until_leading().await;
    a.link.set(Network::RequestsDropped);
    a.stop.cancel();
    let (ended, after) = a.wait_until_ended().await;
    ended.unwrap();
    assert_eq!(after.as_secs(), 5);
}
