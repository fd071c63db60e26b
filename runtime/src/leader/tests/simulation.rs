//! Randomized simulation: never two leaders. Three candidates crash, stop and restart over many minutes, with faulty links and a lease that is
//! deleted occasionally.
//!
//! A candidate that never observed the lease cannot distinguish a deleted lease from one that never existed. So the lease is not deleted then,
//! and no candidate starts until it exists again.
//!
//! Each seed is a deterministic case.

use std::sync::{Arc, Mutex};

use tokio::time::sleep_until;

use super::server::Network;
use super::*;

const SEEDS: u64 = 60;
const MINUTES: u64 = 6;

/// Linear congruential generator.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn time(&mut self, max: Duration) -> Duration {
        Duration::from_millis(self.below(u64::try_from(max.as_millis()).unwrap()))
    }

    fn network(&mut self) -> Network {
        match self.below(8) {
            0 => Network::Error(500),
            1 => Network::RequestsDropped,
            2 => Network::ResponsesDropped,
            3 | 4 => Network::Slow {
                request: self.time(Duration::from_secs(12)),
                response: self.time(Duration::from_secs(6)),
            },
            _ => Network::Healthy,
        }
    }
}

/// All candidates and statistics.
#[derive(Default)]
struct Stats {
    candidates: Vec<(String, Leadership)>,
    leaderships: u64,
    deletions: u64,
}

impl Stats {
    fn leaders(&self) -> Vec<&str> {
        let is_leader = |(_, leadership): &&(String, Leadership)| leadership.is_leader();
        let leaders = self.candidates.iter().filter(is_leader);
        leaders.map(|(name, _)| name.as_str()).collect()
    }
}

type Shared = Arc<Mutex<Stats>>;

/// Asserts that at max one candidate leads.
fn check(shared: &Shared, seed: u64) {
    let stats = shared.lock().unwrap();
    let leaders = stats.leaders();
    assert!(leaders.len() <= 1, "seed {seed}: {leaders:?} lead at once");
}

/// Runs one replica: each pod is stopped or loses the lease, then the next one starts.
async fn replica(server: Server, index: u64, link: Link, shared: Shared, seed: u64) {
    let mut random = Random(seed * 31 + index);
    for life in 0.. {
        while server.is_deleted() {
            sleep(Duration::from_millis(100)).await;
        }
        link.forget();
        let name = format!("{index}-{life}");
        let candidate = TestCandidate::start_with(&server, &name, link.clone());
        let mut leadership = candidate.leadership.clone();
        let entry = (name, leadership.clone());
        shared.lock().unwrap().candidates.push(entry);
        let stop = candidate.stop.clone();
        let lifetime = random.time(Duration::from_secs(200));
        tokio::spawn(async move {
            sleep(lifetime).await;
            stop.cancel();
        });
        let mut ended = std::pin::pin!(candidate.wait_until_ended());
        let mut has_led = false;
        let mut next_fault = Instant::now();
        loop {
            // Paused time does not advance before this check.
            tokio::select! {
                _ = &mut ended => break,
                () = leadership.acquired(), if !has_led => {
                    has_led = true;
                    shared.lock().unwrap().leaderships += 1;
                }
                () = sleep_until(next_fault) => {
                    next_fault += random.time(Duration::from_secs(20));
                    link.set(random.network());
                }
            }
            check(&shared, seed);
        }
        sleep(random.time(Duration::from_secs(5))).await;
    }
}

/// Deletes the lease occasionally.
async fn deletions(server: Server, links: [Link; 3], shared: Shared, seed: u64) {
    let mut random = Random(seed * 37);
    loop {
        sleep(random.time(Duration::from_secs(40))).await;
        if links.iter().all(Link::has_seen_lease) {
            server.delete();
            shared.lock().unwrap().deletions += 1;
        }
    }
}

/// Returns the number of acquisitions and deletions.
async fn case(seed: u64) -> (u64, u64) {
    let (server, shared) = (Server::default(), Shared::default());
    let links = [(); 3].map(|()| Link::default());
    let mut tasks = tokio::task::JoinSet::new();
    for (index, link) in (0..).zip(links.clone()) {
        tasks.spawn(replica(server.clone(), index, link, shared.clone(), seed));
    }
    tasks.spawn(deletions(server, links, shared.clone(), seed));
    tokio::select! {
        failed = tasks.join_next() => failed.unwrap().unwrap(),
        () = seconds(60 * MINUTES) => {}
    }
    let stats = shared.lock().unwrap();
    (stats.leaderships, stats.deletions)
}

#[test]
fn there_are_never_two_leaders() {
    let (mut leaderships, mut deletions) = (0, 0);
    for seed in 0..SEEDS {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_time().start_paused(true).build().unwrap();
        let (led, deleted) = runtime.block_on(case(seed));
        assert!(led > 0, "seed {seed}: nobody ever led");
        leaderships += led;
        deletions += deleted;
    }
    assert!(
        deletions > SEEDS * MINUTES / 2,
        "too few deletions: {deletions}"
    );
    assert!(
        leaderships > SEEDS * MINUTES / 2,
        "too few acquisitions: {leaderships}"
    );
}
