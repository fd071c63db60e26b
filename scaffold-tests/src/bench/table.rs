//! The report: an aligned table, the targets beside the figures, and what the figures depend on.

use std::fmt::Write as _;

use crate::{
    kubebuilder::{Absence, VERSION},
    samples::{Measure, Samples},
    session::{Rival, Session},
};

const HEAD: [&str; 5] = ["measure", "kb-rs", "Kubebuilder", "ratio", "target"];

/// Of Kubebuilder's time, for `init` and `create api` together.
const SCAFFOLDING: f64 = 0.5;
/// Of the first call's time, for the 100th.
const GROWTH: f64 = 1.5;

/// A line of a report: what is measured, two figures, their ratio, the target.
pub(crate) type Row = [String; 5];

/// The whole report.
pub(crate) fn report(session: &Session<'_>, machine: &str) -> String {
    let rows = rows(&session.kb_rs.samples, session.rival.samples());
    format!("\n{}\n{}", aligned(HEAD, &rows), notes(session, machine))
}

fn rows(own: &Samples, other: Option<&Samples>) -> Vec<Row> {
    let time = |name, measure, target| {
        let figure = |samples: &Samples| samples.median(measure);
        compared(name, "ms", [figure(own), other.and_then(figure)], target)
    };
    let memory = |name, measure| {
        let figure = |samples: &Samples| samples.largest(measure);
        compared(name, "MiB", [figure(own), other.and_then(figure)], None)
    };
    vec![
        time("start-up (--help)", Measure::Help, Some(Target::Below)),
        time("init", Measure::Init, None),
        time("create api", Measure::Api, None),
        time(
            "init + create api",
            Measure::InitAndApi,
            Some(Target::AtMost(SCAFFOLDING)),
        ),
        time("1st create api of 100", Measure::First, None),
        time("100th create api of 100", Measure::Hundredth, None),
        growth(
            "100th / 1st",
            [Measure::First, Measure::Hundredth],
            own,
            other,
            Some(Target::AtMost(GROWTH)),
        ),
        growth(
            "last 10 / first 10 of 100",
            [Measure::FirstTen, Measure::LastTen],
            own,
            other,
            None,
        ),
        memory("memory, --help", Measure::HelpMemory),
        memory("memory, init", Measure::InitMemory),
        memory("memory, create api", Measure::ApiMemory),
        memory("memory, 101st create api", Measure::LateApiMemory),
    ]
}

/// What a ratio should be, or a figure.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Target {
    Below,
    AtMost(f64),
    /// Microseconds.
    Under(f64),
}

impl Target {
    pub(crate) fn verdict(self, figure: Option<f64>) -> String {
        let met = figure.map_or("not measured", |figure| {
            let met = match self {
                Self::Below => figure < 1.0,
                Self::AtMost(limit) => figure <= limit,
                Self::Under(limit) => figure < limit,
            };
            if met { "met" } else { "missed" }
        });
        match self {
            Self::Below => format!("ratio below 1.00: {met}"),
            Self::AtMost(limit) => format!("at most {limit:.2}: {met}"),
            Self::Under(limit) => format!("under {limit:.0} µs: {met}"),
        }
    }
}

/// A measure of both tools, and kb-rs' share of the other's.
pub(crate) fn compared(
    name: &str,
    unit: &str,
    [own, other]: [Option<f64>; 2],
    target: Option<Target>,
) -> Row {
    let ratio = own.zip(other).map(|(own, other)| own / other);
    let figure = |value: Option<f64>| shown(value, |value| format!("{value:.1} {unit}"));
    row(name, [own, other].map(figure), ratio, target)
}

/// A line of figures as they are shown, and a ratio that need not be theirs.
pub(crate) fn row(
    name: &str,
    [own, other]: [String; 2],
    ratio: Option<f64>,
    target: Option<Target>,
) -> Row {
    [
        name.to_owned(),
        own,
        other,
        shown(ratio, |ratio| format!("{ratio:.2}")),
        target.map_or_else(String::new, |target| target.verdict(ratio)),
    ]
}

/// How a measure of each tool grows; the target is for kb-rs alone.
fn growth(
    name: &str,
    [from, to]: [Measure; 2],
    own: &Samples,
    other: Option<&Samples>,
    target: Option<Target>,
) -> Row {
    let own = own.growth(from, to);
    let other = other.and_then(|other| other.growth(from, to));
    let figure = |value: Option<f64>| shown(value, |value| format!("{value:.2} x"));
    [
        name.to_owned(),
        figure(own),
        figure(other),
        String::new(),
        target.map_or_else(String::new, |target| target.verdict(own)),
    ]
}

pub(crate) fn shown(value: Option<f64>, format: impl Fn(f64) -> String) -> String {
    value.map_or_else(|| "n/a".to_owned(), format)
}

/// Names and targets to the left, figures to the right.
pub(crate) fn aligned(head: [&str; 5], rows: &[Row]) -> String {
    let head = head.map(ToOwned::to_owned);
    let width = |column: usize| {
        let cells = rows
            .iter()
            .chain([&head])
            .map(|row| row[column].chars().count());
        cells.max().unwrap_or_default()
    };
    let [name, own, other, ratio, target] = std::array::from_fn(width);
    let rule = [name, own, other, ratio, target].map(|width| "-".repeat(width));
    let mut text = String::new();
    for row in [&head, &rule].into_iter().chain(rows) {
        let line = format!(
            "{:name$}  {:>own$}  {:>other$}  {:>ratio$}  {}",
            row[0], row[1], row[2], row[3], row[4]
        );
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

fn notes(session: &Session<'_>, machine: &str) -> String {
    let runs = session.options.runs;
    let series = session.options.series();
    let rival = match &session.rival {
        Rival::Measured(_) => format!(
            "{VERSION}, with `go mod tidy` and `go get` stubbed out: that is Go's cost, not its own"
        ),
        Rival::Absent(Absence::NoGo) => {
            "not measured, because there is no `go` to build it with".to_owned()
        }
        Rival::Absent(Absence::Failed(_)) => {
            "not measured, because it failed: the reason is above".to_owned()
        }
    };
    format!(
        "machine      {machine}\n\
         runs         medians of {runs}, each in a new project; the largest of {series} for memory\n\
         time         wall time of the whole process, standard output thrown away; of the 100, `sync` before the first and last 10\n\
         memory       {}\n\
         Kubebuilder  {rival}\n",
        session.meter.describe()
    )
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn samples(measure: Measure, milliseconds: u64) -> Samples {
        let mut samples = Samples::default();
        samples.time(measure, Duration::from_millis(milliseconds));
        samples
    }

    #[test]
    fn a_target_is_met_missed_or_not_measured() {
        let own = samples(Measure::InitAndApi, 10);
        let verdict = |other: Option<&Samples>| {
            rows(&own, other)
                .into_iter()
                .find(|row| row[0] == "init + create api")
                .map(|row| row[4].clone())
                .unwrap()
        };
        let other = |milliseconds| samples(Measure::InitAndApi, milliseconds);
        assert_eq!(verdict(Some(&other(20))), "at most 0.50: met");
        assert_eq!(verdict(Some(&other(19))), "at most 0.50: missed");
        assert_eq!(verdict(None), "at most 0.50: not measured");
    }

    #[test]
    fn names_and_targets_stand_left_and_figures_right() {
        let rows = [
            ["init", "1.0 ms", "100.0 ms", "0.01", ""],
            ["create api", "12.0 ms", "n/a", "n/a", "at most 0.50: met"],
        ];
        let text = aligned(HEAD, &rows.map(|row| row.map(ToOwned::to_owned)));
        let expected = "\
measure       kb-rs  Kubebuilder  ratio  target
----------  -------  -----------  -----  -----------------
init         1.0 ms     100.0 ms   0.01
create api  12.0 ms          n/a    n/a  at most 0.50: met
";
        assert_eq!(text, expected);
    }
}
