//! Peak resident memory of one call, and the memory of this process itself.
//!
//! The exact way is the kernel's own account, which `wait4` gives and the standard library does not: GNU time prints it. Without GNU
//! time, Linux shows the same figure while the process lives, and it is read again and again until the process ends; what grows in
//! the last moment is missed, the more so on a busy machine, which is why the largest of several calls counts. Elsewhere memory is
//! not measured.

use std::{
    ffi::OsString,
    fs,
    path::Path,
    process::{Command, Stdio},
};

use anyhow::{Context, Result, ensure};
use tempfile::TempDir;

use crate::{
    call::{line, timed},
    tool::Tool,
};

/// A way to measure memory.
#[derive(Debug)]
pub(crate) enum Meter {
    /// GNU time, which writes its figure into a file in this folder.
    GnuTime(TempDir),
    /// Reading /proc while the process runs.
    Proc,
    /// There is none.
    Absent,
}

impl Meter {
    /// The best way there is on this machine.
    pub(crate) fn detect() -> Result<Self> {
        let folder = TempDir::new().context("cannot make a temporary folder")?;
        let [program, rest @ ..] = gnu_time(folder.path());
        let mut trial = Command::new(program);
        trial.args(rest).args(["sh", "-c", ":"]);
        if timed(&mut trial).is_ok() && reading(folder.path()).is_ok() {
            return Ok(Self::GnuTime(folder));
        }
        Ok(peak_so_far("self").map_or(Self::Absent, |_| Self::Proc))
    }

    /// How memory is measured, for the report.
    pub(crate) fn describe(&self) -> &'static str {
        match self {
            Self::GnuTime(_) => {
                "the kernel's peak resident set, by GNU time (%M); the largest process of the command counts"
            }
            Self::Proc => {
                "VmHWM of the process, read from /proc until it ends; a last-moment peak is missed"
            }
            Self::Absent => "n/a: there is neither GNU time nor /proc/PID/status here",
        }
    }

    /// The peak of one call in KiB; none where it cannot be measured.
    pub(crate) fn peak(
        &self,
        tool: &Tool,
        folder: &Path,
        arguments: &[&str],
    ) -> Result<Option<u32>> {
        match self {
            Self::GnuTime(own) => {
                timed(&mut tool.command(folder, &gnu_time(own.path()), arguments))?;
                reading(own.path()).map(Some)
            }
            Self::Proc => polled(&mut tool.command(folder, &[], arguments)),
            Self::Absent => {
                timed(&mut tool.command(folder, &[], arguments))?;
                Ok(None)
            }
        }
    }
}

/// GNU time, told to write the peak in KiB into a file of `folder`. The shells' own `time` cannot.
fn gnu_time(folder: &Path) -> [OsString; 5] {
    let file = folder.join(READING).into_os_string();
    ["time".into(), "-f".into(), "%M".into(), "-o".into(), file]
}

const READING: &str = "peak";

fn reading(folder: &Path) -> Result<u32> {
    let text = fs::read_to_string(folder.join(READING)).context("time wrote nothing")?;
    text.trim()
        .parse()
        .with_context(|| format!("time wrote `{}` instead of a number", text.trim()))
}

/// Runs a command and looks at its peak as often as possible.
fn polled(command: &mut Command) -> Result<Option<u32>> {
    let mut child = command
        .stderr(Stdio::null())
        .spawn()
        .with_context(|| format!("cannot start {}", line(command)))?;
    let process = child.id().to_string();
    let mut peak = None;
    let status = loop {
        peak = peak.max(peak_so_far(&process));
        if let Some(status) = child.try_wait().context("cannot wait for a process")? {
            break status;
        }
    };
    ensure!(status.success(), "{} failed ({status})", line(command));
    Ok(peak)
}

/// A process's peak in KiB; none once it has ended.
pub(crate) fn peak_so_far(process: &str) -> Option<u32> {
    figure(&status(process)?, "VmHWM:")
}

fn status(process: &str) -> Option<String> {
    fs::read_to_string(format!("/proc/{process}/status")).ok()
}

/// A figure of a status, in KiB.
fn figure(status: &str, name: &str) -> Option<u32> {
    let figure = status.lines().find_map(|line| line.strip_prefix(name))?;
    figure.trim().strip_suffix(" kB")?.parse().ok()
}

/// The memory of this process.
#[derive(Debug)]
pub(crate) struct Resident {
    /// What is resident, in KiB.
    pub(crate) kibibytes: u32,
    /// The most so far.
    pub(crate) peak: u32,
}

impl Resident {
    /// As of now; none where there is no /proc.
    pub(crate) fn now() -> Option<Self> {
        let status = status("self")?;
        Some(Self {
            kibibytes: figure(&status, "VmRSS:")?,
            peak: figure(&status, "VmHWM:")?,
        })
    }
}
