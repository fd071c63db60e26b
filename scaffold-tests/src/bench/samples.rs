//! Samples of one tool, by the name of the measurement.

use std::{collections::BTreeMap, time::Duration};

#[derive(Debug, Default)]
pub(crate) struct Samples(BTreeMap<String, Vec<f64>>);

impl Samples {
    pub(crate) fn push(&mut self, name: impl Into<String>, value: f64) {
        self.0.entry(name.into()).or_default().push(value);
    }

    /// Adds a wall time, in milliseconds.
    pub(crate) fn time(&mut self, name: impl Into<String>, time: Duration) {
        self.push(name, time.as_secs_f64() * 1000.0);
    }

    pub(crate) fn median(&self, name: &str) -> Option<f64> {
        median(self.0.get(name)?.clone())
    }

    /// Returns the median of the ratios of samples taken in the same turn. Unlike a ratio of medians it is independent of anything that
    /// slows down the machine for longer than a turn.
    pub(crate) fn ratio(&self, other: &Self, name: &str) -> Option<f64> {
        let pairs = self.0.get(name)?.iter().zip(other.0.get(name)?);
        median(pairs.map(|(own, other)| own / other).collect())
    }
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => None,
        len if len % 2 == 1 => Some(values[middle]),
        _ => Some(f64::midpoint(values[middle - 1], values[middle])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_of_an_even_count_is_the_midpoint() {
        assert_eq!(median(vec![]), None);
        assert_eq!(median(vec![9.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(vec![9.0, 1.0, 2.0, 4.0]), Some(3.0));
    }

    #[test]
    fn ratio_is_computed_per_turn() {
        let samples = |values: &[f64]| {
            let mut samples = Samples::default();
            for value in values {
                samples.push("init", *value);
            }
            samples
        };
        // The ratio of the medians would be 1.
        let own = samples(&[10.0, 20.0, 40.0]);
        assert_eq!(own.ratio(&samples(&[20.0, 40.0, 10.0]), "init"), Some(0.5));
        assert_eq!(own.ratio(&samples(&[]), "init"), None);
    }
}
