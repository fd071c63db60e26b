//! What to do about the lease: pure, from what this process has seen and when it saw it.
//!
//! Time is this process's own monotonic clock. A record counts from the moment in which this process first saw it, whatever its
//! time stamps say. That a lease is gone is a change like any other: its holder may have renewed it just before, and works on.

use std::time::Duration;

use k8s_openapi::jiff::Timestamp;
use tokio::time::Instant;

use super::record::Record;

/// What a candidate has seen of the lease.
pub(super) struct View {
    identity: String,
    duration: Duration,
    seen: Option<Seen>,
}

struct Seen {
    /// The last record that was there.
    record: Record,
    is_deleted: bool,
    since: Instant,
}

/// What to do about the lease.
#[derive(Debug, PartialEq)]
pub(super) enum Decision {
    /// Write this: the lease is free, or run out, or ours.
    Write(Record),
    /// Leave it: it is held.
    Wait {
        /// By whom.
        holder: String,
    },
}

impl View {
    pub(super) fn new(identity: String, duration: Duration) -> Self {
        Self {
            identity,
            duration,
            seen: None,
        }
    }

    /// Who was last seen to hold the lease; empty if nobody does.
    pub(super) fn holder(&self) -> &str {
        self.seen.as_ref().map_or("", |seen| seen.record.holder())
    }

    /// When the lease runs out, if it does not change before.
    pub(super) fn runs_out(&self) -> Option<Instant> {
        self.seen.as_ref().map(|seen| self.end(seen))
    }

    /// We wrote this; the request left at `sent`.
    ///
    /// It counts from then, and not from the answer: others may have seen the record before we had the answer.
    pub(super) fn wrote(&mut self, record: Record, sent: Instant) {
        self.seen = Some(Seen {
            record,
            is_deleted: false,
            since: sent,
        });
    }

    /// What to write without looking first, if the lease is ours and not run out.
    pub(super) fn renewal(&self, now: Instant, wall: Timestamp) -> Option<Record> {
        let seen = self.seen.as_ref()?;
        let ours = self.is_ours(&seen.record) && self.is_valid(seen, now);
        ours.then(|| seen.record.renewed(self.duration, wall))
    }

    /// What to do about the record that was found at `now`; `wall` is for the time stamps.
    ///
    /// `now` is when the answer came: the record may have been written just before it.
    pub(super) fn decide(
        &mut self,
        found: Option<Record>,
        now: Instant,
        wall: Timestamp,
    ) -> Decision {
        let found = found.filter(|record| !self.is_late(record, now));
        let (record, is_deleted) = match (found, &self.seen) {
            (Some(record), _) => (record, false),
            (None, Some(seen)) => (seen.record.clone(), true),
            // As far as this process knows, there never was one.
            (None, None) => {
                let record = Record::taken(&self.identity, self.duration, None, wall);
                return Decision::Write(record);
            }
        };
        let unchanged = |seen: &&Seen| seen.record == record && seen.is_deleted == is_deleted;
        let since = self.seen.as_ref().filter(unchanged).map(|seen| seen.since);
        let seen = Seen {
            record,
            is_deleted,
            since: since.unwrap_or(now),
        };
        let decision = self.judge(&seen, now, wall);
        self.seen = Some(seen);
        decision
    }

    fn judge(&self, seen: &Seen, now: Instant, wall: Timestamp) -> Decision {
        let record = &seen.record;
        if self.is_ours(record) {
            // Ours without our knowing it: the answer to an earlier request was lost.
            Decision::Write(record.renewed(self.duration, wall))
        } else if Self::is_released(seen) || !self.is_valid(seen, now) {
            Decision::Write(Record::taken(
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

    fn is_ours(&self, record: &Record) -> bool {
        record.holder() == self.identity
    }

    /// A record of ours in place of another's that is still valid: that lease was deleted, and a request of ours arrived that we had given up.
    fn is_late(&self, record: &Record, now: Instant) -> bool {
        let held = |seen: &Seen| {
            !self.is_ours(&seen.record) && !Self::is_released(seen) && self.is_valid(seen, now)
        };
        self.is_ours(record) && self.seen.as_ref().is_some_and(held)
    }

    /// Of a deleted lease nobody knows who held it in the end.
    fn is_released(seen: &Seen) -> bool {
        seen.record.holder().is_empty() && !seen.is_deleted
    }

    fn is_valid(&self, seen: &Seen, now: Instant) -> bool {
        now < self.end(seen)
    }

    fn end(&self, seen: &Seen) -> Instant {
        let told = seen.record.duration();
        let duration = if seen.is_deleted {
            told.max(Some(self.duration))
        } else {
            told
        };
        seen.since + duration.unwrap_or(self.duration)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIFTEEN: Duration = Duration::from_secs(15);

    /// A wall clock that has nothing to do with the other one.
    const WALL: Timestamp = Timestamp::UNIX_EPOCH;

    fn view() -> View {
        View::new("b".to_owned(), FIFTEEN)
    }

    fn held_by(holder: &str) -> Record {
        Record::taken(holder, FIFTEEN, None, WALL)
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
    fn an_absent_lease_is_made() {
        let decision = view().decide(None, Instant::now(), WALL);
        assert_eq!(decision, Decision::Write(held_by("b")));
    }

    #[test]
    fn a_held_lease_is_taken_after_it_was_seen_unchanged_for_its_duration() {
        let (mut view, start) = (view(), Instant::now());
        let mut decide =
            |milliseconds| view.decide(Some(held_by("a")), after(start, milliseconds), WALL);
        assert_eq!(decide(0), waits_for("a"));
        assert_eq!(decide(14_999), waits_for("a"));
        let taken = Record::taken("b", FIFTEEN, Some(&held_by("a")), WALL);
        assert_eq!(decide(15_000), Decision::Write(taken));
    }

    #[test]
    fn every_change_starts_the_wait_again() {
        let (mut view, start) = (view(), Instant::now());
        let renewed = held_by("a").renewed(FIFTEEN, Timestamp::from_second(-1_000_000).unwrap());
        view.decide(Some(held_by("a")), start, WALL);
        assert_eq!(
            view.decide(Some(renewed.clone()), after(start, 10_000), WALL),
            waits_for("a")
        );
        assert_eq!(
            view.decide(Some(renewed.clone()), after(start, 24_999), WALL),
            waits_for("a")
        );
        assert_ne!(
            view.decide(Some(renewed), after(start, 25_000), WALL),
            waits_for("a")
        );
    }

    #[test]
    fn the_duration_in_the_record_counts_and_not_our_own() {
        let (mut view, start) = (view(), Instant::now());
        let long = Record::taken("a", Duration::from_secs(60), None, WALL);
        view.decide(Some(long.clone()), start, WALL);
        assert_eq!(
            view.decide(Some(long.clone()), after(start, 59_999), WALL),
            waits_for("a")
        );
        assert_ne!(
            view.decide(Some(long), after(start, 60_000), WALL),
            waits_for("a")
        );
    }

    #[test]
    fn a_released_lease_is_taken_at_once() {
        let released = held_by("a").released(WALL);
        let taken = Record::taken("b", FIFTEEN, Some(&released), WALL);
        assert_eq!(
            view().decide(Some(released), Instant::now(), WALL),
            Decision::Write(taken)
        );
    }

    #[test]
    fn a_deleted_lease_counts_as_held_for_its_duration_from_when_it_was_missed() {
        let (mut view, start) = (view(), Instant::now());
        view.decide(Some(held_by("a")), start, WALL);
        // The holder may have renewed it a moment before it was deleted.
        let mut decide = |milliseconds| view.decide(None, after(start, milliseconds), WALL);
        assert_eq!(decide(14_000), waits_for("a"));
        assert_eq!(decide(28_999), waits_for("a"));
        let taken = Record::taken("b", FIFTEEN, Some(&held_by("a")), WALL);
        assert_eq!(decide(29_000), Decision::Write(taken));
    }

    #[test]
    fn a_lease_that_was_deleted_after_its_release_may_have_had_another_holder() {
        let (mut view, start) = (view(), Instant::now());
        let renewed = held_by("b");
        view.wrote(renewed.clone(), start);
        view.decide(Some(renewed.released(WALL)), start, WALL);
        let mut decide = |milliseconds| view.decide(None, after(start, milliseconds), WALL);
        assert_eq!(decide(2000), waits_for(""));
        assert_ne!(decide(17_000), waits_for(""));
    }

    #[test]
    fn a_late_request_of_ours_does_not_end_the_term_of_another() {
        let (mut view, start) = (view(), Instant::now());
        view.decide(Some(held_by("a")), start, WALL);
        // The lease was deleted, and made by a request that we had given up.
        let mut decide =
            |milliseconds| view.decide(Some(held_by("b")), after(start, milliseconds), WALL);
        assert_eq!(decide(2000), waits_for("a"));
        assert_eq!(decide(16_999), waits_for("a"));
        assert_ne!(decide(17_000), waits_for("a"));
    }

    #[test]
    fn our_own_lease_is_made_again_at_once_when_it_was_deleted() {
        let (mut view, sent) = (view(), Instant::now());
        view.wrote(held_by("b"), sent);
        let decision = view.decide(None, after(sent, 2000), WALL);
        assert_eq!(decision, Decision::Write(held_by("b")));
    }

    #[test]
    fn our_own_lease_is_renewed_without_looking_until_it_has_run_out() {
        let (mut view, sent) = (view(), Instant::now());
        view.wrote(held_by("b"), sent);
        assert!(view.renewal(after(sent, 14_999), WALL).is_some());
        assert!(view.renewal(after(sent, 15_000), WALL).is_none());
    }

    #[test]
    fn the_lease_of_another_is_not_renewed() {
        let (mut view, now) = (view(), Instant::now());
        view.decide(Some(held_by("a")), now, WALL);
        assert_eq!(view.renewal(now, WALL), None);
        assert_eq!(view.holder(), "a");
    }

    #[test]
    fn a_lease_that_turns_out_to_be_ours_is_no_transition() {
        let decision = view().decide(Some(held_by("b")), Instant::now(), WALL);
        assert_eq!(decision, Decision::Write(held_by("b")));
    }
}
