//! The report of the section.

use super::{
    requests::About,
    session::{Measure, Session},
};
use crate::{
    samples::Samples,
    table::{Row, Target, aligned, row, shown},
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
    let line = |name: &str, measure, format: &dyn Fn(f64) -> String, target| {
        let name = format!("{count} objects: {name}");
        let figures = [own, other].map(|samples| shown(samples.median(measure), format));
        row(&name, figures, own.share(other, measure), target)
    };
    let seconds = |milliseconds: f64| format!("{:.1} s", milliseconds / 1000.0);
    let mut rows = vec![
        line(
            "all are ready",
            Measure::Time(count),
            &seconds,
            Some(Target::AtMost(TIME)),
        ),
        line(
            "processor time",
            Measure::Processor(count),
            &|seconds| format!("{seconds:.1} s"),
            Some(Target::AtMost(PROCESSOR)),
        ),
        line(
            "peak memory",
            Measure::Memory(count),
            &|mebibytes| format!("{mebibytes:.1} MiB"),
            Some(Target::AtMost(MEMORY)),
        ),
    ];
    rows.extend(About::ALL.map(|about| {
        line(
            &format!("requests per object, {}", about.resource()),
            Measure::Requests(count, about),
            &|requests| format!("{:.3}", requests / f64::from(count)),
            None,
        )
    }));
    rows
}

fn notes(session: &Session<'_>, machine: &str) -> String {
    format!(
        "machine      {machine}\n\
         work         a Widget gets a ConfigMap that it owns, and a Ready condition in its status; 8 workers\n\
         runs         medians of {}; the operators take turns on one control plane, each in a namespace of its own\n\
         ratio        the median of the ratios of each turn: what slows the machine down for longer than a turn is not in it\n\
         time         from the start of the process until the last of the Widgets, which are all there, is ready\n\
         processor    user and system time until the operator is at rest: changes that it made itself come back to it\n\
         memory       the kernel's peak resident set (VmHWM) until then\n\
         requests     by the API server's count, without lists and watches\n\
         kb-rs        as `kb-rs init` and `create api` make it but for its events, which Kubebuilder's has not; `cargo build --release`\n\
         Kubebuilder  {}\n",
        session.options.series(),
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
