//! Never two leaders: three candidates that die, stop and come back, behind links that fail in all ways, and a lease that is deleted now and then, over
//! many minutes.
//!
//! A candidate that has never seen the lease cannot tell a deleted one from one that never was. So none is deleted then, and no candidate starts until
//! it is there again.
//!
//! Every seed is a case of its own, and always the same.

use std::sync::{Arc, Mutex};

use tokio::time::sleep_until;

use super::server::Weather;
use super::*;

const SEEDS: u64 = 24;
const MINUTES: u64 = 6;

/// Numbers that look random: a linear congruential generator.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn time(&mut self, most: Duration) -> Duration {
        Duration::from_millis(self.below(u64::try_from(most.as_millis()).unwrap()))
    }

    fn weather(&mut self) -> Weather {
        match self.below(8) {
            0 => Weather::Refused(500),
            1 => Weather::Lost,
            2 => Weather::Unanswered,
            3 | 4 => Weather::Slow {
                there: self.time(Duration::from_secs(12)),
                back: self.time(Duration::from_secs(6)),
            },
            _ => Weather::Fine,
        }
    }
}

/// Who leads in this moment.
#[derive(Default)]
struct Watch {
    candidates: Vec<(String, Leadership)>,
    leaderships: u64,
    deletions: u64,
}

impl Watch {
    fn leaders(&self) -> Vec<&str> {
        let held = |(_, leadership): &&(String, Leadership)| leadership.is_held();
        let leads = self.candidates.iter().filter(held);
        leads.map(|(name, _)| name.as_str()).collect()
    }
}

type Shared = Arc<Mutex<Watch>>;

/// Looks at all candidates.
fn look(shared: &Shared, seed: u64) {
    let watch = shared.lock().unwrap();
    let leaders = watch.leaders();
    assert!(leaders.len() <= 1, "seed {seed}: {leaders:?} lead at once");
}

/// One pod after another in one place: it is lost or stopped, and the next one starts.
async fn pods(server: Server, place: u64, link: Link, shared: Shared, seed: u64) {
    let mut dice = Dice(seed * 31 + place);
    for life in 0.. {
        while server.is_deleted() {
            sleep(Duration::from_millis(100)).await;
        }
        link.forget();
        let name = format!("{place}-{life}");
        let candidate = Candidate::start_with(&server, &name, link.clone());
        let mut leadership = candidate.leadership.clone();
        let watched = (name, leadership.clone());
        shared.lock().unwrap().candidates.push(watched);
        let stop = candidate.stop.clone();
        let lifetime = dice.time(Duration::from_secs(200));
        tokio::spawn(async move {
            sleep(lifetime).await;
            stop.cancel();
        });
        let mut ended = std::pin::pin!(candidate.ended());
        let mut has_led = false;
        let mut clears_up = Instant::now();
        loop {
            // Time does not move before this has looked.
            tokio::select! {
                _ = &mut ended => break,
                () = leadership.gained(), if !has_led => {
                    has_led = true;
                    shared.lock().unwrap().leaderships += 1;
                }
                () = sleep_until(clears_up) => {
                    clears_up += dice.time(Duration::from_secs(20));
                    link.set(dice.weather());
                }
            }
            look(&shared, seed);
        }
        sleep(dice.time(Duration::from_secs(5))).await;
    }
}

/// Deletes the lease now and then.
async fn deletions(server: Server, links: [Link; 3], shared: Shared, seed: u64) {
    let mut dice = Dice(seed * 37);
    loop {
        sleep(dice.time(Duration::from_secs(40))).await;
        if links.iter().all(Link::has_seen) {
            server.delete();
            shared.lock().unwrap().deletions += 1;
        }
    }
}

/// How often somebody became the leader, and how often the lease was deleted.
async fn case(seed: u64) -> (u64, u64) {
    let (server, shared) = (Server::default(), Shared::default());
    let links = [(); 3].map(|()| Link::default());
    let mut places = tokio::task::JoinSet::new();
    for (place, link) in (0..).zip(links.clone()) {
        places.spawn(pods(server.clone(), place, link, shared.clone(), seed));
    }
    places.spawn(deletions(server, links, shared.clone(), seed));
    tokio::select! {
        broken = places.join_next() => broken.unwrap().unwrap(),
        () = seconds(60 * MINUTES) => {}
    }
    let watch = shared.lock().unwrap();
    (watch.leaderships, watch.deletions)
}

#[test]
fn there_are_never_two_leaders() {
    let (mut leaderships, mut deletions) = (0, 0);
    for seed in 0..SEEDS {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_time().start_paused(true).build().unwrap();
        let (led, deleted) = runtime.block_on(case(seed));
        assert!(led > 1, "seed {seed}: the lease never changed hands");
        leaderships += led;
        deletions += deleted;
    }
    assert!(
        deletions > SEEDS * MINUTES / 2,
        "too few deletions: {deletions}"
    );
    assert!(
        leaderships > SEEDS * MINUTES / 2,
        "the weather was too bad to show anything: {leaderships}"
    );
}
