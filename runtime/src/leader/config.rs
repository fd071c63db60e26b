//! What is elected on, by whom, and how patient everybody is.

use std::path::PathBuf;
use std::time::Duration;

use super::jitter;
use super::pod;

/// The lease, who asks for it, and the times.
///
/// The times are client-go's; all candidates should have the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// The name of the Lease. All copies of one operator share it, and nobody else does.
    pub lease: String,
    /// The namespace of the Lease.
    pub namespace: String,
    /// The name of this candidate. No other may have it.
    pub identity: String,
    /// How long a candidate must see the lease unchanged before it takes it: 15 s. A Lease holds whole seconds.
    pub lease_duration: Duration,
    /// How long the leader goes on without having renewed: 10 s.
    pub renew_deadline: Duration,
    /// How long to wait between two tries: 2 s. Candidates wait up to 2.2 times as long, so that they do not all ask at once, but
    /// ask as soon as the lease runs out.
    pub retry_period: Duration,
}

/// Why there can be no election.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The settings do not fit each other; all that is wrong.
    #[error("leader election cannot work like this: {}", .0.join("; "))]
    Invalid(Vec<String>),
    /// No namespace is given, and the pod does not say its own.
    #[error(
        "the namespace of the leader election is not known, because this does not run in a pod ({} cannot be read: {problem}): give \
         --leader-election-namespace",
        path.display()
    )]
    NoNamespace {
        /// Where a pod finds its namespace.
        path: PathBuf,
        /// What is wrong with that file.
        problem: String,
    },
}

impl Config {
    /// An election on this lease with client-go's times, in this namespace or, without one, in that of the pod.
    ///
    /// The identity is the host's name with a random id, so that a restarted container is a new candidate.
    pub fn new(lease: impl Into<String>, namespace: Option<String>) -> Result<Self, ConfigError> {
        let namespace = match namespace {
            Some(namespace) => namespace,
            None => pod::namespace()?,
        };
        Ok(Self {
            lease: lease.into(),
            namespace,
            identity: pod::identity(),
            lease_duration: Duration::from_secs(15),
            renew_deadline: Duration::from_secs(10),
            retry_period: Duration::from_secs(2),
        })
    }

    pub(super) fn check(&self) -> Result<(), ConfigError> {
        let mut problems = Vec::new();
        let names = [
            ("the name of the lease", &self.lease),
            ("the namespace", &self.namespace),
            ("the identity", &self.identity),
        ];
        for (what, value) in names {
            if value.is_empty() {
                problems.push(format!("{what} is empty"));
            }
        }
        if self.retry_period.is_zero() {
            problems.push("the retry period must be longer than nothing".to_owned());
        }
        let longest_retry = self.retry_period.mul_f64(jitter::FACTOR);
        if self.renew_deadline <= longest_retry {
            problems.push(format!(
                "the renew deadline ({:?}) must be longer than the retry period with its jitter ({longest_retry:?})",
                self.renew_deadline
            ));
        }
        let told = self.told_duration();
        if told <= self.renew_deadline {
            problems.push(format!(
                "the lease duration ({told:?}) must be longer than the renew deadline ({:?})",
                self.renew_deadline
            ));
        }
        if problems.is_empty() {
            Ok(())
        } else {
            Err(ConfigError::Invalid(problems))
        }
    }

    /// What the record says is what the others wait, so a fraction of a second does not count.
    fn told_duration(&self) -> Duration {
        Duration::from_secs(self.lease_duration.as_secs())
    }

    /// How long a process that leads no longer may take to end: half of what is left of the lease after the renew deadline. The other half is for the
    /// watchdog.
    pub(super) fn exit_margin(&self) -> Duration {
        self.told_duration().saturating_sub(self.renew_deadline) / 2
    }

    /// How long one request may take: a server that hangs once must not cost the leadership.
    pub(super) fn request_timeout(&self) -> Duration {
        (self.renew_deadline / 2).max(Duration::from_secs(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config() -> Config {
        Config::new("shop", Some("shop-system".to_owned())).unwrap()
    }

    fn problems(config: &Config) -> Vec<String> {
        match config.check() {
            Err(ConfigError::Invalid(problems)) => problems,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_times_are_those_of_client_go() {
        let config = config();
        let seconds = [
            config.lease_duration,
            config.renew_deadline,
            config.retry_period,
        ]
        .map(|time| time.as_secs());
        assert_eq!(seconds, [15, 10, 2]);
        config.check().unwrap();
    }

    #[test]
    fn times_that_allow_two_leaders_are_refused() {
        let config = Config {
            // A Lease would say 10.
            lease_duration: Duration::from_millis(10_900),
            ..config()
        };
        assert_eq!(
            problems(&config),
            ["the lease duration (10s) must be longer than the renew deadline (10s)"]
        );
    }

    #[test]
    fn all_that_is_wrong_is_said_at_once() {
        let config = Config {
            lease: String::new(),
            renew_deadline: Duration::from_millis(2400),
            retry_period: Duration::from_secs(2),
            lease_duration: Duration::from_secs(2),
            ..config()
        };
        assert_eq!(
            problems(&config),
            [
                "the name of the lease is empty",
                "the renew deadline (2.4s) must be longer than the retry period with its jitter (2.4s)",
                "the lease duration (2s) must be longer than the renew deadline (2.4s)",
            ]
        );
    }
}
