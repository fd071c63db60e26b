//! How leadership is lost, and what is no loss.

use super::server::Weather;
use super::*;
use crate::leader::moment::suspension::suspend;

async fn leader(server: &Server) -> Candidate {
    let mut a = Candidate::start(server, "a");
    a.led().await;
    a
}

/// Disturbs a leader that has just renewed, and says how it ended, and after how many seconds.
async fn lost_in(weather: Weather) -> (Lost, f64) {
    let server = Server::default();
    let a = leader(&server).await;
    sleep(Duration::from_millis(20_001)).await;
    a.link.set(weather);
    let (ended, after) = a.ended().await;
    assert_eq!(server.holder(), "a", "what is lost is not given back");
    (ended.unwrap_err(), after.as_secs_f64())
}

fn cause(lost: &Lost) -> String {
    let Lost::NotRenewed { cause, .. } = lost else {
        panic!("{lost}");
    };
    cause.as_ref().map(ToString::to_string).unwrap_or_default()
}

#[tokio::test(start_paused = true)]
async fn a_server_that_fails_for_ten_seconds_costs_the_leadership() {
    let (lost, after) = lost_in(Weather::Refused(500)).await;
    assert!((9.99..10.0).contains(&after), "{after}");
    assert_eq!(
        lost.to_string(),
        "the lease shop-system/shop could not be renewed within 10s, so this process leads no longer"
    );
    assert_eq!(
        cause(&lost),
        "get lease shop-system/shop: refused by the test (status 500)"
    );
}

#[tokio::test(start_paused = true)]
async fn a_server_that_hangs_costs_it_just_as_early() {
    for weather in [Weather::Lost, Weather::Unanswered] {
        let (lost, after) = lost_in(weather).await;
        assert!((9.99..10.0).contains(&after), "{weather:?}: {after}");
        assert_eq!(
            cause(&lost),
            "update lease shop-system/shop: no answer within 5s"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_renewal_counts_from_when_it_was_sent() {
    let server = Server::default();
    let a = leader(&server).await;
    a.link.set(Weather::Slow {
        there: Duration::ZERO,
        back: Duration::from_secs(4),
    });
    // The renewal of the second 2 is answered in the second 6.
    seconds(7).await;
    a.link.set(Weather::Lost);
    let (ended, after) = a.ended().await;
    ended.unwrap_err();
    assert_eq!(after.as_secs(), 2 + 10 - 7);
}

#[tokio::test(start_paused = true)]
async fn a_short_failure_is_no_loss() {
    for weather in [Weather::Refused(500), Weather::Lost, Weather::Unanswered] {
        let server = Server::default();
        let a = leader(&server).await;
        for _ in 0..10 {
            a.link.set(weather);
            seconds(4).await;
            a.link.set(Weather::Fine);
            seconds(10).await;
        }
        assert!(a.leads(), "{weather:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_conflict_is_no_loss() {
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
async fn a_lease_that_was_deleted_is_made_again() {
    let server = Server::default();
    let a = leader(&server).await;
    server.delete();
    seconds(3).await;
    assert!(a.leads());
    assert_eq!(server.holder(), "a");
}

#[tokio::test(start_paused = true)]
async fn a_lease_that_another_has_taken_is_lost_at_once() {
    let server = Server::default();
    let a = leader(&server).await;
    server.edit(|lease| lease.spec.as_mut().unwrap().holder_identity = Some("b".to_owned()));
    let (ended, after) = a.ended().await;
    assert!(matches!(ended, Err(Lost::Taken { holder, .. }) if holder == "b"));
    assert!(after <= Duration::from_millis(2001), "{after:?}");
    assert_eq!(server.holder(), "b");
}

#[tokio::test(start_paused = true)]
async fn an_election_that_is_dropped_leads_no_longer() {
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
