//! Acquiring the lease.

use k8s_openapi::api::coordination::v1::LeaseSpec;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::MicroTime;
use k8s_openapi::jiff::Timestamp;

use super::server::Network;
use super::*;

fn held_by_a(duration: i32, renewed: Timestamp) -> LeaseSpec {
    LeaseSpec {
        holder_identity: Some("a".to_owned()),
        lease_duration_seconds: Some(duration),
        lease_transitions: Some(4),
        renew_time: Some(MicroTime(renewed)),
        ..LeaseSpec::default()
    }
}

/// Returns how many seconds candidate b waits for a lease that is no longer renewed.
async fn seconds_to_acquire(spec: LeaseSpec) -> f64 {
    let server = Server::default();
    server.edit(|lease| lease.spec = Some(spec));
    let mut b = TestCandidate::start(&server, "b");
    let waited = b.wait_until_leading().await.as_secs_f64();
    assert_eq!(server.spec().lease_transitions, Some(5));
    waited
}

#[tokio::test(start_paused = true)]
async fn the_first_candidate_creates_the_lease() {
    let server = Server::default();
    let mut a = TestCandidate::start(&server, "a");
    assert_eq!(a.wait_until_leading().await, Duration::ZERO);
    let spec = server.spec();
    assert_eq!(spec.holder_identity.as_deref(), Some("a"));
    assert_eq!(
        (spec.lease_duration_seconds, spec.lease_transitions),
        (Some(15), Some(0))
    );
    assert!(spec.acquire_time.is_some() && spec.acquire_time == spec.renew_time);
    assert_eq!(server.requests(), ["GET", "POST"]);
}

#[tokio::test(start_paused = true)]
async fn a_candidate_takes_over_after_15_seconds_without_renewal() {
    let waited = seconds_to_acquire(held_by_a(15, Timestamp::now())).await;
    assert!((15.0..15.1).contains(&waited), "{waited}");
}

#[tokio::test(start_paused = true)]
async fn a_crashed_leader_is_replaced_within_20_seconds() {
    for lived in (0..40).map(|tenths| Duration::from_millis(10_000 + 100 * tenths)) {
        let server = Server::default();
        let mut a = TestCandidate::start(&server, "a");
        a.wait_until_leading().await;
        let mut b = TestCandidate::start(&server, &format!("b{lived:?}"));
        sleep(lived).await;
        a.election.abort();
        let waited = b.wait_until_leading().await;
        assert!(waited < Duration::from_secs(20), "{lived:?}: {waited:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_clock_of_the_holder_is_ignored() {
    for year in ["1990", "2190"] {
        let stamp: Timestamp = format!("{year}-01-01T00:00:00Z").parse().unwrap();
        let waited = seconds_to_acquire(held_by_a(15, stamp)).await;
        assert!((15.0..15.1).contains(&waited), "{year}: {waited}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_longer_lease_duration_is_respected() {
    let waited = seconds_to_acquire(held_by_a(60, Timestamp::now())).await;
    assert!((60.0..60.1).contains(&waited), "{waited}");
}

#[tokio::test(start_paused = true)]
async fn a_leader_that_renews_keeps_the_lease() {
    let server = Server::default();
    let mut a = TestCandidate::start(&server, "a");
    a.wait_until_leading().await;
    let acquired = server.spec();
    let b = TestCandidate::start(&server, "b");
    seconds(3600).await;
    assert!(a.leads() && !b.leads());
    let spec = server.spec();
    assert_eq!(
        (spec.lease_transitions, &spec.acquire_time),
        (Some(0), &acquired.acquire_time)
    );
    assert!(spec.renew_time > acquired.renew_time);
}

#[tokio::test(start_paused = true)]
async fn a_leader_renews_every_two_seconds_without_reading() {
    let server = Server::default();
    let mut a = TestCandidate::start(&server, "a");
    a.wait_until_leading().await;
    server.requests();
    sleep(Duration::from_millis(10_100)).await;
    assert_eq!(server.requests(), ["PUT"; 5]);
}

#[tokio::test(start_paused = true)]
async fn a_released_lease_is_acquired_quickly() {
    let server = Server::default();
    let mut a = TestCandidate::start(&server, "a");
    a.wait_until_leading().await;
    let mut b = TestCandidate::start(&server, "b");
    seconds(60).await;
    a.stop.cancel();
    let waited = b.wait_until_leading().await;
    assert!(waited < Duration::from_millis(4400), "{waited:?}");
    assert_eq!(
        (server.holder().as_str(), server.spec().lease_transitions),
        ("b", Some(1))
    );
    a.wait_until_ended().await.0.unwrap();
}

#[tokio::test(start_paused = true)]
async fn of_several_concurrent_candidates_one_leads() {
    let server = Server::default();
    let slow = Network::Slow {
        request: Duration::from_millis(50),
        response: Duration::from_millis(50),
    };
    let candidates = ["a", "b", "c"].map(|identity| {
        let link = Link::default();
        link.set(slow);
        TestCandidate::start_with(&server, identity, link)
    });
    seconds(60).await;
    assert_eq!(
        candidates
            .iter()
            .filter(|candidate| candidate.leads())
            .count(),
        1
    );
}

#[tokio::test(start_paused = true)]
async fn a_candidate_retries_while_the_server_is_unavailable() {
    let server = Server::default();
    let link = Link::default();
    link.set(Network::Error(403));
    let mut a = TestCandidate::start_with(&server, "a", link);
    seconds(100).await;
    assert!(!a.leads() && !a.election.is_finished());
    a.link.set(Network::RequestsDropped);
    seconds(100).await;
    a.link.set(Network::Healthy);
    // A request may be under way, and a wait follows it.
    assert!(a.wait_until_leading().await < Duration::from_millis(5000 + 4400));
}

/// The standby cannot tell that the lease was recreated and deleted again while it was disconnected.
#[tokio::test(start_paused = true)]
async fn a_recreated_lease_that_is_deleted_again_has_one_leader() {
    let server = Server::default();
    let mut first = TestCandidate::start(&server, "first");
    first.wait_until_leading().await;
    let mut second = TestCandidate::start(&server, "second");
    let standby = TestCandidate::start(&server, "standby");
    seconds(5).await;
    first.election.abort();
    server.delete();
    seconds(5).await;
    standby.link.set(Network::RequestsDropped);
    second.wait_until_leading().await;

    second.link.set(Network::RequestsDropped);
    server.delete();
    standby.link.set(Network::Healthy);
    let mut standby_led = false;
    for _ in 0..60 {
        seconds(1).await;
        assert!(!(second.leads() && standby.leads()), "two leaders");
        standby_led |= standby.leads();
    }
    assert!(standby_led);
}
