//! The flags themselves, with their environment variables and defaults.

use std::num::ParseIntError;
use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgAction, Args, Command, FromArgMatches};
use tracing_subscriber::EnvFilter;

use super::BindAddress;
use crate::leader::{Config, ConfigError};
use crate::log::{self, Format};
use crate::namespaces::{self, Namespaces};

// The example is in the doc of the module: clap shows the doc of this type to users of an operator that has no text of its own.
/// The flags of an operator.
#[derive(Debug, Clone, Args)]
pub struct Flags {
    /// Work only while this process holds the lease, so that of several copies one works.
    #[arg(long, env = "LEADER_ELECT", value_name = "BOOL", action = ArgAction::Set)]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "true", default_value = "false")]
    pub leader_elect: bool,

    /// The name of the lease [default: the name of the operator].
    #[arg(long, env = "LEADER_ELECTION_ID", value_name = "NAME")]
    pub leader_election_id: Option<String>,

    /// The namespace of the lease [default: that of the pod].
    #[arg(long, env = "LEADER_ELECTION_NAMESPACE", value_name = "NAMESPACE", value_parser = namespace)]
    pub leader_election_namespace: Option<String>,

    /// Where /healthz and /readyz are served; 0 for nowhere.
    #[arg(
        long,
        env = "HEALTH_PROBE_BIND_ADDRESS",
        value_name = "ADDRESS",
        default_value = ":8081"
    )]
    pub health_probe_bind_address: BindAddress,

    /// Where /metrics is served, such as :8443; 0 for nowhere.
    #[arg(
        long,
        env = "METRICS_BIND_ADDRESS",
        value_name = "ADDRESS",
        default_value = "0"
    )]
    pub metrics_bind_address: BindAddress,

    /// Serve metrics over TLS, to those who may read them. With =false everybody may, in the clear.
    #[arg(long, env = "METRICS_SECURE", value_name = "BOOL", action = ArgAction::Set)]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "true", default_value = "true")]
    pub metrics_secure: bool,

    /// The folder with the certificate of the metrics server [default: a self-signed certificate].
    #[arg(long, env = "METRICS_CERT_PATH", value_name = "FOLDER")]
    pub metrics_cert_path: Option<PathBuf>,

    /// The file of the certificate in that folder.
    #[arg(
        long,
        env = "METRICS_CERT_NAME",
        value_name = "FILE",
        default_value = "tls.crt"
    )]
    pub metrics_cert_name: String,

    /// The file of its key in that folder.
    #[arg(
        long,
        env = "METRICS_CERT_KEY",
        value_name = "FILE",
        default_value = "tls.key"
    )]
    pub metrics_cert_key: String,

    // Without a variable: `KUBECONFIG` may name several files, and kube reads it.
    /// The kubeconfig to reach the cluster with [default: that of the environment, or the pod's service account].
    #[arg(long, value_name = "FILE")]
    pub kubeconfig: Option<PathBuf>,

    /// The namespaces to look at, with commas between them [default: all].
    #[arg(
        long,
        env = "WATCH_NAMESPACE",
        value_name = "NAMESPACES",
        default_value = "",
        hide_default_value = true
    )]
    pub watch_namespace: Namespaces,

    /// What is logged: a level, or directives such as info,kube=debug.
    #[arg(long, env = "RUST_LOG", value_name = "FILTER", default_value = "info", value_parser = log::filter)]
    pub log_level: EnvFilter,

    /// What the log looks like [default: text on a terminal, json elsewhere].
    #[arg(long, env = "LOG_FORMAT", value_name = "FORMAT")]
    pub log_format: Option<Format>,

    /// How many seconds running work may take to finish on shutdown. Kubernetes must wait longer than this before it kills the pod.
    #[arg(long, env = "GRACE_PERIOD", value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    pub grace_period: Duration,
}

/// The flags of an operator that is started without any, whatever its environment says: for tests.
impl Default for Flags {
    fn default() -> Self {
        let command = Self::augment_args(Command::new("operator").no_binary_name(true));
        let command = command.mut_args(|argument| argument.env(None));
        let matches = command.get_matches_from(std::iter::empty::<&str>());
        Self::from_arg_matches(&matches).expect("every flag has a default or is optional")
    }
}

impl Flags {
    /// The leader election that the flags ask for, if they do; `operator` names the lease if no flag does.
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
    use clap::{CommandFactory, FromArgMatches, Parser};

    use super::*;

    /// Sells books.
    #[derive(Debug, Parser)]
    struct Cli {
        #[command(flatten)]
        flags: Flags,
    }

    /// Reads the flags, and not the environment of the tests.
    fn read(arguments: &[&str]) -> Result<Flags, clap::Error> {
        let command = Cli::command().mut_args(|argument| argument.env(None));
        let program = ["shop-operator"].iter();
        let matches = command.try_get_matches_from(program.chain(arguments))?;
        Cli::from_arg_matches(&matches).map(|cli| cli.flags)
    }

    fn flags(arguments: &[&str]) -> Flags {
        read(arguments).unwrap()
    }

    fn refused(argument: &str) -> String {
        read(&[argument]).unwrap_err().to_string()
    }

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn the_help_is_that_of_the_operator() {
        let command = Cli::command();
        let about = command.get_about().map(ToString::to_string);
        assert_eq!(about.as_deref(), Some("Sells books"));
        assert!(command.get_long_about().is_none());
    }

    #[test]
    fn the_defaults_are_those_of_kubebuilder() {
        let flags = Flags::default();
        assert!(!flags.leader_elect && flags.metrics_secure);
        assert_eq!(flags.health_probe_bind_address, BindAddress::Port(8081));
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
    fn a_variable_is_named_as_its_flag() {
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
    fn switches_are_written_as_in_go() {
        assert!(flags(&["--leader-elect"]).leader_elect);
        assert!(flags(&["--leader-elect=true"]).leader_elect);
        assert!(!flags(&["--leader-elect=false"]).leader_elect);
        assert!(!flags(&["--metrics-secure=false"]).metrics_secure);
    }

    #[test]
    fn every_flag_takes_its_value() {
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
    fn a_wrong_value_is_refused_with_the_flag_and_the_reason() {
        let cases = [
            ("--metrics-bind-address=8443", "Did you mean `:8443`?"),
            ("--watch-namespace=A,b_c", "namespace \"A\" contains"),
            ("--watch-namespace=A,b_c", "namespace \"b_c\" contains"),
            ("--leader-election-namespace=a.b", "contains a dot"),
            ("--log-level=info,kube=loud", "invalid"),
            ("--log-format=xml", "text, json"),
            ("--grace-period=10s", "invalid digit"),
        ];
        for (argument, reason) in cases {
            let (flag, _) = argument.split_once('=').unwrap();
            let error = refused(argument);
            assert!(error.contains(flag) && error.contains(reason), "{error}");
        }
    }

    #[test]
    fn the_lease_is_named_after_the_operator_unless_a_flag_names_it() {
        let lease = |arguments: &[&str]| {
            let config = flags(arguments).leader_election("shop-operator").unwrap();
            config.map(|config| (config.lease, config.namespace))
        };
        let here = "--leader-election-namespace=shop-system";
        let named = |lease: &str| Some((lease.to_owned(), "shop-system".to_owned()));
        assert_eq!(lease(&[here]), None);
        assert_eq!(lease(&[here, "--leader-elect"]), named("shop-operator"));
        assert_eq!(
            lease(&[here, "--leader-elect", "--leader-election-id=books"]),
            named("books")
        );
    }
}
