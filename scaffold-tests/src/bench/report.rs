//! The report of a section: an aligned table, followed by notes on how the figures were obtained.

use std::{env::consts, fmt::Write as _, fs, thread};

use crate::pair::Pair;

type Row = [String; 5];

/// Unit of a measurement, with the conversion from the unit of the samples.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Unit {
    Milliseconds,
    Seconds,
    Mebibytes,
    /// Total, to divide by the number of objects.
    PerObject(u32),
}

impl Unit {
    fn format(self, value: f64) -> String {
        match self {
            Self::Milliseconds => format!("{value:.1} ms"),
            Self::Seconds => format!("{value:.1} s"),
            Self::Mebibytes => format!("{value:.1} MiB"),
            Self::PerObject(count) => format!("{:.3}", value / f64::from(count)),
        }
    }
}

#[derive(Debug)]
pub(crate) struct Report {
    rows: Vec<Row>,
}

impl Report {
    pub(crate) fn new(section: &str, other: &str) -> Self {
        let head = [section, "kb-rs", other, "ratio", "target"];
        Self {
            rows: vec![head.map(str::to_owned)],
        }
    }

    /// Adds a measurement of both tools; the target is the highest acceptable ratio.
    pub(crate) fn compare<T>(
        &mut self,
        pair: &Pair<T>,
        name: &str,
        unit: Unit,
        target: Option<f64>,
    ) {
        let other = pair.other_samples();
        let format = |value: Option<f64>| shown(value, |value| unit.format(value));
        let ratio = other.and_then(|other| pair.kb_rs.samples.ratio(other, name));
        self.rows.push([
            name.to_owned(),
            format(pair.kb_rs.samples.median(name)),
            format(other.and_then(|other| other.median(name))),
            shown(ratio, |ratio| format!("{ratio:.2}")),
            verdict(ratio, target),
        ]);
    }

    /// Adds how much slower each tool is at `to` than at `from`, relative to `scale`. The target applies to kb-rs.
    pub(crate) fn growth<T>(
        &mut self,
        pair: &Pair<T>,
        [from, to]: [&str; 2],
        scale: f64,
        target: f64,
    ) {
        let growth = |samples: &crate::samples::Samples| {
            Some(samples.median(to)? / samples.median(from)? / scale)
        };
        let own = growth(&pair.kb_rs.samples);
        let format = |value| shown(value, |value| format!("{value:.2} x"));
        self.rows.push([
            format!("{to} / {from}"),
            format(own),
            format(pair.other_samples().and_then(growth)),
            String::new(),
            verdict(own, Some(target)),
        ]);
    }

    pub(crate) fn print(&self, notes: &str) {
        print!("\n{}\nmachine: {}\n{notes}\n", self.table(), machine());
    }

    /// Aligns text to the left and figures to the right.
    fn table(&self) -> String {
        let width = |column: usize| {
            let cells = self.rows.iter().map(|row| row[column].chars().count());
            cells.max().unwrap_or_default()
        };
        let [name, own, other, ratio, target] = std::array::from_fn(width);
        let rule = [name, own, other, ratio, target].map(|width| "-".repeat(width));
        let (head, body) = self.rows.split_at(1);
        let mut text = String::new();
        for row in head.iter().chain([&rule]).chain(body) {
            let line = format!(
                "{:name$}  {:>own$}  {:>other$}  {:>ratio$}  {}",
                row[0], row[1], row[2], row[3], row[4]
            );
            let _ = writeln!(text, "{}", line.trim_end());
        }
        text
    }
}

fn verdict(value: Option<f64>, target: Option<f64>) -> String {
    let Some(target) = target else {
        return String::new();
    };
    let verdict = value.map_or("not measured", |value| {
        if value <= target { "met" } else { "missed" }
    });
    format!("at most {target:.2}: {verdict}")
}

pub(crate) fn shown(value: Option<f64>, format: impl Fn(f64) -> String) -> String {
    value.map_or_else(|| "n/a".to_owned(), format)
}

/// Describes the machine without host names or paths, so that reports can be published.
fn machine() -> String {
    let cores =
        thread::available_parallelism().map_or_else(|_| "?".to_owned(), |cores| cores.to_string());
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split_whitespace().next().unwrap_or("?");
    format!(
        "{} {}, {cores} cores, load average {load}",
        consts::OS,
        consts::ARCH
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_compare_samples_with_targets() {
        let mut pair = Pair::new((), Ok(()));
        pair.kb_rs.samples.push("1 kind", 1.0);
        pair.kb_rs.samples.push("10 kinds", 15.0);
        let other = &mut pair.other.as_mut().unwrap().samples;
        other.push("1 kind", 10.0);
        other.push("10 kinds", 100.0);
        let mut report = Report::new("generate", "Go");
        report.compare(&pair, "1 kind", Unit::Milliseconds, Some(0.1));
        report.compare(&pair, "10 kinds", Unit::Milliseconds, Some(0.1));
        report.compare(&pair, "100 kinds", Unit::PerObject(10), None);
        report.growth(&pair, ["1 kind", "10 kinds"], 10.0, 1.2);
        snapbox::assert_data_eq!(
            report.table(),
            snapbox::str![[r"
generate             kb-rs        Go  ratio  target
-----------------  -------  --------  -----  --------------------
1 kind              1.0 ms   10.0 ms   0.10  at most 0.10: met
10 kinds           15.0 ms  100.0 ms   0.15  at most 0.10: missed
100 kinds              n/a       n/a    n/a
10 kinds / 1 kind   1.50 x    1.00 x         at most 1.20: missed

"]]
        );
    }
}
