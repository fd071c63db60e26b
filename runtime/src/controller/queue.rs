//! Which objects are to be reconciled, and when.
//!
//! It is client-go's work queue. An object waits once, however often it is asked for, and comes in the order in which it was asked for first;
//! those that have changed do not wait behind those that are merely there (see `lanes`). While it is reconciled it is not given to another
//! worker; what is asked for meanwhile comes afterwards. An object that is to be looked at later waits apart, and no longer when it is asked
//! for before.
//!
//! kube's scheduler takes whichever of those that wait, keeps each name three times, and does not say how many wait.

use std::{
    collections::BTreeSet,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use foldhash::HashMap;
use tokio::{
    sync::{Notify, Semaphore},
    time::{Instant, sleep_until},
};

use super::lanes::{Lane, Lanes};
use crate::{metrics::ControllerMetrics, store::ObjectKey};

/// See the module. When it is dropped, those that still wait are counted as dropped.
pub(super) struct Queue {
    state: Mutex<State>,
    /// A permit for each object that waits.
    waiting: Semaphore,
    /// Something is due earlier than all else.
    earlier: Notify,
    metrics: ControllerMetrics,
}

#[derive(Default)]
struct State {
    objects: HashMap<ObjectKey, Place>,
    /// Those that wait, in the order in which they are taken. One that has changed lanes stands in both.
    waiting: Lanes,
    /// Those that are due later, in that order.
    later: BTreeSet<(Instant, ObjectKey)>,
}

/// Where an object is.
#[derive(Clone, Copy)]
enum Place {
    Waiting { since: Instant, lane: Lane },
    UnderWay { again: bool },
    Later { at: Instant, lane: Lane },
}

/// An object that is to be reconciled now.
#[derive(Debug)]
pub(super) struct Taken {
    pub(super) name: ObjectKey,
    /// That in which it waited.
    pub(super) lane: Lane,
    pub(super) waited: Duration,
}

impl Queue {
    pub(super) fn new(metrics: ControllerMetrics) -> Self {
        Self {
            state: Mutex::default(),
            waiting: Semaphore::new(0),
            earlier: Notify::new(),
            metrics,
        }
    }

    /// An object is to be reconciled.
    pub(super) fn add(&self, name: ObjectKey, lane: Lane) {
        let is_new = self.state().add(name, lane);
        self.added(usize::from(is_new));
    }

    /// An object is to be reconciled after a delay, if nobody asks for it before.
    pub(super) fn add_after(&self, name: ObjectKey, lane: Lane, delay: Duration) {
        // What is beyond all time does not come.
        if let Some(at) = Instant::now().checked_add(delay)
            && self.state().add_at(name, lane, at)
        {
            self.earlier.notify_one();
        }
    }

    /// Lets objects wait that are due. It does not end.
    pub(super) async fn keep_time(&self) {
        loop {
            let next = self.state().later.first().map(|(at, _)| *at);
            let due = async {
                match next {
                    Some(at) => sleep_until(at).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                () = self.earlier.notified() => {}
                () = due => {
                    let due = self.state().all_due(Instant::now());
                    self.added(due);
                }
            }
        }
    }

    fn added(&self, count: usize) {
        for _ in 0..count {
            self.metrics.queued();
        }
        self.waiting.add_permits(count);
    }

    /// Waits for an object to reconcile. Say when it is [`done`](Self::done).
    pub(super) async fn next(&self) -> Taken {
        loop {
            match self.waiting.acquire().await {
                Ok(permit) => permit.forget(),
                // It is never closed.
                Err(_) => std::future::pending().await,
            }
            if let Some(taken) = self.state().take() {
                return taken;
            }
        }
    }

    /// An object that was taken is no longer reconciled.
    pub(super) fn done(&self, name: ObjectKey) {
        let again = self.state().done(&name);
        if again {
            self.add(name, Lane::Changed);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing panics while it is held.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Whether it now waits, and did not before.
    fn add(&mut self, name: ObjectKey, lane: Lane) -> bool {
        match self.objects.get_mut(&name) {
            Some(Place::Waiting { lane: before, .. }) => {
                if (*before, lane) == (Lane::Routine, Lane::Changed) {
                    *before = lane;
                    self.waiting.push(name, lane);
                }
                return false;
            }
            Some(Place::UnderWay { again }) => {
                *again = true;
                return false;
            }
            Some(Place::Later { at, .. }) => drop(self.later.remove(&(*at, name.clone()))),
            None => {}
        }
        let since = Instant::now();
        let place = Place::Waiting { since, lane };
        self.objects.insert(name.clone(), place);
        self.waiting.push(name, lane);
        true
    }

    /// Whether it is the first that is due.
    fn add_at(&mut self, name: ObjectKey, lane: Lane, at: Instant) -> bool {
        match self.objects.get(&name) {
            None => {}
            Some(Place::Later { at: before, .. }) if at < *before => {
                self.later.remove(&(*before, name.clone()));
            }
            Some(_) => return false,
        }
        self.objects.insert(name.clone(), Place::Later { at, lane });
        let is_first = self.later.first().is_none_or(|(first, _)| at < *first);
        self.later.insert((at, name));
        is_first
    }

    /// Lets all wait that are due. Says how many these are.
    fn all_due(&mut self, now: Instant) -> usize {
        let mut added = 0;
        while let Some((at, name)) = self.later.first().cloned()
            && at <= now
        {
            let lane = match self.objects.get(&name) {
                Some(Place::Later { lane, .. }) => *lane,
                _ => Lane::Routine,
            };
            added += usize::from(self.add(name, lane));
        }
        added
    }

    fn take(&mut self) -> Option<Taken> {
        let objects = &mut self.objects;
        let waits = |name: &ObjectKey, of: Lane| {
            let place = objects.get(name);
            matches!(place, Some(Place::Waiting { lane, .. }) if *lane == of)
        };
        let (name, lane) = self.waiting.pop(waits)?;
        let place = Place::UnderWay { again: false };
        let waited = match objects.insert(name.clone(), place) {
            Some(Place::Waiting { since, .. }) => since.elapsed(),
            _ => Duration::ZERO,
        };
        Some(Taken { name, lane, waited })
    }

    /// Whether it was asked for meanwhile.
    fn done(&mut self, name: &ObjectKey) -> bool {
        let place = self.objects.remove(name);
        matches!(place, Some(Place::UnderWay { again: true }))
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        let state = self.state();
        let places = state.objects.values();
        for _ in places.filter(|place| matches!(place, Place::Waiting { .. })) {
            self.metrics.dropped();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use futures::FutureExt;

    use super::*;

    fn queue() -> Arc<Queue> {
        let queue = Arc::new(Queue::new(ControllerMetrics::default()));
        let timed = Arc::clone(&queue);
        tokio::spawn(async move { timed.keep_time().await });
        queue
    }

    fn name(name: &str) -> ObjectKey {
        ObjectKey::new(None, name)
    }

    fn next(queue: &Queue) -> Option<String> {
        let taken = queue.next().now_or_never()?;
        Some(taken.name.to_string())
    }

    #[tokio::test(start_paused = true)]
    async fn objects_come_once_and_in_the_order_in_which_they_were_asked_for() {
        let queue = queue();
        for asked in ["c", "a", "c", "b", "a"] {
            queue.add(name(asked), Lane::Changed);
        }
        let taken: Vec<_> = std::iter::from_fn(|| next(&queue)).collect();
        assert_eq!(taken, ["c", "a", "b"]);
    }

    #[tokio::test(start_paused = true)]
    async fn changes_and_routine_are_taken_in_turn_and_who_changes_no_longer_waits_behind_others() {
        let queue = queue();
        for routine in ["r1", "r2", "r3", "r4"] {
            queue.add(name(routine), Lane::Routine);
        }
        // One that is new, and one that waits already: once, whatever is asked for afterwards.
        for changed in ["c1", "r3"] {
            queue.add(name(changed), Lane::Changed);
            queue.add(name(changed), Lane::Routine);
        }
        queue.add_after(name("r5"), Lane::Routine, Duration::from_secs(1));
        tokio::time::sleep(Duration::from_secs(2)).await;
        queue.add(name("c2"), Lane::Changed);
        queue.add_after(name("c3"), Lane::Changed, Duration::from_secs(1));
        tokio::time::sleep(Duration::from_secs(2)).await;
        let taken: Vec<_> = std::iter::from_fn(|| next(&queue)).collect();
        assert_eq!(taken, ["c1", "r1", "r3", "r2", "c2", "r4", "c3", "r5"]);
        // It was in both lanes, and waits anew.
        queue.done(name("r3"));
        queue.add(name("r3"), Lane::Routine);
        assert_eq!(next(&queue).as_deref(), Some("r3"));
        assert_eq!(next(&queue), None);
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_under_way_is_not_taken_before_it_is_done() {
        let queue = queue();
        queue.add(name("a"), Lane::Changed);
        assert_eq!(next(&queue).as_deref(), Some("a"));
        queue.add(name("a"), Lane::Changed);
        queue.add(name("a"), Lane::Changed);
        assert_eq!(next(&queue), None);
        queue.done(name("a"));
        assert_eq!(next(&queue).as_deref(), Some("a"));
        queue.done(name("a"));
        assert_eq!(next(&queue), None);
    }

    #[tokio::test(start_paused = true)]
    async fn of_several_times_the_first_counts_and_it_is_forgotten_when_it_is_asked_for_before() {
        let queue = queue();
        let seconds = Duration::from_secs;
        queue.add_after(name("a"), Lane::Routine, seconds(10));
        queue.add_after(name("a"), Lane::Routine, seconds(5));
        queue.add_after(name("a"), Lane::Routine, seconds(20));
        queue.add_after(name("b"), Lane::Routine, seconds(7));
        queue.add_after(name("never"), Lane::Routine, Duration::MAX);
        let start = Instant::now();
        assert_eq!(queue.next().await.name, name("a"));
        assert_eq!(start.elapsed(), seconds(5));
        queue.done(name("a"));
        queue.add(name("b"), Lane::Changed);
        assert_eq!(next(&queue).as_deref(), Some("b"));
        queue.done(name("b"));
        tokio::time::advance(seconds(3600)).await;
        assert_eq!(next(&queue), None);
    }

    #[tokio::test(start_paused = true)]
    async fn all_that_fall_due_at_once_find_all_workers() {
        let queue = queue();
        for number in 0..5 {
            queue.add_after(
                name(&number.to_string()),
                Lane::Routine,
                Duration::from_secs(1),
            );
        }
        let workers: Vec<_> = (0..5)
            .map(|_| {
                let queue = Arc::clone(&queue);
                tokio::spawn(async move { queue.next().await })
            })
            .collect();
        for worker in workers {
            let taken = tokio::time::timeout(Duration::from_secs(2), worker).await;
            taken.expect("a worker was not woken").unwrap();
        }
    }

    #[tokio::test(start_paused = true)]
    async fn what_falls_due_earlier_than_all_else_is_not_late() {
        let queue = queue();
        queue.add_after(name("late"), Lane::Routine, Duration::from_secs(3600));
        tokio::time::sleep(Duration::from_secs(1)).await;
        queue.add_after(name("early"), Lane::Routine, Duration::from_secs(1));
        let start = Instant::now();
        assert_eq!(queue.next().await.name, name("early"));
        assert_eq!(start.elapsed(), Duration::from_secs(1));
    }
}
