//! The report of the section.

use super::{
    cache::{self, Caches, Holder, Measure},
    lookup::{self, Lookup, Lookups, MATCHES, SIZES},
    reconcile::{self, Log, Reconciles, Threads, WORKERS},
    server,
};
use crate::{
    options::Options,
    table::{Row, Target, aligned, compared, shown},
};

const HEAD: [&str; 5] = ["runtime", "kb", "kube", "ratio", "target"];

/// Of what the wrapper adds to a reconcile, in microseconds.
const OVERHEAD: f64 = 20.0;

/// All figures.
#[derive(Debug)]
pub(crate) struct Report<'a> {
    pub(crate) options: &'a Options,
    pub(crate) lookups: Lookups,
    pub(crate) reconciles: Reconciles,
    pub(crate) caches: Caches,
}

impl Report<'_> {
    /// The whole report.
    pub(crate) fn text(&self, machine: &str) -> String {
        let rows = [
            self.lookup_rows(),
            self.reconcile_rows(),
            cache_rows(&self.caches),
        ]
        .concat();
        format!("\n{}\n{}", aligned(HEAD, &rows), self.notes(machine))
    }

    fn lookup_rows(&self) -> Vec<Row> {
        let [few, many] = SIZES;
        let both = |measure: lookup::Measure| {
            [&self.lookups.kb, &self.lookups.kube].map(|samples| samples.median(measure))
        };
        let times = Lookup::ALL.map(|lookup| {
            let name = format!("{}, {many} objects", named(lookup));
            duration(&name, both((lookup, many)))
        });
        let growths = Lookup::ALL.map(|lookup| {
            let [own, other] = [&self.lookups.kb, &self.lookups.kube].map(|samples| {
                let growth = samples.growth((lookup, few), (lookup, many));
                shown(growth, |growth| format!("{growth:.1} x"))
            });
            let name = format!("{}, {many} / {few} objects", named(lookup));
            [name, own, other, String::new(), String::new()]
        });
        [times, growths].concat()
    }

    fn reconcile_rows(&self) -> Vec<Row> {
        let measures = [Log::Off, Log::Info]
            .into_iter()
            .flat_map(|log| [Threads::Cores, Threads::One].map(|threads| (log, threads)));
        measures
            .map(|measure| self.reconcile_row(measure))
            .collect()
    }

    fn reconcile_row(&self, measure: reconcile::Measure) -> Row {
        let (log, threads) = measure;
        let log = match log {
            Log::Off => "no log",
            Log::Info => "log at info",
        };
        let threads = match threads {
            Threads::Cores => "all cores",
            Threads::One => "1 thread",
        };
        let figures =
            [&self.reconciles.kb, &self.reconciles.kube].map(|samples| samples.median(measure));
        overhead(&format!("a reconcile, {log}, {threads}"), figures)
    }

    fn notes(&self, machine: &str) -> String {
        let size = server::size().map_or_else(|_| "?".to_owned(), |bytes| bytes.to_string());
        format!(
            "machine     {machine}\n\
             runs        medians of {}, of {} for memory; kb and kube take turns\n\
             look-ups    each finds {MATCHES} objects, by name one; kube walks its store with `state_filter`, and by name has a map.\n\
             {:12}kb reads what it finds from text, but for the last hundred used; what remains of the growth are misses of caches\n\
             reconciles  {} objects, {WORKERS} workers, a function that does nothing; wall time per object. kube's `applier`, as its Controller runs it\n\
             memory      growth of a process that lists {} Deployments of {size} bytes, two managers each: resident set (VmRSS), peak (VmHWM).\n\
             {:12}kb's manager keeps the managedFields of the operator, a store by itself keeps none, kube's reflector keeps all\n",
            self.options.runs,
            self.options.series(),
            "",
            reconcile::OBJECTS,
            cache::OBJECTS,
            ""
        )
    }
}

fn named(lookup: Lookup) -> &'static str {
    match lookup {
        Lookup::Owner => "by owner",
        Lookup::Label => "by label",
        Lookup::Name => "by name",
    }
}

/// Two durations in nanoseconds that may be far apart.
fn duration(name: &str, [own, other]: [Option<f64>; 2]) -> Row {
    let figure = |value: Option<f64>| {
        shown(value, |value| {
            if value < 10_000.0 {
                format!("{value:.0} ns")
            } else {
                format!("{:.0} µs", value / 1000.0)
            }
        })
    };
    let ratio = own.zip(other).map(|(own, other)| own / other);
    let ratio = shown(ratio, |ratio| {
        if ratio < 0.01 {
            format!("1/{:.0}", 1.0 / ratio)
        } else {
            format!("{ratio:.2}")
        }
    });
    [
        name.to_owned(),
        figure(own),
        figure(other),
        ratio,
        String::new(),
    ]
}

/// Two times of a reconcile, and what the first is longer by.
fn overhead(name: &str, figures: [Option<f64>; 2]) -> Row {
    let mut row = compared(name, "µs", figures, None);
    let [own, other] = figures;
    let more = own.zip(other).map(|(own, other)| own - other);
    let verdict = Target::Under(OVERHEAD).verdict(more);
    row[4] = more.map_or_else(
        || verdict.clone(),
        |more| format!("{more:+.1} µs, {verdict}"),
    );
    row
}

fn cache_rows(caches: &Caches) -> Vec<Row> {
    let both = |measures: [Measure; 2]| measures.map(|measure| caches.median(measure));
    let held = |own, other| both([Measure::Held(own), Measure::Held(other)]);
    let usual = held(Holder::Kb, Holder::Kube);
    let per_object = usual.map(|mebibytes| Some(mebibytes? * 1024.0 / f64::from(cache::OBJECTS)));
    let count = cache::OBJECTS;
    vec![
        compared(
            &format!("{count} objects in cache"),
            "MiB",
            usual,
            Some(Target::Below),
        ),
        compared("of these each", "KiB", per_object, None),
        compared(
            "kb keeps no managedFields",
            "MiB",
            held(Holder::KbTrimmed, Holder::Kube),
            None,
        ),
        compared(
            "neither keeps managedFields",
            "MiB",
            held(Holder::KbTrimmed, Holder::KubeTrimmed),
            None,
        ),
        compared(
            "peak while listing",
            "MiB",
            both([Measure::Peak(Holder::Kb), Measure::Peak(Holder::Kube)]),
            None,
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_that_are_far_apart_are_readable() {
        let row = duration("by owner", [Some(250.0), Some(2_500_000.0)]);
        assert_eq!(row, ["by owner", "250 ns", "2500 µs", "1/10000", ""]);
        let row = duration("by name", [Some(120.0), Some(100.0)]);
        assert_eq!(row, ["by name", "120 ns", "100 ns", "1.20", ""]);
    }

    #[test]
    fn the_target_is_for_what_kb_adds() {
        let row = overhead("a reconcile", [Some(24.0), Some(5.0)]);
        assert_eq!(row[4], "+19.0 µs, under 20 µs: met");
        let row = overhead("a reconcile", [Some(25.0), Some(5.0)]);
        assert_eq!(row[4], "+20.0 µs, under 20 µs: missed");
        let row = overhead("a reconcile", [None, Some(5.0)]);
        assert_eq!(row[4], "under 20 µs: not measured");
    }
}
