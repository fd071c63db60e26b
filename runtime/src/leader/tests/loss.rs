//! Losing leadership, and failures that do not.

use super::server::Network;
use super::*;
use crate::leader::boot_time::suspension::suspend;

async fn leader(server: &Server) -> TestCandidate {
    let mut a = TestCandidate::start(server, "a");
    a.wait_until_leading().await;
    a
}

/// Disturbs the network of a leader that has just renewed. Returns the error and after how many seconds it occurred.
async fn lose_leadership(network: Network) -> (LeadershipLost, f64) {
    let server = Server::default();
    let a = leader(&server).await;
    sleep(Duration::from_millis(20_001)).await;
    a.link.set(network);
    let (ended, after) = a.wait_until_ended().await;
    assert_eq!(server.holder(), "a", "a lost lease must not be released");
    (ended.unwrap_err(), after.as_secs_f64())
}

fn cause(lost: &LeadershipLost) -> String {
    let LeadershipLost::NotRenewed { cause, .. } = lost else {
        panic!("{lost}");
    };
    cause.as_ref().map(ToString::to_string).unwrap_or_default()
}

#[tokio::test(start_paused = true)]
async fn errors_for_ten_seconds_cost_the_leadership() {
    let (lost, after) = lose_leadership(Network::Error(500)).await;
    assert!((9.99..10.0).contains(&after), "{after}");
    assert_eq!(
        lost.to_string(),
        "leader election lost: failed to renew lease shop-system/shop within 10s"
    );
    assert_eq!(
        cause(&lost),
        "failed to get lease shop-system/shop: injected error (status 500)"
    );
}

#[tokio::test(start_paused = true)]
async fn a_hanging_server_costs_the_leadership_just_as_early() {
    for network in [Network::RequestsDropped, Network::ResponsesDropped] {
        let (lost, after) = lose_leadership(network).await;
        assert!((9.99..10.0).contains(&after), "{network:?}: {after}");
        assert_eq!(
            cause(&lost),
            "failed to update lease shop-system/shop: timed out after 5s"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_renewal_counts_from_when_it_was_sent() {
    let server = Server::default();
    let a = leader(&server).await;
    a.link.set(Network::Slow {
        request: Duration::ZERO,
        response: Duration::from_secs(4),
    });
    // The renewal of the second 2 is answered in the second 6.
    seconds(7).await;
    a.link.set(Network::RequestsDropped);
    let (ended, after) = a.wait_until_ended().await;
    ended.unwrap_err();
    assert_eq!(after.as_secs(), 2 + 10 - 7);
}

#[tokio::test(start_paused = true)]
async fn leadership_survives_a_short_failure() {
    for network in [
        Network::Error(500),
        Network::RequestsDropped,
        Network::ResponsesDropped,
    ] {
        let server = Server::default();
        let a = leader(&server).await;
        for _ in 0..10 {
            a.link.set(network);
            seconds(4).await;
            a.link.set(Network::Healthy);
            seconds(10).await;
        }
        assert!(a.leads(), "{network:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn leadership_survives_a_conflict() {
    let server = Server::default();
    let a = leader(&server).await;
    server.requests();
    let labels = Some([("team".to_owned(), "shop".to_owned())].into());
    server.edit(|lease| lease.metadata.labels.clone_from(&labels));
    seconds(3).await;
    assert!(a.leads());
    assert_eq!(server.requests(), ["PUT", "GET", "PUT"]);
    server.edit(|lease| assert_eq!(lease.metadata.labels, labels));
}

#[tokio::test(start_paused = true)]
async fn recreates_a_deleted_lease() {
    let server = Server::default();
    let a = leader(&server).await;
    server.delete();
    seconds(3).await;
    assert!(a.leads());
    assert_eq!(server.holder(), "a");
}

#[tokio::test(start_paused = true)]
async fn leadership_is_lost_as_soon_as_another_holds_the_lease() {
    let server = Server::default();
    let a = leader(&server).await;
    server.edit(|lease| lease.spec.as_mut().unwrap().holder_identity = Some("b".to_owned()));
    let (ended, after) = a.wait_until_ended().await;
    assert!(matches!(ended, Err(LeadershipLost::Taken { holder, .. }) if holder == "b"));
    assert!(after <= Duration::from_millis(2001), "{after:?}");
    assert_eq!(server.holder(), "b");
}

#[tokio::test(start_paused = true)]
async fn dropping_the_election_ends_the_leadership() {
    let server = Server::default();
    let a = leader(&server).await;
    a.election.abort();
    seconds(1).await;
    assert!(!a.leads());
}

#[tokio::test(start_paused = true)]
async fn a_leader_that_was_suspended_waits_for_its_next_renewal() {
    let server = Server::default();
    let a = leader(&server).await;
    suspend(Duration::from_secs(9));
    assert!(a.leads());
    suspend(Duration::from_secs(1));
    assert!(!a.leads());
    seconds(3).await;
    assert!(a.leads(), "nobody has taken the lease");
}
