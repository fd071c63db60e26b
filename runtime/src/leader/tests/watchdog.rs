//! When the watchdog is armed, and what it does to a process.
//!
//! Its clock is that of the system, which does not stand still in these tests: their watchdogs only tell. The process that exits is this test program,
//! started once more.
#![allow(clippy::disallowed_methods, reason = "a process has to end")]

use std::{
    env, io,
    process::{Command, Output},
    sync::{Mutex, mpsc},
    thread,
};

use super::server::Weather;
use super::*;
use crate::leader::moment::Moment;
use crate::leader::watchdog::{EXIT_CODE, Watchdog, Watched, exit_process};

const MARGIN: Duration = Duration::from_millis(2500);

/// An elector with a watchdog that does nothing.
fn watched(server: &Server) -> (Elector, Watched, Link) {
    let link = Link::default();
    let config = Config {
        identity: "a".to_owned(),
        ..Config::new(server::NAME, Some(server::NAMESPACE.to_owned())).unwrap()
    };
    let elector = Elector::new(server.client(link.clone()), config).unwrap();
    let watchdog = Watchdog::start(|| {}).unwrap();
    let watched = watchdog.watched();
    (elector.watched(watchdog), watched, link)
}

/// How long from now until the process would be ended.
fn left(watchdog: &Watched) -> Option<Duration> {
    watchdog.deadline().map(Moment::left)
}

#[tokio::test(start_paused = true)]
async fn the_deadline_is_12_5_seconds_after_the_last_renewal_and_stays_when_leadership_is_lost() {
    let server = Server::default();
    let (elector, watchdog, link) = watched(&server);
    let mut leadership = elector.leadership();
    assert_eq!(left(&watchdog), None);
    let election = tokio::spawn(elector.run(CancellationToken::new()));
    leadership.gained().await;
    assert_eq!(left(&watchdog), Some(Duration::from_secs(10) + MARGIN));

    seconds(20).await;
    // It has renewed every two seconds.
    assert!(left(&watchdog) >= Some(Duration::from_millis(10_500)));

    link.set(Weather::Lost);
    election.await.unwrap().unwrap_err();
    assert_eq!(left(&watchdog), Some(MARGIN));
}

#[tokio::test(start_paused = true)]
async fn when_another_has_the_lease_the_process_must_end_soon() {
    let server = Server::default();
    let (elector, watchdog, _link) = watched(&server);
    let mut leadership = elector.leadership();
    let election = tokio::spawn(elector.run(CancellationToken::new()));
    leadership.gained().await;
    server.edit(|lease| lease.spec.as_mut().unwrap().holder_identity = Some("b".to_owned()));
    election.await.unwrap().unwrap_err();
    assert_eq!(left(&watchdog), Some(MARGIN));
}

#[tokio::test(start_paused = true)]
async fn it_stands_down_when_the_work_has_ended_and_not_when_the_election_is_dropped() {
    for work_ended in [true, false] {
        let server = Server::default();
        let (elector, watchdog, _link) = watched(&server);
        let mut leadership = elector.leadership();
        let stop = CancellationToken::new();
        let election = tokio::spawn(elector.run(stop.clone()));
        leadership.gained().await;
        if work_ended {
            stop.cancel();
            election.await.unwrap().unwrap();
        } else {
            election.abort();
            election.await.unwrap_err();
        }
        assert_eq!(left(&watchdog).is_none(), work_ended);
    }
}

#[test]
fn it_goes_off_at_the_deadline_and_not_after_it_stood_down() {
    let (sender, expired) = mpsc::channel();
    let start = |name: &'static str| {
        let sender = sender.clone();
        Watchdog::start(move || sender.send((name, Instant::now())).unwrap()).unwrap()
    };
    let now = Moment::now();
    let (prolonged, shortened, done, dropped) = (
        start("prolonged"),
        start("shortened"),
        start("done"),
        start("dropped"),
    );
    let soon = now + Duration::from_millis(50);
    let later = now + Duration::from_millis(100);
    prolonged.arm(soon);
    prolonged.arm(later);
    shortened.arm(now + Duration::from_secs(60));
    shortened.arm(soon);
    done.arm(soon);
    done.stand_down();
    dropped.arm(later);
    drop(dropped);
    drop(start("idle"));
    drop(sender);

    let mut expired: Vec<_> = expired.iter().collect();
    expired.sort_unstable();
    let names: Vec<_> = expired.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["dropped", "prolonged", "shortened"]);
    assert!(
        expired
            .iter()
            .all(|(name, at)| *at >= if *name == "shortened" { soon } else { later }.instant())
    );
}

/// Which part of the process the work holds up. The variable names the case for the process that exits.
const CASE: &str = "KB_TEST_WATCHDOG_CASE";

/// Runs this program again, up to the test below.
fn process(case: &str) -> Output {
    let itself = "leader::tests::watchdog::work_that_does_not_yield";
    Command::new(env::current_exe().unwrap())
        .args([itself, "--exact", "--nocapture"])
        .env(CASE, case)
        .output()
        .unwrap()
}

#[test]
fn a_process_whose_work_blocks_exits_with_a_message_whatever_the_work_holds() {
    for case in ["nothing", "log"] {
        let output = process(case);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(EXIT_CODE), "{case}: {said}");
        assert!(said.contains("lease about to expire"), "{case}: {said}");
    }
    let output = process("stderr");
    assert_eq!(output.status.code(), None, "it aborts: {output:?}");
}

/// The process that the test above starts; on its own it does nothing.
#[test]
fn work_that_does_not_yield() {
    static HELD: Mutex<()> = Mutex::new(());
    let Ok(case) = env::var(CASE) else {
        return;
    };
    let _log = HELD.lock();
    let _stderr = (case == "stderr").then(|| io::stderr().lock());
    let writer = move || {
        if case == "log" {
            drop(HELD.lock());
        }
        io::stderr()
    };
    tracing_subscriber::fmt().with_writer(writer).init();
    let watchdog = Watchdog::start(exit_process).unwrap();
    watchdog.arm(Moment::now() + Duration::from_millis(50));
    thread::sleep(Duration::from_secs(60));
}
