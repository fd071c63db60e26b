//! kb-rs and the Go tool it is compared with.

use anyhow::{Error, Result};

use crate::samples::Samples;

/// A measured program and its samples.
#[derive(Debug)]
pub(crate) struct Subject<T> {
    pub(crate) program: T,
    pub(crate) samples: Samples,
}

/// Two subjects. A failure of the Go tool ends its measurement, not that of kb-rs.
#[derive(Debug)]
pub(crate) struct Pair<T> {
    pub(crate) kb_rs: Subject<T>,
    pub(crate) other: Result<Subject<T>>,
}

impl<T> Subject<T> {
    fn new(program: T) -> Self {
        Self {
            program,
            samples: Samples::default(),
        }
    }
}

impl<T> Pair<T> {
    pub(crate) fn new(kb_rs: T, other: Result<T>) -> Self {
        let mut pair = Self {
            kb_rs: Subject::new(kb_rs),
            other: other.map(Subject::new),
        };
        if let Err(error) = &mut pair.other {
            report_failure(error);
        }
        pair
    }

    /// Runs a step with both.
    pub(crate) fn each(
        &mut self,
        mut step: impl FnMut(&mut Subject<T>) -> Result<()>,
    ) -> Result<()> {
        step(&mut self.kb_rs)?;
        if let Ok(other) = &mut self.other
            && let Err(error) = step(other)
        {
            self.fail_other(error);
        }
        Ok(())
    }

    pub(crate) fn fail_other(&mut self, error: Error) {
        report_failure(&error);
        self.other = Err(error);
    }

    pub(crate) fn other_samples(&self) -> Option<&Samples> {
        self.other.as_ref().ok().map(|other| &other.samples)
    }

    /// Returns `description`, or why the Go tool was not measured.
    pub(crate) fn describe_other(&self, description: &str) -> String {
        match &self.other {
            Ok(_) => description.to_owned(),
            Err(error) => format!("not measured: {error}"),
        }
    }
}

fn report_failure(error: &Error) {
    eprintln!("bench: continuing without the Go tool: {error:#}");
}
