//! Election record: the spec of a Lease, as written by the leader and read by candidates.
//!
//! Its timestamps are informational only.

use std::time::Duration;

use k8s_openapi::api::coordination::v1::{Lease, LeaseSpec};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::MicroTime;
use k8s_openapi::jiff::Timestamp;

/// Holder of a lease and its duration; client-go's `LeaderElectionRecord`.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct ElectionRecord(LeaseSpec);

impl ElectionRecord {
    pub(super) fn from_lease(lease: &Lease) -> Self {
        Self(lease.spec.clone().unwrap_or_default())
    }

    /// Creates the record of a new holder.
    pub(super) fn acquired(
        holder: &str,
        duration: Duration,
        previous: Option<&Self>,
        now: Timestamp,
    ) -> Self {
        let transitions = previous.map_or(0, |record| record.transitions().saturating_add(1));
        Self(LeaseSpec {
            holder_identity: Some(holder.to_owned()),
            lease_duration_seconds: Some(i32::try_from(duration.as_secs()).unwrap_or(i32::MAX)),
            acquire_time: Some(MicroTime(now)),
            renew_time: Some(MicroTime(now)),
            lease_transitions: Some(transitions),
            ..LeaseSpec::default()
        })
    }

    /// Returns the record with a new renew time.
    pub(super) fn renewed(&self, duration: Duration, now: Timestamp) -> Self {
        let renewed = Self::acquired(self.holder(), duration, None, now);
        Self(LeaseSpec {
            acquire_time: self.0.acquire_time.clone().or(renewed.0.acquire_time),
            lease_transitions: Some(self.transitions()),
            ..renewed.0
        })
    }

    /// Returns the record without a holder, so that the next candidate need not wait. The minimum duration of a Lease is one second.
    pub(super) fn released(&self, now: Timestamp) -> Self {
        let released = Self::acquired("", Duration::from_secs(1), None, now);
        Self(LeaseSpec {
            lease_transitions: Some(self.transitions()),
            ..released.0
        })
    }

    /// Returns the holder, empty if there is none.
    pub(super) fn holder(&self) -> &str {
        self.0.holder_identity.as_deref().unwrap_or_default()
    }

    /// Returns how long others must observe the record unchanged before acquiring the lease.
    pub(super) fn duration(&self) -> Option<Duration> {
        let seconds = self.0.lease_duration_seconds?;
        u64::try_from(seconds).ok().map(Duration::from_secs)
    }

    fn transitions(&self) -> i32 {
        self.0.lease_transitions.unwrap_or_default()
    }
}

impl From<ElectionRecord> for LeaseSpec {
    fn from(record: ElectionRecord) -> Self {
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
    fn a_renewal_keeps_holder_and_acquire_time() {
        let first = ElectionRecord::acquired("a", DURATION, None, at(1));
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
    fn counts_transitions_between_holders() {
        let first = ElectionRecord::acquired("a", DURATION, None, at(1));
        let second = ElectionRecord::acquired("b", DURATION, Some(&first), at(30));
        let third = ElectionRecord::acquired("c", DURATION, Some(&second.released(at(40))), at(41));
        let spec: LeaseSpec = third.into();
        assert_eq!(
            (spec.lease_transitions, seconds(spec.acquire_time)),
            (Some(2), 41)
        );
    }

    #[test]
    fn a_released_record_has_no_holder() {
        let released = ElectionRecord::acquired("a", DURATION, None, at(1)).released(at(5));
        assert_eq!(
            (released.holder(), released.duration()),
            ("", Some(Duration::from_secs(1)))
        );
    }

    #[test]
    fn an_empty_lease_has_no_holder() {
        let record = ElectionRecord::from_lease(&Lease::default());
        assert_eq!((record.holder(), record.duration()), ("", None));
    }
}
