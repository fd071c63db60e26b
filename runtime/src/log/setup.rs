//! Initializes logging.

use std::io::{self, IsTerminal};

use tracing::Level;
use tracing::dispatcher::{self, Dispatch};
use tracing_subscriber::filter::{EnvFilter, ParseError};
use tracing_subscriber::fmt::{MakeWriter, TestWriter};

use super::fields::JsonFields;

/// Log format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Human-readable text.
    Text,
    /// One JSON object per line with `timestamp`, `level`, `message`, `target` and the fields of the event; `spans` has the fields of its spans,
    /// outermost first.
    Json,
}

/// A global tracing subscriber is already set, by an earlier call or by the program.
#[derive(Debug, thiserror::Error)]
#[error(
    "a global tracing subscriber is already set: call `kb::log::init` once, before any other subscriber is installed"
)]
pub struct AlreadyInitialized;

/// Initializes logging of this process. `format` defaults to text on a terminal and JSON otherwise.
///
/// # Errors
///
/// Returns an error if a global tracing subscriber is already set.
pub fn init(filter: EnvFilter, format: Option<Format>) -> Result<(), AlreadyInitialized> {
    let is_terminal = io::stderr().is_terminal();
    let default = if is_terminal {
        Format::Text
    } else {
        Format::Json
    };
    let log = dispatch(filter, format.unwrap_or(default), is_terminal, io::stderr);
    dispatcher::set_global_default(log).map_err(|_| AlreadyInitialized)
}

/// Initializes logging for tests: text in the captured output of the test, filtered by `RUST_LOG`. Does nothing if a subscriber is already set.
pub fn init_for_tests() {
    let filter = filter(&std::env::var("RUST_LOG").unwrap_or_default());
    let log = dispatch(
        filter.unwrap_or_default(),
        Format::Text,
        false,
        TestWriter::new(),
    );
    // Another test was first, or the program has its own subscriber.
    let _ = dispatcher::set_global_default(log);
}

/// kube logs failed requests and watches on every retry; kb logs these errors itself, once, with the API server's message.
const REDUNDANT: &str = "kube_client::client::builder=off,kube_runtime::watcher=error";

/// Parses a level (`debug`) or directives (`info,kube=debug`), as in `RUST_LOG`; an empty string means `info`. The levels `info` and above
/// suppress kube's redundant errors.
pub(crate) fn filter(text: &str) -> Result<EnvFilter, ParseError> {
    let text = match text.trim() {
        "" => "info",
        text => text,
    };
    match text.parse::<Level>() {
        Ok(level) if level <= Level::INFO => EnvFilter::try_new(format!("{text},{REDUNDANT}")),
        _ => EnvFilter::try_new(text),
    }
}

fn dispatch<W>(filter: EnvFilter, format: Format, ansi: bool, writer: W) -> Dispatch
where
    W: for<'writer> MakeWriter<'writer> + Send + Sync + 'static,
{
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(writer);
    match format {
        Format::Text => log.with_ansi(ansi).finish().into(),
        Format::Json => {
            // All spans: the current one alone would hide the object when the reconciler opens a span.
            let json = log.json().flatten_event(true);
            json.with_current_span(false)
                .with_span_list(true)
                .fmt_fields(JsonFields)
                .finish()
                .into()
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::sync::{Arc, Mutex};

    use serde_json::{Value, json};
    use tracing::{error, error_span, info, info_span, warn};

    use super::*;

    #[derive(Clone, Default)]
    struct Lines(Arc<Mutex<Vec<u8>>>);

    impl Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Logs at two levels within nested spans and returns the lines.
    fn reconcile(level: &str, format: Format) -> Vec<String> {
        let lines = Lines::default();
        let writer = lines.clone();
        let log = dispatch(filter(level).unwrap(), format, false, move || {
            writer.clone()
        });
        dispatcher::with_default(&log, || {
            let _outer =
                error_span!("reconcile", controller = "shop", object = "default/books").entered();
            let _inner = info_span!("step", name = "deploy").entered();
            info!(replicas = 2, "applied");
            warn!("slow");
        });
        let bytes = lines.0.lock().unwrap().clone();
        String::from_utf8(bytes)
            .unwrap()
            .lines()
            .map(str::to_owned)
            .collect()
    }

    #[test]
    fn json_lines_include_controller_and_object() {
        for level in ["", "info", "warn"] {
            let lines = reconcile(level, Format::Json);
            assert_eq!(lines.len(), if level == "warn" { 1 } else { 2 });
            for line in lines {
                let line: Value = serde_json::from_str(&line).unwrap();
                assert_eq!(line["spans"][0]["controller"], "shop", "{line}");
                assert_eq!(line["spans"][0]["object"], "default/books", "{line}");
            }
        }
    }

    #[test]
    fn span_fields_keep_their_types_and_can_be_updated() {
        let lines = Lines::default();
        let writer = lines.clone();
        let make = move || writer.clone();
        let log = dispatch(filter("").unwrap(), Format::Json, false, make);
        dispatcher::with_default(&log, || {
            let empty = tracing::field::Empty;
            let span = error_span!("s", text = "\"\u{e4}\"", debug = ?Some(1), number = -1.5, later = empty, flag = true);
            span.in_scope(|| info!("before"));
            span.record("later", 1_u64);
            span.record("flag", false);
            span.in_scope(|| info!("after"));
            let bare = error_span!("bare", later = empty);
            bare.record("later", "now");
            bare.in_scope(|| info!("bare"));
        });
        let text = String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
        let spans: Vec<Value> = text
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap()["spans"][0].take())
            .collect();
        let fields = json!({"name": "s", "text": "\"\u{e4}\"", "debug": "Some(1)", "number": -1.5, "flag": true});
        assert_eq!(spans[0], fields);
        let mut added = fields;
        added["later"] = 1.into();
        added["flag"] = false.into();
        assert_eq!(spans[1], added);
        assert_eq!(spans[2], json!({"name": "bare", "later": "now"}));
    }

    #[test]
    fn json_lines_include_the_fields_of_the_event() {
        let lines = reconcile("info", Format::Json);
        let line: Value = serde_json::from_str(&lines[0]).unwrap();
        assert_eq!(
            (&line["message"], &line["replicas"], &line["level"]),
            (&"applied".into(), &2.into(), &"INFO".into())
        );
    }

    #[test]
    fn text_lines_include_controller_and_object() {
        for line in reconcile("info", Format::Text) {
            assert!(
                line.contains(r#"reconcile{controller="shop" object="default/books"}"#),
                "{line}"
            );
        }
    }

    #[test]
    fn rejects_an_invalid_filter() {
        assert!(filter("info,kube=loud").is_err());
        assert_eq!(filter("debug").unwrap().to_string(), "debug");
        assert_eq!(
            filter("info,kube=debug").unwrap().to_string(),
            "kube=debug,info"
        );
    }

    #[test]
    fn suppresses_redundant_errors_of_kube_by_default() {
        let lines = |level: &str| {
            let lines = Lines::default();
            let writer = lines.clone();
            let make = move || writer.clone();
            let log = dispatch(filter(level).unwrap(), Format::Text, false, make);
            dispatcher::with_default(&log, || {
                warn!(target: "kube_runtime::watcher", "watch list error with 403: Api(Status {{ .. }})");
                error!(target: "kube_runtime::watcher", "got deleted event during initial watch. this is a bug");
                error!(target: "kube_client::client::builder", "failed with status 503");
                warn!(target: "kube_client::client", "timeout in poll");
                warn!("of kb");
            });
            let text = String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
            text.lines().count()
        };
        assert_eq!(["", "info", "WARN"].map(lines), [3, 3, 3]);
        assert_eq!(lines("error"), 1);
        assert_eq!(["debug", "info,kube=info", "trace"].map(lines), [5, 5, 5]);
        assert_eq!(lines("off"), 0);
    }

    #[test]
    fn initializing_twice_is_an_error() {
        // Another test may be first, but the second call always fails.
        let quiet = || filter("off").unwrap();
        let _ = init(quiet(), None);
        assert!(init(quiet(), Some(Format::Text)).is_err());
    }
}
