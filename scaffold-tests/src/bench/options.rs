//! The arguments of the benchmark.

use anyhow::{Context, Result, bail, ensure};

use crate::runtime::{HOLD, Holder};

/// What `--help` prints.
pub(crate) const HELP: &str = "\
Measures kb-rs, and what it is compared with where that can be had.

Usage: bench [create] [generate] [compile] [runtime] [control-plane] [operators]
             [--runs N] [--objects N]

  create         init and create api, beside Kubebuilder where go is installed
  generate       generate in projects of 1 to 1000 kinds, beside controller-gen
                 where go is installed
  compile        building 100 kinds with #[kb::resource], beside plain kube
                 derives; needs crates from the registry, and minutes
  runtime        what the library costs an operator, beside plain kube: look-ups
                 in 100 000 objects, the wrapper around each reconcile, the
                 memory of 10 000 objects in cache; needs no API server
  control-plane  how long kb-envtest's control plane takes to start, and an
                 operator to be ready
  operators      an operator at work on 3000 and on 10 000 objects, beside one
                 of Kubebuilder where go is installed: time, requests, processor
                 time, memory
  --runs N       calls per measure (default: 15); of the long ones (1000 kinds,
                 builds, control planes, operators at work) and of those for
                 memory there are at most 5
  --objects N    so many objects for operators, for a quick try
  --help         print this text

Without a word it measures all six. The last two need the binaries of a control
plane, which `make control-plane` builds, and crates from the registry; the first
time they build operators for minutes. It measures the kb-rs that is beside its
own executable, and the library that is in it. What it is compared with is built
once, into ${XDG_CACHE_HOME:-~/.cache}/kb-rs/bench.
";

const DEFAULT_RUNS: usize = 15;
const MOST_SERIES: usize = 5;
const DEFAULT_OBJECTS: [u32; 2] = [3000, 10_000];

/// What the caller wants.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Request {
    Measure(Options),
    /// Fill a cache and say what it takes: the benchmark asks itself for it.
    Hold(Holder),
    Help,
}

/// A part of the benchmark, with a report of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Section {
    Create,
    Generate,
    Compile,
    Runtime,
    ControlPlane,
    Operators,
}

impl Section {
    const ALL: [Self; 6] = [
        Self::Create,
        Self::Generate,
        Self::Compile,
        Self::Runtime,
        Self::ControlPlane,
        Self::Operators,
    ];

    /// As it is asked for.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Generate => "generate",
            Self::Compile => "compile",
            Self::Runtime => "runtime",
            Self::ControlPlane => "control-plane",
            Self::Operators => "operators",
        }
    }
}

/// How much to measure.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Options {
    /// What is measured, in this order.
    pub(crate) sections: Vec<Section>,
    /// Calls per measure.
    pub(crate) runs: usize,
    /// How many objects operators work on.
    pub(crate) objects: Vec<u32>,
}

impl Options {
    /// How often the long measure and those of memory are made.
    pub(crate) fn series(&self) -> usize {
        self.runs.min(MOST_SERIES)
    }
}

/// Reads the arguments.
pub(crate) fn parse(arguments: impl IntoIterator<Item = String>) -> Result<Request> {
    let mut options = Options {
        sections: Vec::new(),
        runs: DEFAULT_RUNS,
        objects: DEFAULT_OBJECTS.to_vec(),
    };
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--help" | "-h" => return Ok(Request::Help),
            HOLD => {
                let holder = arguments.next().context("it needs the name of a cache")?;
                return Ok(Request::Hold(holder.parse()?));
            }
            "--runs" => options.runs = number("--runs", arguments.next())? as usize,
            "--objects" => options.objects = vec![number("--objects", arguments.next())?],
            word => {
                let section = Section::ALL.into_iter().find(|known| known.name() == word);
                let Some(section) = section else {
                    bail!("unknown argument `{word}`");
                };
                if !options.sections.contains(&section) {
                    options.sections.push(section);
                }
            }
        }
    }
    if options.sections.is_empty() {
        options.sections = Section::ALL.to_vec();
    }
    Ok(Request::Measure(options))
}

fn number(flag: &str, value: Option<String>) -> Result<u32> {
    let value = value.with_context(|| format!("{flag} needs a number"))?;
    let number = value
        .parse()
        .with_context(|| format!("{flag} needs a number, not `{value}`"))?;
    ensure!(number > 0, "{flag} needs at least 1");
    Ok(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(arguments: &[&str]) -> Result<Request> {
        parse(arguments.iter().map(ToString::to_string))
    }

    #[test]
    fn runs_are_taken_from_the_flag_or_the_default() {
        for (arguments, runs) in [(&[][..], DEFAULT_RUNS), (&["--runs", "3"], 3)] {
            let expected = Options {
                sections: Section::ALL.to_vec(),
                runs,
                objects: DEFAULT_OBJECTS.to_vec(),
            };
            assert_eq!(parsed(arguments).unwrap(), Request::Measure(expected));
        }
    }

    #[test]
    fn a_number_of_objects_stands_in_for_all_sizes() {
        let Request::Measure(options) = parsed(&["operators", "--objects", "300"]).unwrap() else {
            panic!("it asks for no help");
        };
        assert_eq!(options.objects, [300]);
    }

    #[test]
    fn sections_are_measured_in_the_order_they_are_named() {
        let Request::Measure(options) = parsed(&["compile", "create", "compile"]).unwrap() else {
            panic!("it asks for no help");
        };
        assert_eq!(options.sections, [Section::Compile, Section::Create]);
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for arguments in [
            &["--runs"][..],
            &["--runs", "0"],
            &["--runs", "x"],
            &["--objects"],
            &["--objects", "0"],
            &["--hold"],
            &["--hold", "x"],
            &["fast"],
        ] {
            assert!(parsed(arguments).is_err(), "{arguments:?}");
        }
    }
}
