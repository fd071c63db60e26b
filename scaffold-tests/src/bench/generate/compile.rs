//! Which builds the compile time is measured by, and in which order: the two styles take turns.

use anyhow::{Context, Result};

use super::{kinds::Spelling, style::Style};
use crate::{options::Options, samples::Samples};

/// A build of an API crate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Build {
    /// Of the whole crate.
    Whole,
    /// After an edit of one kind.
    Edit,
}

/// The figures of both styles.
#[derive(Debug)]
pub(crate) struct Comparison {
    pub(crate) rounds: usize,
    pub(crate) kb: Samples<Build>,
    pub(crate) kube: Samples<Build>,
}

/// Makes all builds.
pub(crate) fn run(options: &Options) -> Result<Comparison> {
    let rounds = options.series();
    let mut comparison = Comparison {
        rounds,
        kb: Samples::default(),
        kube: Samples::default(),
    };
    let mut kube = prepared(Spelling::Kube)?;
    let mut kb = prepared(Spelling::Kb)?;
    for round in 1..=rounds {
        eprintln!("bench: compile: {round} of {rounds}");
        measure(&mut kb, &mut comparison.kb)?;
        measure(&mut kube, &mut comparison.kube)?;
    }
    Ok(comparison)
}

fn prepared(spelling: Spelling) -> Result<Style> {
    eprintln!("bench: compile: building dependencies, {spelling:?} (once, minutes)...");
    let style = Style::write(spelling)?;
    style
        .prepare()
        .with_context(|| format!("the API in the style {spelling:?} does not build"))?;
    Ok(style)
}

fn measure(style: &mut Style, samples: &mut Samples<Build>) -> Result<()> {
    samples.time(Build::Whole, style.build()?);
    samples.time(Build::Edit, style.edit()?);
    Ok(())
}
