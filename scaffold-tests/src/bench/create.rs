//! `init` and `create api`, compared with Kubebuilder.

use std::{fs, path::Path, time::Duration};

use anyhow::{Context, Result, ensure};
use tempfile::TempDir;

use crate::{
    Options,
    pair::{Pair, Subject},
    report::{Report, Unit},
    tool::{KUBEBUILDER_VERSION, Tool},
};

const HELP: &str = "start-up (--help)";
const INIT: &str = "init";
const CREATE_API: &str = "create api";
const BOTH: &str = "init + create api";
const FIRST: &str = "1st create api";
const HUNDREDTH: &str = "100th create api";
const MEMORY: &str = "memory of create api";

/// A tool and its flags.
pub(crate) struct Scaffolder {
    tool: Tool,
    init: &'static [&'static str],
    create_api: &'static [&'static str],
}

impl Scaffolder {
    fn kb_rs() -> Result<Self> {
        Ok(Self {
            tool: Tool::kb_rs()?,
            init: &["init", "--domain=example.com", "--project-name=demo"],
            create_api: &["--resource", "--controller"],
        })
    }

    pub(crate) fn kubebuilder() -> Result<Self> {
        Ok(Self {
            tool: Tool::kubebuilder()?,
            init: &[
                "init",
                "--domain=example.com",
                "--repo=example.com/demo",
                "--project-name=demo",
                "--fetch-deps=false",
                "--skip-go-version-check",
            ],
            create_api: &["--resource", "--controller", "--make=false"],
        })
    }

    pub(crate) fn init(&self, dir: &Path) -> Result<Duration> {
        self.tool.run(dir, self.init)
    }

    pub(crate) fn create_api(&self, dir: &Path, group: &str, kind: &str) -> Result<Duration> {
        let group = format!("--group={group}");
        let kind_flag = format!("--kind={kind}");
        let args = ["create", "api", &group, "--version=v1", &kind_flag];
        let time = self.tool.run(dir, &[&args, self.create_api].concat())?;
        let project = fs::read_to_string(dir.join("PROJECT")).context("PROJECT is missing")?;
        let entry = format!("kind: {kind}");
        ensure!(
            project.lines().any(|line| line.trim() == entry),
            "PROJECT does not list {kind}"
        );
        Ok(time)
    }
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let mut pair = Pair::new(Scaffolder::kb_rs()?, Scaffolder::kubebuilder());
    // Warms up the file system's cache.
    pair.each(|subject| measure(subject).map(drop))?;
    pair.each(|subject| {
        subject.samples = crate::samples::Samples::default();
        Ok(())
    })?;
    for run in 1..=options.runs {
        eprintln!("bench: create: {run} of {}", options.runs);
        pair.each(measure)?;
    }
    for run in 1..=options.slow_runs() {
        eprintln!("bench: create, 100 kinds: {run} of {}", options.slow_runs());
        pair.each(measure_growth)?;
    }
    let mut report = Report::new("create", "Kubebuilder");
    report.compare(&pair, HELP, Unit::Milliseconds, Some(1.0));
    report.compare(&pair, INIT, Unit::Milliseconds, None);
    report.compare(&pair, CREATE_API, Unit::Milliseconds, None);
    report.compare(&pair, BOTH, Unit::Milliseconds, Some(0.5));
    report.compare(&pair, FIRST, Unit::Milliseconds, None);
    report.compare(&pair, HUNDREDTH, Unit::Milliseconds, None);
    report.growth(&pair, [FIRST, HUNDREDTH], 1.0, 1.5);
    report.compare(&pair, MEMORY, Unit::Mebibytes, None);
    let other = pair.describe_other("`go mod tidy` and `go get` are stubbed out");
    report.print(&format!(
        "Kubebuilder {KUBEBUILDER_VERSION}: {other}\n\
         medians of {} runs, each in a new project; wall time of the whole process",
        options.runs
    ));
    Ok(())
}

fn measure(subject: &mut Subject<Scaffolder>) -> Result<()> {
    let dir = TempDir::new()?;
    let Subject { program, samples } = subject;
    let help = program.tool.run(dir.path(), &["--help"])?;
    let init = program.init(dir.path())?;
    let create_api = program.create_api(dir.path(), "batch", "AppService")?;
    samples.time(HELP, help);
    samples.time(INIT, init);
    samples.time(CREATE_API, create_api);
    samples.time(BOTH, init + create_api);
    Ok(())
}

/// Creates 100 kinds in one project, then one more to measure its memory.
fn measure_growth(subject: &mut Subject<Scaffolder>) -> Result<()> {
    let dir = TempDir::new()?;
    let Subject { program, samples } = subject;
    program.init(dir.path())?;
    for number in 1..=100 {
        let kind = format!("Kind{number:03}");
        let time = program.create_api(dir.path(), "batch", &kind)?;
        match number {
            1 => samples.time(FIRST, time),
            100 => samples.time(HUNDREDTH, time),
            _ => {}
        }
    }
    let args = ["create", "api", "--group=batch", "--version=v1", "--kind=X"];
    let args = [&args, program.create_api].concat();
    if let Some(memory) = program.tool.peak_memory(dir.path(), &args)? {
        samples.push(MEMORY, memory);
    }
    Ok(())
}
