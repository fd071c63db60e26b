//! How an election is stopped.

use super::server::Weather;
use super::*;

#[tokio::test(start_paused = true)]
async fn a_leader_that_is_stopped_gives_the_lease_back() {
    let server = Server::default();
    let mut a = Candidate::start(&server, "a");
    a.led().await;
    seconds(5).await;
    a.stop.cancel();
    let (ended, after) = a.ended().await;
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
async fn a_candidate_that_is_stopped_leaves_the_lease_alone() {
    let server = Server::default();
    let mut a = Candidate::start(&server, "a");
    a.led().await;
    let b = Candidate::start(&server, "b");
    seconds(5).await;
    b.stop.cancel();
    let (ended, after) = b.ended().await;
    ended.unwrap();
    assert_eq!((after, server.holder().as_str()), (Duration::ZERO, "a"));
}

#[tokio::test(start_paused = true)]
async fn what_another_holds_is_not_given_back() {
    let server = Server::default();
    let mut a = Candidate::start(&server, "a");
    a.led().await;
    server.edit(|lease| lease.spec.as_mut().unwrap().holder_identity = Some("b".to_owned()));
    a.stop.cancel();
    a.ended().await.0.unwrap();
    assert_eq!(server.holder(), "b");
}

#[tokio::test(start_paused = true)]
async fn a_candidate_that_is_stopped_while_it_takes_the_lease_gives_it_back() {
    let server = Server::default();
    let link = Link::default();
    link.set(Weather::Slow {
        there: Duration::from_millis(100),
        back: Duration::from_millis(100),
    });
    let a = Candidate::start_with(&server, "a", link);
    // The lease is made, and the answer is on its way.
    sleep(Duration::from_millis(350)).await;
    assert_eq!(server.holder(), "a");
    a.stop.cancel();
    a.ended().await.0.unwrap();
    assert_eq!(server.holder(), "");
}

#[tokio::test(start_paused = true)]
async fn a_renewal_that_arrives_during_the_release_does_not_undo_it() {
    let server = Server::default();
    let mut a = Candidate::start(&server, "a");
    a.led().await;
    a.link.set(Weather::Slow {
        there: Duration::from_millis(1500),
        back: Duration::ZERO,
    });
    // The renewal of the second 2 arrives at 3.5, after the release has read at 3.2 and before it writes at 4.
    sleep(Duration::from_millis(2500)).await;
    a.link.set(Weather::Slow {
        there: Duration::from_millis(700),
        back: Duration::from_millis(100),
    });
    a.stop.cancel();
    a.ended().await.0.unwrap();
    assert_eq!(server.holder(), "");
}

#[tokio::test(start_paused = true)]
async fn a_server_that_hangs_does_not_hold_the_end_up_for_long() {
    let server = Server::default();
    let mut a = Candidate::start(&server, "a");
    a.led().await;
    a.link.set(Weather::Lost);
    a.stop.cancel();
    let (ended, after) = a.ended().await;
    ended.unwrap();
    assert_eq!(after.as_secs(), 5);
}
