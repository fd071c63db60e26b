//! Samples by measure: the median of times, the largest of peaks.

use std::{collections::BTreeMap, time::Duration};

/// What is measured: wall time in milliseconds, memory in MiB.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Measure {
    /// `--help`: what it takes to start.
    Help,
    /// `init`
    Init,
    /// `create api`, the first of a new project.
    Api,
    /// `init` and the first `create api` of one project together.
    InitAndApi,
    /// The first of 100 calls of `create api` in one project.
    First,
    /// The 100th of them.
    Hundredth,
    /// The first 10 of them.
    FirstTen,
    /// The last 10 of them.
    LastTen,
    /// Peak memory of `--help`.
    HelpMemory,
    /// Peak memory of `init`.
    InitMemory,
    /// Peak memory of the first `create api`.
    ApiMemory,
    /// Peak memory of `create api` in a project that has 100 already.
    LateApiMemory,
}

/// All samples of one tool.
#[derive(Debug)]
pub(crate) struct Samples<M = Measure> {
    values: BTreeMap<M, Vec<f64>>,
}

impl<M> Default for Samples<M> {
    fn default() -> Self {
        Self {
            values: BTreeMap::new(),
        }
    }
}

impl<M: Copy + Ord> Samples<M> {
    /// Adds a wall time.
    pub(crate) fn time(&mut self, measure: M, time: Duration) {
        self.push(measure, time.as_secs_f64() * 1000.0);
    }

    /// Adds a peak of memory, if there is one.
    pub(crate) fn memory(&mut self, measure: M, kibibytes: Option<u32>) {
        if let Some(kibibytes) = kibibytes {
            self.push(measure, f64::from(kibibytes) / 1024.0);
        }
    }

    /// Adds a figure, in the unit that all of its measure have.
    pub(crate) fn push(&mut self, measure: M, value: f64) {
        self.values.entry(measure).or_default().push(value);
    }

    /// The median; none without samples.
    pub(crate) fn median(&self, measure: M) -> Option<f64> {
        median(self.values.get(&measure)?.clone())
    }

    /// The median of the shares of another's samples, where both are measured in turns: what slows the machine down for longer than
    /// a turn slows both down, and is not in the share.
    pub(crate) fn share(&self, other: &Self, measure: M) -> Option<f64> {
        let pairs = self.values.get(&measure)?.iter();
        let pairs = pairs.zip(other.values.get(&measure)?);
        median(pairs.map(|(own, other)| own / other).collect())
    }

    /// The largest; none without samples.
    pub(crate) fn largest(&self, measure: M) -> Option<f64> {
        self.values.get(&measure)?.iter().copied().reduce(f64::max)
    }

    /// The median of one measure over that of another.
    pub(crate) fn growth(&self, from: M, to: M) -> Option<f64> {
        Some(self.median(to)? / self.median(from)?)
    }
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => None,
        length if length % 2 == 1 => Some(values[middle]),
        _ => Some(f64::midpoint(values[middle - 1], values[middle])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(milliseconds: &[u64]) -> Samples {
        let mut samples = Samples::default();
        for time in milliseconds {
            samples.time(Measure::Init, Duration::from_millis(*time));
        }
        samples
    }

    fn median(milliseconds: &[u64]) -> Option<f64> {
        samples(milliseconds).median(Measure::Init)
    }

    #[test]
    fn a_median_is_the_middle_or_between_the_two_in_the_middle() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[9, 1, 2]), Some(2.0));
        assert_eq!(median(&[9, 1, 2, 4]), Some(3.0));
    }

    #[test]
    fn a_share_is_taken_within_each_pair() {
        let share = |own: &[u64], other: &[u64]| {
            let [own, other] = [own, other].map(samples);
            own.share(&other, Measure::Init)
        };
        // The medians, 20 and 20, would say 1.
        assert_eq!(share(&[10, 20, 40], &[20, 40, 10]), Some(0.5));
        assert_eq!(share(&[10, 20], &[20]), Some(0.5));
        assert_eq!(share(&[10], &[]), None);
    }
}
