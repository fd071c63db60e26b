//! FIFO queue with two priorities that are served in turn.
//!
//! On startup, and whenever periodic requeues fall due together, thousands of objects are queued at low priority. Changed objects do not
//! wait behind them, and they do not starve while others change.

use std::collections::VecDeque;

use crate::store::ObjectKey;

/// Priority of a queued object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Priority {
    /// Initial list or periodic requeue.
    #[default]
    Low,
    /// Change of the object or of a related one, including its retries.
    Normal,
}

/// First in, first out for each priority. An object whose priority was raised remains in the lower queue as well, until it is popped there and
/// skipped.
#[derive(Debug, Default)]
pub(super) struct FairQueue {
    low: VecDeque<ObjectKey>,
    normal: VecDeque<ObjectKey>,
    /// Priority of the last object taken.
    last: Priority,
}

impl FairQueue {
    /// Appends an object to the queue of its priority.
    pub(super) fn push(&mut self, name: ObjectKey, priority: Priority) {
        self.queue(priority).push_back(name);
    }

    /// Takes the next object, alternating between the priorities. Objects that are no longer queued at this priority are skipped.
    pub(super) fn pop(
        &mut self,
        is_queued: impl Fn(&ObjectKey, Priority) -> bool,
    ) -> Option<(ObjectKey, Priority)> {
        let priorities = match self.last {
            Priority::Low => [Priority::Normal, Priority::Low],
            Priority::Normal => [Priority::Low, Priority::Normal],
        };
        for priority in priorities {
            while let Some(name) = self.queue(priority).pop_front() {
                if is_queued(&name, priority) {
                    self.last = priority;
                    return Some((name, priority));
                }
            }
        }
        None
    }

    fn queue(&mut self, priority: Priority) -> &mut VecDeque<ObjectKey> {
        match priority {
            Priority::Low => &mut self.low,
            Priority::Normal => &mut self.normal,
        }
    }
}
