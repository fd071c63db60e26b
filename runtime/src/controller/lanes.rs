//! Those that wait, in two lanes that are taken in turn.
//!
//! When an operator starts, all objects wait, and again when those that it looks at every few minutes fall due together. What somebody changes
//! meanwhile does not wait behind thousands of them, and they do not wait until nothing changes any more. An object that changes is
//! reconciled soon after its own last reconcile, while it is still in use.

use std::collections::VecDeque;

use crate::store::ObjectKey;

/// Why an object waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Lane {
    /// It is there, or was to be looked at again.
    #[default]
    Routine,
    /// It has changed, or something that concerns it; and if that failed, its next attempt.
    Changed,
}

/// See the module. Each lane is first come, first served; who changed from one to the other, and waits in the first again, may have its old
/// place there.
#[derive(Debug, Default)]
pub(super) struct Lanes {
    routine: VecDeque<ObjectKey>,
    changed: VecDeque<ObjectKey>,
    /// The lane that was taken from.
    last: Lane,
}

impl Lanes {
    /// An object waits, behind all others of its lane.
    pub(super) fn push(&mut self, name: ObjectKey, lane: Lane) {
        self.lane(lane).push_back(name);
    }

    /// Takes an object, in turn from the lanes that have one. What no longer waits in its lane is passed over.
    pub(super) fn pop(
        &mut self,
        waits: impl Fn(&ObjectKey, Lane) -> bool,
    ) -> Option<(ObjectKey, Lane)> {
        let lanes = match self.last {
            Lane::Routine => [Lane::Changed, Lane::Routine],
            Lane::Changed => [Lane::Routine, Lane::Changed],
        };
        for lane in lanes {
            while let Some(name) = self.lane(lane).pop_front() {
                if waits(&name, lane) {
                    self.last = lane;
                    return Some((name, lane));
                }
            }
        }
        None
    }

    fn lane(&mut self, lane: Lane) -> &mut VecDeque<ObjectKey> {
        match lane {
            Lane::Routine => &mut self.routine,
            Lane::Changed => &mut self.changed,
        }
    }
}
