//! The record of an election: the spec of a Lease, as a leader writes and a candidate reads it.
//!
//! Its time stamps are for people who look at the Lease. Nothing is decided by them.

use std::time::Duration;

use k8s_openapi::api::coordination::v1::{Lease, LeaseSpec};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::MicroTime;
use k8s_openapi::jiff::Timestamp;

/// Who holds a lease, and for how long from when that was last seen to change.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Record(LeaseSpec);

impl Record {
    pub(super) fn of(lease: &Lease) -> Self {
        Self(lease.spec.clone().unwrap_or_default())
    }

    /// The first record of a lease, or the one after another's.
    pub(super) fn taken(
        by: &str,
        duration: Duration,
        previous: Option<&Self>,
        now: Timestamp,
    ) -> Self {
        let transitions = previous.map_or(0, |record| record.transitions().saturating_add(1));
        Self(LeaseSpec {
            holder_identity: Some(by.to_owned()),
            lease_duration_seconds: Some(i32::try_from(duration.as_secs()).unwrap_or(i32::MAX)),
            acquire_time: Some(MicroTime(now)),
            renew_time: Some(MicroTime(now)),
            lease_transitions: Some(transitions),
            ..LeaseSpec::default()
        })
    }

    /// The same holder, and seen to be there.
    pub(super) fn renewed(&self, duration: Duration, now: Timestamp) -> Self {
        let renewed = Self::taken(self.holder(), duration, None, now);
        Self(LeaseSpec {
            acquire_time: self.0.acquire_time.clone().or(renewed.0.acquire_time),
            lease_transitions: Some(self.transitions()),
            ..renewed.0
        })
    }

    /// Nobody's: the next candidate need not wait. A Lease cannot last less than a second.
    pub(super) fn released(&self, now: Timestamp) -> Self {
        let released = Self::taken("", Duration::from_secs(1), None, now);
        Self(LeaseSpec {
            lease_transitions: Some(self.transitions()),
            ..released.0
        })
    }

    /// Who holds it; empty if nobody does.
    pub(super) fn holder(&self) -> &str {
        self.0.holder_identity.as_deref().unwrap_or_default()
    }

    /// How long others must see it unchanged before they take it.
    pub(super) fn duration(&self) -> Option<Duration> {
        let seconds = self.0.lease_duration_seconds?;
        u64::try_from(seconds).ok().map(Duration::from_secs)
    }

    fn transitions(&self) -> i32 {
        self.0.lease_transitions.unwrap_or_default()
    }
}

impl From<Record> for LeaseSpec {
    fn from(record: Record) -> Self {
        record.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn seconds(time: Option<MicroTime>) -> i64 {
        time.unwrap().0.as_second()
    }

    const DURATION: Duration = Duration::from_secs(15);

    #[test]
    fn a_renewal_keeps_who_and_since_when() {
        let first = Record::taken("a", DURATION, None, at(1));
        let spec: LeaseSpec = first.renewed(DURATION, at(9)).into();
        assert_eq!(spec.holder_identity.as_deref(), Some("a"));
        assert_eq!(
            (spec.lease_transitions, spec.lease_duration_seconds),
            (Some(0), Some(15))
        );
        assert_eq!(
            (seconds(spec.acquire_time), seconds(spec.renew_time)),
            (1, 9)
        );
    }

    #[test]
    fn every_change_of_the_holder_is_counted() {
        let first = Record::taken("a", DURATION, None, at(1));
        let second = Record::taken("b", DURATION, Some(&first), at(30));
        let third = Record::taken("c", DURATION, Some(&second.released(at(40))), at(41));
        let spec: LeaseSpec = third.into();
        assert_eq!(
            (spec.lease_transitions, seconds(spec.acquire_time)),
            (Some(2), 41)
        );
    }

    #[test]
    fn a_released_record_is_nobodys() {
        let released = Record::taken("a", DURATION, None, at(1)).released(at(5));
        assert_eq!(
            (released.holder(), released.duration()),
            ("", Some(Duration::from_secs(1)))
        );
    }

    #[test]
    fn an_empty_lease_is_nobodys() {
        let record = Record::of(&Lease::default());
        assert_eq!((record.holder(), record.duration()), ("", None));
    }
}
