//! The reports of the two sections.

use super::{
    compile::{Build, Comparison},
    controller_gen::VERSION,
    kinds::count,
    session::{Measure, SIZES, Session, Subject},
    style::KINDS,
};
use crate::{
    kubebuilder::Absence,
    samples::Samples,
    table::{Row, Target, aligned, compared, shown},
};

const GENERATE: [&str; 5] = ["generate", "kb-rs", "controller-gen", "ratio", "target"];
const COMPILE: [&str; 5] = ["cargo build", "kb", "kube derives", "ratio", "target"];

/// Of controller-gen's time.
const SHARE: f64 = 0.1;
/// The sizes that the share is wanted at.
const WANTED_AT: [usize; 2] = [10, 100];
/// Of the time per kind in a project of a tenth of the size: linear, but for noise.
const GROWTH: f64 = 1.2;

/// The report of `generate`.
pub(crate) fn generate(session: &Session<'_>, machine: &str) -> String {
    let rival = session.rival.as_ref().ok();
    let own = &session.kb_rs.samples;
    let other = rival.map(|subject: &Subject| &subject.samples);
    let rows = generate_rows(own, other);
    format!(
        "\n{}\n{}",
        aligned(GENERATE, &rows),
        generate_notes(session, machine)
    )
}

fn generate_rows(own: &Samples<Measure>, other: Option<&Samples<Measure>>) -> Vec<Row> {
    let time = |name: String, measure, target| {
        let figure = |samples: &Samples<Measure>| samples.median(measure);
        compared(&name, "ms", [figure(own), other.and_then(figure)], target)
    };
    let memory = |size| {
        let figure = |samples: &Samples<Measure>| samples.largest(Measure::Memory(size));
        let name = format!("memory, {}", count(size));
        compared(&name, "MiB", [figure(own), other.and_then(figure)], None)
    };
    let share = |size| WANTED_AT.contains(&size).then_some(Target::AtMost(SHARE));
    let edits = SIZES.map(|size| {
        time(
            format!("after an edit, {}", count(size)),
            Measure::Edit(size),
            share(size),
        )
    });
    let repeats = SIZES.map(|size| {
        time(
            format!("no change, {}", count(size)),
            Measure::NoChange(size),
            None,
        )
    });
    let growths = [(10, 100), (100, 1000)].map(|(from, to)| growth(from, to, own, other));
    let memories = SIZES.map(memory);
    [&edits[..], &repeats, &growths, &memories].concat()
}

/// How the time per kind grows after an edit; the target is for kb-rs alone.
fn growth(from: usize, to: usize, own: &Samples<Measure>, other: Option<&Samples<Measure>>) -> Row {
    // Each size is ten times the one before it.
    let per_kind = |samples: &Samples<Measure>| {
        Some(samples.growth(Measure::Edit(from), Measure::Edit(to))? / 10.0)
    };
    let own = per_kind(own);
    let figure = |value: Option<f64>| shown(value, |value| format!("{value:.2} x"));
    [
        format!("{to} / {from} kinds, per kind"),
        figure(own),
        figure(other.and_then(per_kind)),
        String::new(),
        Target::AtMost(GROWTH).verdict(own),
    ]
}

fn generate_notes(session: &Session<'_>, machine: &str) -> String {
    let rival = match &session.rival {
        Ok(_) => format!(
            "{VERSION}, crd, rbac and webhook, warm, on the same kinds and fields in Go: the API package with its deepcopy code, no controllers"
        ),
        Err(Absence::NoGo) => "not measured, because there is no `go` to build it with".to_owned(),
        Err(Absence::Failed(_)) => {
            "not measured, because it failed: the reason is above".to_owned()
        }
    };
    format!(
        "machine         {machine}\n\
         project         one file per kind, 12 fields in the spec, 5 in the status; edits change a doc line and rename a field\n\
         runs            medians of {}, of {} for 1000 kinds; the largest of a few for memory\n\
         time            wall time of the whole process, standard output thrown away\n\
         memory          after an edit; {}\n\
         controller-gen  {rival}\n",
        session.rounds(1),
        session.rounds(1000),
        session.meter.describe()
    )
}

/// The report of `compile`.
pub(crate) fn compile(comparison: &Comparison, machine: &str) -> String {
    let row = |name: &str, build| {
        let figures = [&comparison.kb, &comparison.kube].map(|samples| samples.median(build));
        compared(name, "ms", figures, Some(Target::AtMost(1.0)))
    };
    let rows = [
        row("the whole API crate", Build::Whole),
        row("after an edit of one kind", Build::Edit),
    ];
    format!(
        "\n{}\n\
         machine       {machine}\n\
         crate         {KINDS} kinds, one file per kind, dependencies built before; debug = \"line-tables-only\", as in a generated project\n\
         runs          medians of {}\n\
         time          wall time of `cargo build`; for the whole crate nothing of an earlier build of it is used\n\
         kb            #[kb::resource] and #[kb::object]\n\
         kube derives  kube::CustomResource, KubeSchema, schemars::JsonSchema and serde on the same fields with the same validation\n",
        aligned(COMPILE, &rows),
        comparison.rounds
    )
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn linear(milliseconds_per_kind: u64) -> Samples<Measure> {
        let mut samples = Samples::default();
        for (kinds, size) in [1, 10, 100, 1000].into_iter().zip(SIZES) {
            let time = Duration::from_millis(kinds * milliseconds_per_kind);
            samples.time(Measure::Edit(size), time);
        }
        samples
    }

    #[test]
    fn targets_are_the_share_at_two_sizes_and_the_growth() {
        let rows = generate_rows(&linear(1), Some(&linear(20)));
        let targets: Vec<_> = rows
            .iter()
            .filter(|row| !row[4].is_empty())
            .map(|row| [&row[0], &row[4]].map(String::as_str))
            .collect();
        assert_eq!(
            targets,
            [
                ["after an edit, 10 kinds", "at most 0.10: met"],
                ["after an edit, 100 kinds", "at most 0.10: met"],
                ["100 / 10 kinds, per kind", "at most 1.20: met"],
                ["1000 / 100 kinds, per kind", "at most 1.20: met"],
            ]
        );
    }
}
