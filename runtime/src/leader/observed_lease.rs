//! Decides what to do about the lease from what this process observed and when. Pure logic.
//!
//! Time is the monotonic clock of this process. The duration of a record counts from when this process first observed it; its timestamps are
//! ignored. A deletion is a change like any other: the holder may have renewed just before, and still be active.

use std::time::Duration;

use k8s_openapi::jiff::Timestamp;
use tokio::time::Instant;

use super::election_record::ElectionRecord;

/// Last observed state of the lease.
pub(super) struct ObservedLease {
    identity: String,
    duration: Duration,
    last: Option<Observation>,
}

struct Observation {
    /// Last record before a deletion, if it is deleted.
    record: ElectionRecord,
    is_deleted: bool,
    since: Instant,
}

/// What to do about the lease.
#[derive(Debug, PartialEq)]
pub(super) enum Decision {
    /// Write this record: the lease is free, expired or ours.
    Write(ElectionRecord),
    /// Wait: the lease is held.
    Wait {
        /// Identity of the holder.
        holder: String,
    },
}

impl ObservedLease {
    pub(super) fn new(identity: String, duration: Duration) -> Self {
        Self {
            identity,
            duration,
            last: None,
        }
    }

    /// Returns the last observed holder, empty if there is none.
    pub(super) fn holder(&self) -> &str {
        self.last.as_ref().map_or("", |last| last.record.holder())
    }

    /// Returns whether the lease was ever observed.
    pub(super) fn is_known(&self) -> bool {
        self.last.is_some()
    }

    /// Returns when the lease expires unless it changes.
    pub(super) fn expires_at(&self) -> Option<Instant> {
        self.last.as_ref().map(|last| self.expiry(last))
    }

    /// Records our own write, which was sent at `sent`.
    ///
    /// The record counts from then rather than from the response: others may observe it before the response arrives.
    pub(super) fn record_write(&mut self, record: ElectionRecord, sent: Instant) {
        self.last = Some(Observation {
            record,
            is_deleted: false,
            since: sent,
        });
    }

    /// Returns the record for a renewal without reading first, if the lease is ours and has not expired.
    pub(super) fn renewal(&self, now: Instant, wall: Timestamp) -> Option<ElectionRecord> {
        let last = self.last.as_ref()?;
        let ours = self.is_ours(&last.record) && self.is_valid(last, now);
        ours.then(|| last.record.renewed(self.duration, wall))
    }

    /// Decides what to do about the record that was read at `now`, the time of the response. `wall` is for the timestamps.
    pub(super) fn decide(
        &mut self,
        read: Option<ElectionRecord>,
        now: Instant,
        wall: Timestamp,
    ) -> Decision {
        let read = read.filter(|record| !self.is_stale_write(record, now));
        let (record, is_deleted) = match (read, &self.last) {
            (Some(record), _) => (record, false),
            (None, Some(last)) => (last.record.clone(), true),
            // As far as this process knows, the lease never existed.
            (None, None) => {
                let record = ElectionRecord::acquired(&self.identity, self.duration, None, wall);
                return Decision::Write(record);
            }
        };
        let unchanged =
            |last: &&Observation| last.record == record && last.is_deleted == is_deleted;
        let since = self.last.as_ref().filter(unchanged).map(|last| last.since);
        let last = Observation {
            record,
            is_deleted,
            since: since.unwrap_or(now),
        };
        let decision = self.decide_from(&last, now, wall);
        self.last = Some(last);
        decision
    }

    fn decide_from(&self, last: &Observation, now: Instant, wall: Timestamp) -> Decision {
        let record = &last.record;
        if self.is_ours(record) {
            // The response to an earlier write was lost.
            Decision::Write(record.renewed(self.duration, wall))
        } else if Self::is_released(last) || !self.is_valid(last, now) {
            Decision::Write(ElectionRecord::acquired(
                &self.identity,
                self.duration,
                Some(record),
                wall,
            ))
        } else {
            Decision::Wait {
                holder: record.holder().to_owned(),
            }
        }
    }

    fn is_ours(&self, record: &ElectionRecord) -> bool {
        record.holder() == self.identity
    }

    /// Returns whether this is our record in place of another valid one: the lease was deleted, and a request that we had given up arrived late.
    fn is_stale_write(&self, record: &ElectionRecord, now: Instant) -> bool {
        let held = |last: &Observation| {
            !self.is_ours(&last.record) && !Self::is_released(last) && self.is_valid(last, now)
        };
        self.is_ours(record) && self.last.as_ref().is_some_and(held)
    }

    /// The last holder of a deleted lease is unknown.
    fn is_released(last: &Observation) -> bool {
        last.record.holder().is_empty() && !last.is_deleted
    }

    fn is_valid(&self, last: &Observation, now: Instant) -> bool {
        now < self.expiry(last)
    }

    fn expiry(&self, last: &Observation) -> Instant {
        let recorded = last.record.duration();
        let duration = if last.is_deleted {
            recorded.max(Some(self.duration))
        } else {
            recorded
        };
        last.since + duration.unwrap_or(self.duration)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIFTEEN: Duration = Duration::from_secs(15);

    /// Unrelated to the monotonic clock.
    const WALL: Timestamp = Timestamp::UNIX_EPOCH;

    fn observed() -> ObservedLease {
        ObservedLease::new("b".to_owned(), FIFTEEN)
    }

    fn held_by(holder: &str) -> ElectionRecord {
        ElectionRecord::acquired(holder, FIFTEEN, None, WALL)
    }

    fn waits_for(holder: &str) -> Decision {
        Decision::Wait {
            holder: holder.to_owned(),
        }
    }

    fn after(start: Instant, milliseconds: u64) -> Instant {
        start + Duration::from_millis(milliseconds)
    }

    #[test]
    fn creates_a_missing_lease() {
        let decision = observed().decide(None, Instant::now(), WALL);
        assert_eq!(decision, Decision::Write(held_by("b")));
    }

    #[test]
    fn acquires_a_held_lease_after_observing_it_unchanged_for_its_duration() {
        let (mut observed, start) = (observed(), Instant::now());
        let mut decide =
            |milliseconds| observed.decide(Some(held_by("a")), after(start, milliseconds), WALL);
        assert_eq!(decide(0), waits_for("a"));
        assert_eq!(decide(14_999), waits_for("a"));
        let taken = ElectionRecord::acquired("b", FIFTEEN, Some(&held_by("a")), WALL);
        assert_eq!(decide(15_000), Decision::Write(taken));
    }

    #[test]
    fn every_change_restarts_the_wait() {
        let (mut observed, start) = (observed(), Instant::now());
        let renewed = held_by("a").renewed(FIFTEEN, Timestamp::from_second(-1_000_000).unwrap());
        observed.decide(Some(held_by("a")), start, WALL);
        assert_eq!(
            observed.decide(Some(renewed.clone()), after(start, 10_000), WALL),
            waits_for("a")
        );
        assert_eq!(
            observed.decide(Some(renewed.clone()), after(start, 24_999), WALL),
            waits_for("a")
        );
        assert_ne!(
            observed.decide(Some(renewed), after(start, 25_000), WALL),
            waits_for("a")
        );
    }

    #[test]
    fn the_duration_of_the_record_applies() {
        let (mut observed, start) = (observed(), Instant::now());
        let long = ElectionRecord::acquired("a", Duration::from_secs(60), None, WALL);
        observed.decide(Some(long.clone()), start, WALL);
        assert_eq!(
            observed.decide(Some(long.clone()), after(start, 59_999), WALL),
            waits_for("a")
        );
        assert_ne!(
            observed.decide(Some(long), after(start, 60_000), WALL),
            waits_for("a")
        );
    }

    #[test]
    fn acquires_a_released_lease_immediately() {
        let released = held_by("a").released(WALL);
        let taken = ElectionRecord::acquired("b", FIFTEEN, Some(&released), WALL);
        assert_eq!(
            observed().decide(Some(released), Instant::now(), WALL),
            Decision::Write(taken)
        );
    }

    #[test]
    fn a_deleted_lease_counts_as_held_for_its_duration_after_the_deletion() {
        let (mut observed, start) = (observed(), Instant::now());
        observed.decide(Some(held_by("a")), start, WALL);
        // The holder may have renewed it just before the deletion.
        let mut decide = |milliseconds| observed.decide(None, after(start, milliseconds), WALL);
        assert_eq!(decide(14_000), waits_for("a"));
        assert_eq!(decide(28_999), waits_for("a"));
        let taken = ElectionRecord::acquired("b", FIFTEEN, Some(&held_by("a")), WALL);
        assert_eq!(decide(29_000), Decision::Write(taken));
    }

    #[test]
    fn a_lease_deleted_after_its_release_may_have_another_holder() {
        let (mut observed, start) = (observed(), Instant::now());
        let renewed = held_by("b");
        observed.record_write(renewed.clone(), start);
        observed.decide(Some(renewed.released(WALL)), start, WALL);
        let mut decide = |milliseconds| observed.decide(None, after(start, milliseconds), WALL);
        assert_eq!(decide(2000), waits_for(""));
        assert_ne!(decide(17_000), waits_for(""));
    }

    #[test]
    fn a_late_write_of_ours_does_not_end_the_term_of_another() {
        let (mut observed, start) = (observed(), Instant::now());
        observed.decide(Some(held_by("a")), start, WALL);
        // The lease was deleted, then created by a request that we had given up.
        let mut decide =
            |milliseconds| observed.decide(Some(held_by("b")), after(start, milliseconds), WALL);
        assert_eq!(decide(2000), waits_for("a"));
        assert_eq!(decide(16_999), waits_for("a"));
        assert_ne!(decide(17_000), waits_for("a"));
    }

    #[test]
    fn recreates_our_own_deleted_lease_immediately() {
        let (mut observed, sent) = (observed(), Instant::now());
        observed.record_write(held_by("b"), sent);
        let decision = observed.decide(None, after(sent, 2000), WALL);
        assert_eq!(decision, Decision::Write(held_by("b")));
    }

    #[test]
    fn renews_our_own_lease_without_reading_until_it_expires() {
        let (mut observed, sent) = (observed(), Instant::now());
        observed.record_write(held_by("b"), sent);
        assert!(observed.renewal(after(sent, 14_999), WALL).is_some());
        assert!(observed.renewal(after(sent, 15_000), WALL).is_none());
    }

    #[test]
    fn does_not_renew_the_lease_of_another() {
        let (mut observed, now) = (observed(), Instant::now());
        observed.decide(Some(held_by("a")), now, WALL);
        assert_eq!(observed.renewal(now, WALL), None);
        assert_eq!(observed.holder(), "a");
    }

    #[test]
    fn a_lease_that_turns_out_to_be_ours_is_no_transition() {
        let decision = observed().decide(Some(held_by("b")), Instant::now(), WALL);
        assert_eq!(decision, Decision::Write(held_by("b")));
    }
}
