//! Elections against an in-memory API server, with paused time.

mod handover;
mod loss;
mod release;
mod server;
mod simulation;
mod watchdog;

use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use super::{Config, Elector, Leadership, LeadershipLost};
use server::{Link, Server};

/// A running candidate.
struct TestCandidate {
    link: Link,
    leadership: Leadership,
    stop: CancellationToken,
    election: JoinHandle<Result<(), LeadershipLost>>,
}

impl TestCandidate {
    fn start(server: &Server, identity: &str) -> Self {
        let link = Link::default();
        Self::start_with(server, identity, link)
    }

    fn start_with(server: &Server, identity: &str, link: Link) -> Self {
        let config = Config {
            identity: identity.to_owned(),
            ..Config::new(server::NAME, Some(server::NAMESPACE.to_owned())).unwrap()
        };
        let elector = Elector::new(server.client(link.clone()), config).unwrap();
        let stop = CancellationToken::new();
        Self {
            link,
            leadership: elector.leadership(),
            election: tokio::spawn(elector.run(stop.clone())),
            stop,
        }
    }

    fn leads(&self) -> bool {
        self.leadership.is_leader()
    }

    /// Waits for leadership and returns how long that took.
    async fn wait_until_leading(&mut self) -> Duration {
        let start = Instant::now();
        self.leadership.acquired().await;
        start.elapsed()
    }

    /// Waits for the end of the election and returns how long that took.
    async fn wait_until_ended(self) -> (Result<(), LeadershipLost>, Duration) {
        let start = Instant::now();
        let ended = self.election.await.unwrap();
        assert!(
            !self.leadership.is_leader(),
            "an election that has ended has no leader here"
        );
        (ended, start.elapsed())
    }
}

async fn seconds(seconds: u64) {
    sleep(Duration::from_secs(seconds)).await;
}
