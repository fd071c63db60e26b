//! The arguments of the benchmark.

use anyhow::{Context, Result, bail, ensure};

/// What `--help` prints.
pub(crate) const HELP: &str = "\
Measures kb-rs, and Kubebuilder beside it where go is installed.

Usage: bench [--runs N]

  --runs N   calls per measure, each in a new project (default: 15); of the long
             measure, 100 calls of `create api` in one project, there are at
             most 5
  --help     print this text

It measures the kb-rs that is beside its own executable. Kubebuilder is built
once, into ${XDG_CACHE_HOME:-~/.cache}/kb-rs/bench.
";

const DEFAULT_RUNS: usize = 15;
const MOST_SERIES: usize = 5;

/// What the caller wants.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Request {
    Measure(Options),
    Help,
}

/// How much to measure.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Options {
    /// Calls per measure.
    pub(crate) runs: usize,
}

impl Options {
    /// How often the long measure and those of memory are made.
    pub(crate) fn series(&self) -> usize {
        self.runs.min(MOST_SERIES)
    }
}

/// Reads the arguments.
pub(crate) fn parse(arguments: impl IntoIterator<Item = String>) -> Result<Request> {
    let mut options = Options { runs: DEFAULT_RUNS };
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--help" | "-h" => return Ok(Request::Help),
            "--runs" => {
                let runs = arguments.next().context("--runs needs a number")?;
                options.runs = runs
                    .parse()
                    .with_context(|| format!("--runs needs a number, not `{runs}`"))?;
                ensure!(options.runs > 0, "--runs needs at least 1");
            }
            other => bail!("unknown argument `{other}`"),
        }
    }
    Ok(Request::Measure(options))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(arguments: &[&str]) -> Result<Request> {
        parse(arguments.iter().map(ToString::to_string))
    }

    #[test]
    fn runs_are_taken_from_the_flag_or_the_default() {
        assert_eq!(
            parsed(&[]).unwrap(),
            Request::Measure(Options { runs: DEFAULT_RUNS })
        );
        assert_eq!(
            parsed(&["--runs", "3"]).unwrap(),
            Request::Measure(Options { runs: 3 })
        );
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for arguments in [
            &["--runs"][..],
            &["--runs", "0"],
            &["--runs", "x"],
            &["fast"],
        ] {
            assert!(parsed(arguments).is_err(), "{arguments:?}");
        }
    }
}
