//! Configuration of leader election.

use std::path::PathBuf;
use std::time::Duration;

use super::jitter;
use super::pod;

/// Lease, identity and timing of leader election.
///
/// The timing defaults to client-go's and should be the same for all candidates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// Name of the Lease, shared by all replicas of one operator.
    pub lease: String,
    /// Namespace of the Lease.
    pub namespace: String,
    /// Identity of this candidate. Must be unique.
    pub identity: String,
    /// How long a candidate must observe an unchanged lease before it acquires it: 15 s by default, in whole seconds.
    pub lease_duration: Duration,
    /// How long the leader continues without a successful renewal: 10 s by default.
    pub renew_deadline: Duration,
    /// Time between two attempts: 2 s by default. Candidates add a random jitter of up to 1.2 times the period, but try as soon as the
    /// lease expires.
    pub retry_period: Duration,
}

/// Invalid configuration of leader election.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// Invalid settings; all problems.
    #[error("invalid leader election config: {}", .0.join("; "))]
    Invalid(Vec<String>),
    /// No namespace given, and this process does not run in a Pod.
    #[error(
        "failed to determine the leader election namespace from {}: {problem}; outside a Pod, pass --leader-election-namespace",
        path.display()
    )]
    NoNamespace {
        /// File that holds the namespace of a Pod.
        path: PathBuf,
        /// Why it could not be read.
        problem: String,
    },
}

impl Config {
    /// Creates a configuration with client-go's timing. `namespace` defaults to that of the Pod.
    ///
    /// The identity is the host name with a random suffix, so a restarted container is a new candidate.
    ///
    /// # Errors
    ///
    /// Returns [`ConfigError::NoNamespace`] if `namespace` is `None` outside a Pod.
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
            ("lease name", &self.lease),
            ("namespace", &self.namespace),
            ("identity", &self.identity),
        ];
        for (field, value) in names {
            if value.is_empty() {
                problems.push(format!("{field} must not be empty"));
            }
        }
        if self.retry_period.is_zero() {
            problems.push("retry period must be greater than zero".to_owned());
        }
        let max_retry_period = self.retry_period.mul_f64(jitter::FACTOR);
        if self.renew_deadline <= max_retry_period {
            problems.push(format!(
                "renew deadline ({:?}) must be greater than the retry period with jitter ({max_retry_period:?})",
                self.renew_deadline
            ));
        }
        let lease_duration = self.whole_seconds();
        if lease_duration <= self.renew_deadline {
            problems.push(format!(
                "lease duration ({lease_duration:?}) must be greater than the renew deadline ({:?})",
                self.renew_deadline
            ));
        }
        if problems.is_empty() {
            Ok(())
        } else {
            Err(ConfigError::Invalid(problems))
        }
    }

    /// Returns the lease duration as candidates see it: a Lease has no fractions of a second.
    fn whole_seconds(&self) -> Duration {
        Duration::from_secs(self.lease_duration.as_secs())
    }

    /// Returns the time for exiting after the renew deadline: half of what remains of the lease. The other half is for the watchdog.
    pub(super) fn exit_margin(&self) -> Duration {
        self.whole_seconds().saturating_sub(self.renew_deadline) / 2
    }

    /// Returns the timeout of one request: a single hanging request must not cost the leadership.
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
    fn defaults_to_the_timing_of_client_go() {
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
    fn rejects_timing_that_allows_two_leaders() {
        let config = Config {
            // A Lease stores 10.
            lease_duration: Duration::from_millis(10_900),
            ..config()
        };
        assert_eq!(
            problems(&config),
            ["lease duration (10s) must be greater than the renew deadline (10s)"]
        );
    }

    #[test]
    fn reports_all_problems() {
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
                "lease name must not be empty",
                "renew deadline (2.4s) must be greater than the retry period with jitter (2.4s)",
                "lease duration (2s) must be greater than the renew deadline (2.4s)",
            ]
        );
    }
}
