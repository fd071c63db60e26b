//! When the watchdog is armed, and how it exits a process.
//!
//! It uses the system clock, which is not paused in these tests, so their watchdogs only report. The process that exits is this test program,
//! started again.
#![allow(clippy::disallowed_methods, reason = "a process has to end")]

use std::{
    env, io,
    process::{Command, Output},
    sync::{Mutex, mpsc},
    thread,
};

use super::server::Network;
use super::*;
use crate::leader::boot_time::BootInstant;
use crate::leader::watchdog::{EXIT_CODE, MESSAGE, Watchdog, WatchdogState, exit_process};

const MARGIN: Duration = Duration::from_millis(2500);

/// Creates an elector whose watchdog does nothing.
fn watched_elector(server: &Server) -> (Elector, WatchdogState, Link) {
    let link = Link::default();
    let config = Config {
        identity: "a".to_owned(),
        ..Config::new(server::NAME, Some(server::NAMESPACE.to_owned())).unwrap()
    };
    let elector = Elector::new(server.client(link.clone()), config).unwrap();
    let watchdog = Watchdog::start(|| {}).unwrap();
    let state = watchdog.test_state();
    (elector.with_watchdog(watchdog), state, link)
}

/// Returns the time until the process would exit.
fn remaining(watchdog: &WatchdogState) -> Option<Duration> {
    watchdog.deadline().map(BootInstant::remaining)
}

#[tokio::test(start_paused = true)]
async fn the_deadline_is_12_5_seconds_after_the_last_renewal_even_when_leadership_is_lost() {
    let server = Server::default();
    let (elector, watchdog, link) = watched_elector(&server);
    let mut leadership = elector.leadership();
    assert_eq!(remaining(&watchdog), None);
    let election = tokio::spawn(elector.run(CancellationToken::new()));
    leadership.acquired().await;
    assert_eq!(remaining(&watchdog), Some(Duration::from_secs(10) + MARGIN));

    seconds(20).await;
    // It has renewed every two seconds.
    assert!(remaining(&watchdog) >= Some(Duration::from_millis(10_500)));

    link.set(Network::RequestsDropped);
    election.await.unwrap().unwrap_err();
    assert_eq!(remaining(&watchdog), Some(MARGIN));
}

#[tokio::test(start_paused = true)]
async fn shortens_the_deadline_when_another_holds_the_lease() {
    let server = Server::default();
    let (elector, watchdog, _link) = watched_elector(&server);
    let mut leadership = elector.leadership();
    let election = tokio::spawn(elector.run(CancellationToken::new()));
    leadership.acquired().await;
    server.edit(|lease| lease.spec.as_mut().unwrap().holder_identity = Some("b".to_owned()));
    election.await.unwrap().unwrap_err();
    assert_eq!(remaining(&watchdog), Some(MARGIN));
}

#[tokio::test(start_paused = true)]
async fn is_disarmed_by_the_end_of_the_work_but_not_by_a_dropped_election() {
    for work_ended in [true, false] {
        let server = Server::default();
        let (elector, watchdog, _link) = watched_elector(&server);
        let mut leadership = elector.leadership();
        let stop = CancellationToken::new();
        let election = tokio::spawn(elector.run(stop.clone()));
        leadership.acquired().await;
        if work_ended {
            stop.cancel();
            election.await.unwrap().unwrap();
        } else {
            election.abort();
            election.await.unwrap_err();
        }
        assert_eq!(remaining(&watchdog).is_none(), work_ended);
    }
}

#[test]
fn fires_at_the_deadline_unless_disarmed() {
    let (sender, expired) = mpsc::channel();
    let start = |name: &'static str| {
        let sender = sender.clone();
        Watchdog::start(move || sender.send((name, Instant::now())).unwrap()).unwrap()
    };
    let now = BootInstant::now();
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
    done.disarm();
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

/// Environment variable with the lock that the blocking work holds.
const CASE: &str = "KB_TEST_WATCHDOG_CASE";

/// Runs the test below in a new process.
fn process(case: &str) -> Output {
    let test = "leader::tests::watchdog::blocking_work_process";
    Command::new(env::current_exe().unwrap())
        .args([test, "--exact", "--nocapture"])
        .env(CASE, case)
        .output()
        .unwrap()
}

#[test]
fn exits_with_a_message_whatever_lock_the_blocking_work_holds() {
    for case in ["nothing", "log"] {
        let output = process(case);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(EXIT_CODE), "{case}: {stderr}");
        assert!(stderr.contains(MESSAGE), "{case}: {stderr}");
    }
    let output = process("stderr");
    assert_eq!(output.status.code(), None, "must abort: {output:?}");
}

/// Process of the test above; does nothing on its own.
#[test]
fn blocking_work_process() {
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
    watchdog.arm(BootInstant::now() + Duration::from_millis(50));
    thread::sleep(Duration::from_secs(60));
}
