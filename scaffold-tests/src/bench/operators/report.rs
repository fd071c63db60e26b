//! The report of the section.

use super::{
    requests::About,
    session::{Measure, Session},
};
use crate::{
    samples::Samples,
    table::{Row, Target, aligned, compared, shown},
};

const HEAD: [&str; 5] = ["operators", "kb-rs", "Kubebuilder", "ratio", "target"];

/// Of the Go operator's figures.
const TIME: f64 = 0.8;
const PROCESSOR: f64 = 0.3;
const MEMORY: f64 = 0.3;

/// The whole report.
pub(crate) fn text(session: &Session<'_>, machine: &str) -> String {
    let rows: Vec<_> = session
        .options
        .objects
        .iter()
        .flat_map(|count| rows(&session.kb_rs, &session.rival, *count))
        .collect();
    format!("\n{}\n{}", aligned(HEAD, &rows), notes(session, machine))
}

fn rows(own: &Samples<Measure>, other: &Samples<Measure>, count: u32) -> Vec<Row> {
    let row = |name: &str, unit, figure: &dyn Fn(&Samples<Measure>) -> Option<f64>, target| {
        let name = format!("{count} objects: {name}");
        compared(&name, unit, [figure(own), figure(other)], Some(target))
    };
    let time = |samples: &Samples<Measure>| Some(samples.median(Measure::Time(count))? / 1000.0);
    let processor = |samples: &Samples<Measure>| samples.median(Measure::Processor(count));
    let memory = |samples: &Samples<Measure>| samples.median(Measure::Memory(count));
    let mut rows = vec![
        row("all are ready", "s", &time, Target::AtMost(TIME)),
        row("processor time", "s", &processor, Target::AtMost(PROCESSOR)),
        row("peak memory", "MiB", &memory, Target::AtMost(MEMORY)),
    ];
    rows.extend(About::ALL.map(|about| requests(own, other, count, about)));
    rows
}

/// Requests about a kind, for each object.
fn requests(own: &Samples<Measure>, other: &Samples<Measure>, count: u32, about: About) -> Row {
    let [own, other] = [own, other].map(|samples| {
        let requests = samples.median(Measure::Requests(count, about))?;
        Some(requests / f64::from(count))
    });
    let figure = |value: Option<f64>| shown(value, |value| format!("{value:.3}"));
    let ratio = own.zip(other).map(|(own, other)| own / other);
    [
        format!("{count} objects: requests per object, {}", about.resource()),
        figure(own),
        figure(other),
        shown(ratio, |ratio| format!("{ratio:.2}")),
        String::new(),
    ]
}

fn notes(session: &Session<'_>, machine: &str) -> String {
    format!(
        "machine      {machine}\n\
         work         a Widget gets a ConfigMap that it owns, and a Ready condition in its status; 8 workers\n\
         runs         medians of {}; the operators take turns on one control plane, each in a namespace of its own\n\
         time         from the start of the process until the last of the Widgets, which are all there, is ready\n\
         processor    user and system time until the operator is at rest: changes that it made itself come back to it\n\
         memory       the kernel's peak resident set (VmHWM) until then\n\
         requests     by the API server's count, without lists and watches\n\
         kb-rs        as `kb-rs init` and `create api` make it but for its events, which Kubebuilder's has not; `cargo build --release`\n\
         Kubebuilder  {}\n",
        session.rounds(),
        session.operators.describe_rival()
    )
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn samples(seconds: u64, processor: f64, kibibytes: u32) -> Samples<Measure> {
        let mut samples = Samples::default();
        samples.time(Measure::Time(10), Duration::from_secs(seconds));
        samples.push(Measure::Processor(10), processor);
        samples.memory(Measure::Memory(10), Some(kibibytes));
        samples.push(Measure::Requests(10, About::Widgets), 25.0);
        samples
    }

    #[test]
    fn every_figure_has_its_own_target_and_requests_are_per_object() {
        let rows = rows(&samples(8, 3.1, 1024), &samples(10, 10.0, 2048), 10);
        let shown: Vec<_> = rows
            .iter()
            .map(|row| [&row[1], &row[3], &row[4]].map(String::as_str))
            .collect();
        assert_eq!(
            shown,
            [
                ["8.0 s", "0.80", "at most 0.80: met"],
                ["3.1 s", "0.31", "at most 0.30: missed"],
                ["1.0 MiB", "0.50", "at most 0.30: missed"],
                ["n/a", "n/a", ""],
                ["2.500", "1.00", ""],
            ]
        );
    }
}
