//! Sets up the log of a process, or of its tests.

use std::io::{self, IsTerminal};

use tracing::Level;
use tracing::dispatcher::{self, Dispatch};
use tracing_subscriber::filter::{EnvFilter, ParseError};
use tracing_subscriber::fmt::{MakeWriter, TestWriter};

use super::fields::JsonFields;

/// What a line of the log looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// For people.
    Text,
    /// One JSON object per line: the fields of the event beside `timestamp`, `level`, `message` and `target`, and below `spans` those of
    /// the spans around it, from the outermost inwards.
    Json,
}

/// Logs are already set up, by an earlier call or by the program itself.
#[derive(Debug, thiserror::Error)]
#[error(
    "the log is already set up: call `kb::log::init` once, before anything else sets a tracing subscriber"
)]
pub struct AlreadyInitialized;

/// Sets up the log of this process. Without a format it is text on a terminal, and JSON elsewhere.
pub fn init(filter: EnvFilter, format: Option<Format>) -> Result<(), AlreadyInitialized> {
    let terminal = io::stderr().is_terminal();
    let usual = if terminal { Format::Text } else { Format::Json };
    let log = log(filter, format.unwrap_or(usual), terminal, io::stderr);
    dispatcher::set_global_default(log).map_err(|_| AlreadyInitialized)
}

/// Sets up the log for tests: as text, among the output of the test. `RUST_LOG` filters it. Further calls do nothing.
pub fn init_for_tests() {
    let filter = filter(&std::env::var("RUST_LOG").unwrap_or_default());
    let log = log(
        filter.unwrap_or_default(),
        Format::Text,
        false,
        TestWriter::new(),
    );
    // Another test was first, or the program has a log of its own.
    let _ = dispatcher::set_global_default(log);
}

/// What kube logs about requests and watches that fail, all of it on every retry: kb logs these errors itself, once, with the API server's
/// message.
const REPEATED: &str = "kube_client::client::builder=off,kube_runtime::watcher=error";

/// Reads a level (`debug`) or directives (`info,kube=debug`), as in `RUST_LOG`; nothing is `info`. A level of `info` or above is without what
/// kube repeats.
pub(crate) fn filter(text: &str) -> Result<EnvFilter, ParseError> {
    let text = match text.trim() {
        "" => "info",
        text => text,
    };
    match text.parse::<Level>() {
        Ok(level) if level <= Level::INFO => EnvFilter::try_new(format!("{text},{REPEATED}")),
        _ => EnvFilter::try_new(text),
    }
}

fn log<W>(filter: EnvFilter, format: Format, colours: bool, writer: W) -> Dispatch
where
    W: for<'writer> MakeWriter<'writer> + Send + Sync + 'static,
{
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(writer);
    match format {
        Format::Text => log.with_ansi(colours).finish().into(),
        Format::Json => {
            // The current span alone would hide the object as soon as a user opens a span of their own.
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

    /// What is written while a reconcile with a span of its own logs at two levels.
    fn reconcile(level: &str, format: Format) -> Vec<String> {
        let lines = Lines::default();
        let writer = lines.clone();
        let log = log(filter(level).unwrap(), format, false, move || {
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
    fn every_json_line_names_the_controller_and_the_object() {
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
    fn fields_of_spans_have_their_types_and_are_added_to_and_changed_later() {
        let lines = Lines::default();
        let writer = lines.clone();
        let make = move || writer.clone();
        let log = log(filter("").unwrap(), Format::Json, false, make);
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
    fn the_fields_of_an_event_are_beside_its_message() {
        let lines = reconcile("info", Format::Json);
        let line: Value = serde_json::from_str(&lines[0]).unwrap();
        assert_eq!(
            (&line["message"], &line["replicas"], &line["level"]),
            (&"applied".into(), &2.into(), &"INFO".into())
        );
    }

    #[test]
    fn every_line_of_text_names_the_controller_and_the_object() {
        for line in reconcile("info", Format::Text) {
            assert!(
                line.contains(r#"reconcile{controller="shop" object="default/books"}"#),
                "{line}"
            );
        }
    }

    #[test]
    fn a_filter_that_cannot_be_read_is_refused() {
        assert!(filter("info,kube=loud").is_err());
        assert_eq!(filter("debug").unwrap().to_string(), "debug");
        assert_eq!(
            filter("info,kube=debug").unwrap().to_string(),
            "kube=debug,info"
        );
    }

    #[test]
    fn what_kube_repeats_is_left_out_unless_it_is_asked_for() {
        let lines = |level: &str| {
            let lines = Lines::default();
            let writer = lines.clone();
            let make = move || writer.clone();
            let log = log(filter(level).unwrap(), Format::Text, false, make);
            dispatcher::with_default(&log, || {
                warn!(target: "kube_runtime::watcher", "watch list error with 403: Api(Status {{ .. }})");
                error!(target: "kube_runtime::watcher", "got deleted event during initial watch. this is a bug");
                error!(target: "kube_client::client::builder", "failed with status 503");
                warn!(target: "kube_client::client", "timeout in poll");
                warn!("our own");
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
    fn a_second_set_up_is_an_error() {
        // Whichever test is first, the second call fails.
        let quiet = || filter("off").unwrap();
        let _ = init(quiet(), None);
        assert!(init(quiet(), Some(Format::Text)).is_err());
    }
}
