//! `kb-rs generate` for 1 to 1000 kinds, compared with controller-gen on the same API in Go.
//!
//! Each tool has one project that grows. Both run once at each size before anything is measured: the figures are those of the second
//! edit of the day.

mod project;

use anyhow::{Context, Result};

use crate::{
    Options,
    pair::{Pair, Subject},
    report::{Report, Unit},
    tool::{CONTROLLER_GEN_VERSION, Tool, timed},
};
use project::Project;

const SIZES: [usize; 4] = [1, 10, 100, 1000];
/// Highest acceptable ratio to controller-gen's time, by number of kinds.
const TARGETS: [(usize, f64); 2] = [(100, 0.15), (1000, 0.25)];

struct Generator {
    tool: Tool,
    go: Option<Tool>,
    args: &'static [&'static str],
    project: Project,
}

impl Generator {
    fn kb_rs() -> Result<Self> {
        let tool = Tool::kb_rs()?;
        Ok(Self {
            project: Project::rust(&tool)?,
            tool,
            go: None,
            args: &["generate"],
        })
    }

    fn controller_gen() -> Result<Self> {
        Ok(Self {
            project: Project::go()?,
            tool: Tool::controller_gen()?,
            go: Some(Tool::go()?),
            args: &[
                "crd",
                "rbac:roleName=manager-role",
                "webhook",
                "paths=./...",
                "output:crd:artifacts:config=config/crd/bases",
            ],
        })
    }

    fn grow(&mut self, size: usize) -> Result<()> {
        if let Some(go) = &self.go {
            self.project.grow_go(go, &self.tool, size)?;
            self.tool.run(self.project.dir(), self.args)?;
        } else {
            self.project.grow_rust(&self.tool, size)?;
            // Without cargo, to prove that the sources alone are read.
            let mut command = self.tool.command(self.project.dir(), self.args);
            timed(command.env("PATH", "")).context("generate needs a build")?;
        }
        self.project.check_all()
    }
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let mut pair = Pair::new(Generator::kb_rs()?, Generator::controller_gen());
    for size in SIZES {
        eprintln!("bench: generate, {}: creating the projects", kinds(size));
        pair.each(|subject| subject.program.grow(size))?;
        let runs = if size < 1000 {
            options.runs
        } else {
            options.slow_runs()
        };
        for run in 1..=runs {
            eprintln!("bench: generate, {}: {run} of {runs}", kinds(size));
            pair.each(|subject| measure(subject, size))?;
        }
    }
    let mut report = Report::new("generate", "controller-gen");
    for size in SIZES {
        let target = TARGETS.iter().find(|(at, _)| *at == size);
        let target = target.map(|(_, target)| *target);
        report.compare(&pair, &edit(size), Unit::Milliseconds, target);
    }
    for size in SIZES {
        report.compare(&pair, &unchanged(size), Unit::Milliseconds, None);
    }
    for (from, to) in [(10, 100), (100, 1000)] {
        report.growth(&pair, [&edit(from), &edit(to)], 10.0, 1.2);
    }
    for size in SIZES {
        report.compare(&pair, &memory(size), Unit::Mebibytes, None);
    }
    let other = pair.describe_other("crd, rbac and webhook on an API package without controllers");
    report.print(&format!(
        "controller-gen {CONTROLLER_GEN_VERSION}: {other}\n\
         medians of {} runs, {} for 1000 kinds; wall time of the whole process; one file per kind with 12 spec fields; \
         an edit changes a doc comment and renames a field; growth is per kind",
        options.runs,
        options.slow_runs()
    ));
    Ok(())
}

fn measure(subject: &mut Subject<Generator>, size: usize) -> Result<()> {
    let Subject { program, samples } = subject;
    program.project.edit()?;
    let dir = program.project.dir();
    samples.time(edit(size), program.tool.run(dir, program.args)?);
    program.project.check_edit()?;
    samples.time(unchanged(size), program.tool.run(dir, program.args)?);
    if let Some(peak) = program.tool.peak_memory(dir, program.args)? {
        samples.push(memory(size), peak);
    }
    Ok(())
}

fn kinds(size: usize) -> String {
    format!("{size} kind{}", if size == 1 { "" } else { "s" })
}

fn edit(size: usize) -> String {
    format!("{} after an edit", kinds(size))
}

fn unchanged(size: usize) -> String {
    format!("{} unchanged", kinds(size))
}

fn memory(size: usize) -> String {
    format!("{} memory", kinds(size))
}
