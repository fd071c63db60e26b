//! Work queue with client-go's semantics.
//!
//! An object is queued once, however often it is added, in the order of the first request. While it is processed it is not handed to another
//! worker; adding it marks it dirty, and it is queued again when done. A delayed object is queued when its delay has passed, or earlier if it
//! is added. Changed objects do not wait behind the initial list (see `fair_queue`).
//!
//! kube's scheduler guarantees no order, keeps each name three times and does not expose its depth.

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

use super::fair_queue::{FairQueue, Priority};
use crate::{metrics::ControllerMetrics, store::ObjectKey};

/// See the [module](self). Objects that are still queued when it is dropped are counted as dropped.
pub(super) struct WorkQueue {
    state: Mutex<State>,
    /// One permit per queued object.
    ready: Semaphore,
    /// Notified when the earliest deadline changes.
    timer_changed: Notify,
    metrics: ControllerMetrics,
}

#[derive(Default)]
struct State {
    objects: HashMap<ObjectKey, ItemState>,
    /// Queued objects. One whose priority was raised is listed at both.
    ready: FairQueue,
    /// Delayed objects by deadline.
    delayed: BTreeSet<(Instant, ObjectKey)>,
}

/// State of a known object.
#[derive(Clone, Copy)]
enum ItemState {
    Queued { since: Instant, priority: Priority },
    Processing { dirty: bool },
    Delayed { at: Instant, priority: Priority },
}

/// Object taken from the queue.
#[derive(Debug)]
pub(super) struct Item {
    pub(super) name: ObjectKey,
    /// Priority at which it was queued.
    pub(super) priority: Priority,
    pub(super) waited: Duration,
}

impl WorkQueue {
    pub(super) fn new(metrics: ControllerMetrics) -> Self {
        Self {
            state: Mutex::default(),
            ready: Semaphore::new(0),
            timer_changed: Notify::new(),
            metrics,
        }
    }

    /// Queues an object.
    pub(super) fn add(&self, name: ObjectKey, priority: Priority) {
        let is_new = self.state().add(name, priority);
        self.added(usize::from(is_new));
    }

    /// Queues an object after a delay, or earlier if it is added before.
    pub(super) fn add_after(&self, name: ObjectKey, priority: Priority, delay: Duration) {
        // A deadline beyond the range of `Instant` never comes.
        if let Some(at) = Instant::now().checked_add(delay)
            && self.state().add_at(name, priority, at)
        {
            self.timer_changed.notify_one();
        }
    }

    /// Queues delayed objects when they are due. Never returns.
    pub(super) async fn run_timer(&self) {
        loop {
            let next = self.state().delayed.first().map(|(at, _)| *at);
            let due = async {
                match next {
                    Some(at) => sleep_until(at).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                () = self.timer_changed.notified() => {}
                () = due => {
                    let due = self.state().promote_due(Instant::now());
                    self.added(due);
                }
            }
        }
    }

    fn added(&self, count: usize) {
        for _ in 0..count {
            self.metrics.queued();
        }
        self.ready.add_permits(count);
    }

    /// Waits for the next object. Call [`done`](Self::done) when it is processed.
    pub(super) async fn next(&self) -> Item {
        loop {
            match self.ready.acquire().await {
                Ok(permit) => permit.forget(),
                // The semaphore is never closed.
                Err(_) => std::future::pending().await,
            }
            if let Some(item) = self.state().take() {
                return item;
            }
        }
    }

    /// Finishes processing an object; queues it again if it was added meanwhile.
    pub(super) fn done(&self, name: ObjectKey) {
        let dirty = self.state().done(&name);
        if dirty {
            self.add(name, Priority::Normal);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing panics while the lock is held.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Returns whether the object is newly queued.
    fn add(&mut self, name: ObjectKey, priority: Priority) -> bool {
        match self.objects.get_mut(&name) {
            Some(ItemState::Queued {
                priority: before, ..
            }) => {
                if (*before, priority) == (Priority::Low, Priority::Normal) {
                    *before = priority;
                    self.ready.push(name, priority);
                }
                return false;
            }
            Some(ItemState::Processing { dirty }) => {
                *dirty = true;
                return false;
            }
            Some(ItemState::Delayed { at, .. }) => drop(self.delayed.remove(&(*at, name.clone()))),
            None => {}
        }
        let since = Instant::now();
        let state = ItemState::Queued { since, priority };
        self.objects.insert(name.clone(), state);
        self.ready.push(name, priority);
        true
    }

    /// Returns whether its deadline is the earliest.
    fn add_at(&mut self, name: ObjectKey, priority: Priority, at: Instant) -> bool {
        match self.objects.get(&name) {
            None => {}
            Some(ItemState::Delayed { at: before, .. }) if at < *before => {
                self.delayed.remove(&(*before, name.clone()));
            }
            Some(_) => return false,
        }
        self.objects
            .insert(name.clone(), ItemState::Delayed { at, priority });
        let is_first = self.delayed.first().is_none_or(|(first, _)| at < *first);
        self.delayed.insert((at, name));
        is_first
    }

    /// Queues all objects that are due and returns their number.
    fn promote_due(&mut self, now: Instant) -> usize {
        let mut added = 0;
        while let Some((at, name)) = self.delayed.first().cloned()
            && at <= now
        {
            let priority = match self.objects.get(&name) {
                Some(ItemState::Delayed { priority, .. }) => *priority,
                _ => Priority::Low,
            };
            added += usize::from(self.add(name, priority));
        }
        added
    }

    fn take(&mut self) -> Option<Item> {
        let objects = &mut self.objects;
        let is_queued = |name: &ObjectKey, of: Priority| {
            let state = objects.get(name);
            matches!(state, Some(ItemState::Queued { priority, .. }) if *priority == of)
        };
        let (name, priority) = self.ready.pop(is_queued)?;
        let state = ItemState::Processing { dirty: false };
        let waited = match objects.insert(name.clone(), state) {
            Some(ItemState::Queued { since, .. }) => since.elapsed(),
            _ => Duration::ZERO,
        };
        Some(Item {
            name,
            priority,
            waited,
        })
    }

    /// Returns whether the object was added while it was processed.
    fn done(&mut self, name: &ObjectKey) -> bool {
        let state = self.objects.remove(name);
        matches!(state, Some(ItemState::Processing { dirty: true }))
    }
}

impl Drop for WorkQueue {
    fn drop(&mut self) {
        let state = self.state();
        let states = state.objects.values();
        for _ in states.filter(|state| matches!(state, ItemState::Queued { .. })) {
            self.metrics.dropped();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use futures::FutureExt;

    use super::*;

    fn queue() -> Arc<WorkQueue> {
        let queue = Arc::new(WorkQueue::new(ControllerMetrics::default()));
        let timed = Arc::clone(&queue);
        tokio::spawn(async move { timed.run_timer().await });
        queue
    }

    fn name(name: &str) -> ObjectKey {
        ObjectKey::new(None, name)
    }

    fn next(queue: &WorkQueue) -> Option<String> {
        let taken = queue.next().now_or_never()?;
        Some(taken.name.to_string())
    }

    #[tokio::test(start_paused = true)]
    async fn yields_each_object_once_in_the_order_of_the_first_request() {
        let queue = queue();
        for added in ["c", "a", "c", "b", "a"] {
            queue.add(name(added), Priority::Normal);
        }
        let taken: Vec<_> = std::iter::from_fn(|| next(&queue)).collect();
        assert_eq!(taken, ["c", "a", "b"]);
    }

    #[tokio::test(start_paused = true)]
    async fn alternates_between_priorities_and_raises_the_priority_of_queued_objects() {
        let queue = queue();
        for low in ["l1", "l2", "l3", "l4"] {
            queue.add(name(low), Priority::Low);
        }
        // A new object and a queued one: yielded once, whatever is added afterwards.
        for normal in ["n1", "l3"] {
            queue.add(name(normal), Priority::Normal);
            queue.add(name(normal), Priority::Low);
        }
        queue.add_after(name("l5"), Priority::Low, Duration::from_secs(1));
        tokio::time::sleep(Duration::from_secs(2)).await;
        queue.add(name("n2"), Priority::Normal);
        queue.add_after(name("n3"), Priority::Normal, Duration::from_secs(1));
        tokio::time::sleep(Duration::from_secs(2)).await;
        let taken: Vec<_> = std::iter::from_fn(|| next(&queue)).collect();
        assert_eq!(taken, ["n1", "l1", "l3", "l2", "n2", "l4", "n3", "l5"]);
        // It was listed at both priorities.
        queue.done(name("l3"));
        queue.add(name("l3"), Priority::Low);
        assert_eq!(next(&queue).as_deref(), Some("l3"));
        assert_eq!(next(&queue), None);
    }

    #[tokio::test(start_paused = true)]
    async fn an_object_in_processing_is_yielded_again_only_when_done() {
        let queue = queue();
        queue.add(name("a"), Priority::Normal);
        assert_eq!(next(&queue).as_deref(), Some("a"));
        queue.add(name("a"), Priority::Normal);
        queue.add(name("a"), Priority::Normal);
        assert_eq!(next(&queue), None);
        queue.done(name("a"));
        assert_eq!(next(&queue).as_deref(), Some("a"));
        queue.done(name("a"));
        assert_eq!(next(&queue), None);
    }

    #[tokio::test(start_paused = true)]
    async fn the_earliest_delay_applies_and_an_immediate_request_replaces_it() {
        let queue = queue();
        let seconds = Duration::from_secs;
        queue.add_after(name("a"), Priority::Low, seconds(10));
        queue.add_after(name("a"), Priority::Low, seconds(5));
        queue.add_after(name("a"), Priority::Low, seconds(20));
        queue.add_after(name("b"), Priority::Low, seconds(7));
        queue.add_after(name("never"), Priority::Low, Duration::MAX);
        let start = Instant::now();
        assert_eq!(queue.next().await.name, name("a"));
        assert_eq!(start.elapsed(), seconds(5));
        queue.done(name("a"));
        queue.add(name("b"), Priority::Normal);
        assert_eq!(next(&queue).as_deref(), Some("b"));
        queue.done(name("b"));
        tokio::time::advance(seconds(3600)).await;
        assert_eq!(next(&queue), None);
    }

    #[tokio::test(start_paused = true)]
    async fn objects_that_are_due_together_wake_all_workers() {
        let queue = queue();
        for number in 0..5 {
            queue.add_after(
                name(&number.to_string()),
                Priority::Low,
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
            taken.expect("worker was not woken").unwrap();
        }
    }

    #[tokio::test(start_paused = true)]
    async fn an_earlier_deadline_resets_the_timer() {
        let queue = queue();
        queue.add_after(name("late"), Priority::Low, Duration::from_secs(3600));
        tokio::time::sleep(Duration::from_secs(1)).await;
        queue.add_after(name("early"), Priority::Low, Duration::from_secs(1));
        let start = Instant::now();
        assert_eq!(queue.next().await.name, name("early"));
        assert_eq!(start.elapsed(), Duration::from_secs(1));
    }
}
