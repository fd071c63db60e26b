//! Manager flags with their environment variables and defaults.

use std::num::ParseIntError;
use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgAction, Args, Command, FromArgMatches};
use tracing_subscriber::EnvFilter;

use super::BindAddress;
use crate::leader::{Config, ConfigError};
use crate::log::{self, Format};
use crate::namespaces::{self, Namespaces};

// Kept short: clap shows this to users of an operator without an `about` text.
/// Flags of the manager.
#[derive(Debug, Clone, Args)]
pub struct Flags {
    /// Enable leader election, so that only one replica is active.
    #[arg(long, env = "LEADER_ELECT", value_name = "BOOL", action = ArgAction::Set)]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "true", default_value = "false")]
    pub leader_elect: bool,

    /// The name of the leader election lease [default: the operator name].
    #[arg(long, env = "LEADER_ELECTION_ID", value_name = "NAME")]
    pub leader_election_id: Option<String>,

    /// The namespace of the leader election lease [default: the namespace of the Pod].
    #[arg(long, env = "LEADER_ELECTION_NAMESPACE", value_name = "NAMESPACE", value_parser = namespace)]
    pub leader_election_namespace: Option<String>,

    /// The address the probe endpoint binds to. Use :8081 for every interface, 0 to disable.
    #[arg(
        long,
        env = "HEALTH_PROBE_BIND_ADDRESS",
        value_name = "ADDRESS",
        default_value = "127.0.0.1:8081"
    )]
    pub health_probe_bind_address: BindAddress,

    /// The address the metrics endpoint binds to. Use :8443 for HTTPS or :8080 for HTTP, 0 to disable.
    #[arg(
        long,
        env = "METRICS_BIND_ADDRESS",
        value_name = "ADDRESS",
        default_value = "0"
    )]
    pub metrics_bind_address: BindAddress,

    /// Serve the metrics endpoint via HTTPS with authentication and authorization. Use --metrics-secure=false for HTTP.
    #[arg(long, env = "METRICS_SECURE", value_name = "BOOL", action = ArgAction::Set)]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "true", default_value = "true")]
    pub metrics_secure: bool,

    /// The directory that contains the metrics server certificate [default: a self-signed certificate].
    #[arg(long, env = "METRICS_CERT_PATH", value_name = "DIR")]
    pub metrics_cert_path: Option<PathBuf>,

    /// The name of the metrics server certificate file.
    #[arg(
        long,
        env = "METRICS_CERT_NAME",
        value_name = "FILE",
        default_value = "tls.crt"
    )]
    pub metrics_cert_name: String,

    /// The name of the metrics server key file.
    #[arg(
        long,
        env = "METRICS_CERT_KEY",
        value_name = "FILE",
        default_value = "tls.key"
    )]
    pub metrics_cert_key: String,

    // No `env`: `KUBECONFIG` may list several files, and kube reads it.
    /// The path to a kubeconfig [default: $KUBECONFIG, ~/.kube/config or the service account].
    #[arg(long, value_name = "FILE")]
    pub kubeconfig: Option<PathBuf>,

    /// A comma-separated list of namespaces to watch [default: all namespaces].
    #[arg(
        long,
        env = "WATCH_NAMESPACE",
        value_name = "NAMESPACES",
        default_value = "",
        hide_default_value = true
    )]
    pub watch_namespace: Namespaces,

    /// The log level, or tracing directives such as info,kube=debug.
    #[arg(long, env = "RUST_LOG", value_name = "FILTER", default_value = "info", value_parser = log::filter)]
    pub log_level: EnvFilter,

    /// The log format [default: text on a terminal, json otherwise].
    #[arg(long, env = "LOG_FORMAT", value_name = "FORMAT")]
    pub log_format: Option<Format>,

    /// The time in seconds for running reconciles to finish on shutdown. Must be shorter than terminationGracePeriodSeconds.
    #[arg(long, env = "GRACE_PERIOD", value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    pub grace_period: Duration,
}

/// Defaults of all flags, ignoring the environment; for tests.
impl Default for Flags {
    fn default() -> Self {
        let command = Self::augment_args(Command::new("operator").no_binary_name(true));
        let command = command.mut_args(|argument| argument.env(None));
        let matches = command.get_matches_from(std::iter::empty::<&str>());
        Self::from_arg_matches(&matches).expect("every flag has a default or is optional")
    }
}

impl Flags {
    /// Returns the leader election config, or `None` without `--leader-elect`. The lease is named `operator` unless `--leader-election-id` is set.
    ///
    /// # Errors
    ///
    /// Returns [`ConfigError::NoNamespace`] outside a Pod without `--leader-election-namespace`.
    pub fn leader_election(&self, operator: &str) -> Result<Option<Config>, ConfigError> {
        if !self.leader_elect {
            return Ok(None);
        }
        let lease = self.leader_election_id.as_deref().unwrap_or(operator);
        Config::new(lease, self.leader_election_namespace.clone()).map(Some)
    }
}

fn seconds(text: &str) -> Result<Duration, ParseIntError> {
    text.parse().map(Duration::from_secs)
}

fn namespace(text: &str) -> Result<String, String> {
    namespaces::problem(text).map_or_else(|| Ok(text.to_owned()), Err)
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, FromArgMatches, Parser, error::ContextKind};

    use super::*;

    /// Sells books.
    #[derive(Debug, Parser)]
    struct Cli {
        #[command(flatten)]
        flags: Flags,
    }

    /// Parses flags without the environment.
    fn parse(arguments: &[&str]) -> Result<Flags, clap::Error> {
        let command = Cli::command().mut_args(|argument| argument.env(None));
        let program = ["shop-operator"].iter();
        let matches = command.try_get_matches_from(program.chain(arguments))?;
        Cli::from_arg_matches(&matches).map(|cli| cli.flags)
    }

    fn flags(arguments: &[&str]) -> Flags {
        parse(arguments).unwrap()
    }

    #[test]
    fn the_command_is_valid() {
        Cli::command().debug_assert();
    }

    #[test]
    fn the_operator_keeps_its_about_text() {
        let command = Cli::command();
        let about = command.get_about().map(ToString::to_string);
        assert_eq!(about.as_deref(), Some("Sells books"));
        assert!(command.get_long_about().is_none());
    }

    #[test]
    fn defaults_match_kubebuilder_except_that_probes_bind_loopback() {
        let flags = Flags::default();
        assert!(!flags.leader_elect && flags.metrics_secure);
        let probes = flags.health_probe_bind_address.to_string();
        assert_eq!(probes, "127.0.0.1:8081");
        assert_eq!(flags.metrics_bind_address, BindAddress::Off);
        assert_eq!(
            (
                flags.metrics_cert_name.as_str(),
                flags.metrics_cert_key.as_str()
            ),
            ("tls.crt", "tls.key")
        );
        assert_eq!(flags.watch_namespace, Namespaces::All);
        let filter = log::filter("info").unwrap().to_string();
        assert_eq!(flags.log_level.to_string(), filter);
        assert_eq!(flags.grace_period, Duration::from_secs(10));
    }

    #[test]
    fn environment_variables_are_named_after_their_flags() {
        let command = Cli::command();
        let mut variables = 0;
        for argument in command.get_arguments() {
            let Some(variable) = argument.get_env() else {
                continue;
            };
            variables += 1;
            let flag = argument
                .get_long()
                .unwrap()
                .to_uppercase()
                .replace('-', "_");
            if flag != "LOG_LEVEL" {
                assert_eq!(variable.to_str(), Some(flag.as_str()));
            }
        }
        assert_eq!(variables, 13);
    }

    #[test]
    fn boolean_flags_accept_go_syntax() {
        assert!(flags(&["--leader-elect"]).leader_elect);
        assert!(flags(&["--leader-elect=true"]).leader_elect);
        assert!(!flags(&["--leader-elect=false"]).leader_elect);
        assert!(!flags(&["--metrics-secure=false"]).metrics_secure);
    }

    #[test]
    fn parses_values() {
        let flags = flags(&[
            "--metrics-bind-address=:8443",
            "--metrics-cert-path=/certs",
            "--kubeconfig=/home/config",
            "--watch-namespace=b,a",
            "--log-level=warn",
            "--log-format=json",
            "--grace-period=30",
        ]);
        assert_eq!(flags.metrics_bind_address.to_string(), ":8443");
        assert_eq!(
            (flags.metrics_cert_path, flags.kubeconfig),
            (Some("/certs".into()), Some("/home/config".into()))
        );
        assert_eq!(flags.watch_namespace.to_string(), "a,b");
        assert_eq!(
            (flags.log_level.to_string(), flags.log_format),
            (log::filter("warn").unwrap().to_string(), Some(Format::Json))
        );
        assert_eq!(flags.grace_period.as_secs(), 30);
    }

    #[test]
    fn rejects_invalid_values() {
        for argument in [
            "--metrics-bind-address=8443",
            "--watch-namespace=A,b_c",
            "--leader-election-namespace=a.b",
            "--log-level=info,kube=loud",
            "--log-format=xml",
            "--grace-period=10s",
        ] {
            let (flag, _) = argument.split_once('=').unwrap();
            let error = parse(&[argument]).unwrap_err();
            let named = error.get(ContextKind::InvalidArg).unwrap().to_string();
            assert!(named.starts_with(flag), "{error}");
        }
    }

    #[test]
    fn the_lease_is_named_after_the_operator_by_default() {
        let lease = |arguments: &[&str]| {
            let config = flags(arguments).leader_election("shop-operator").unwrap();
            config.map(|config| (config.lease, config.namespace))
        };
        let namespace = "--leader-election-namespace=shop-system";
        let named = |lease: &str| Some((lease.to_owned(), "shop-system".to_owned()));
        assert_eq!(lease(&[namespace]), None);
        assert_eq!(
            lease(&[namespace, "--leader-elect"]),
            named("shop-operator")
        );
        assert_eq!(
            lease(&[namespace, "--leader-elect", "--leader-election-id=books"]),
            named("books")
        );
    }
}
