//! An operator as a process: its readiness, CPU time and memory.

use std::{
    fs::{self, File},
    path::PathBuf,
    process::Child,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use tokio::time::sleep;

use super::ControlPlane;
use crate::tool::{Tool, peak_memory_of};

/// Clock ticks per second in /proc, 100 on every Linux.
const TICKS_PER_SECOND: f64 = 100.0;
/// Share of a core below which a process counts as idle, over [`INTERVAL`].
const IDLE: f64 = 0.1;
const INTERVAL: Duration = Duration::from_secs(2);
const IDLE_TIMEOUT: Duration = Duration::from_secs(60);

/// A running operator. Killed on drop.
#[derive(Debug)]
pub(crate) struct Operator {
    child: Child,
    log: PathBuf,
}

impl Operator {
    /// Starts an operator for one namespace, without leader election and metrics.
    pub(crate) fn start(program: &Tool, plane: &ControlPlane, namespace: &str) -> Result<Self> {
        let log = plane.dir.path().join(format!("{namespace}.log"));
        let file = File::create(&log)?;
        let kubeconfig = format!("--kubeconfig={}", plane.kubeconfig.path().display());
        let args = [&kubeconfig, "--health-probe-bind-address=0"];
        let mut command = program.command(plane.dir.path(), &args);
        command.env("WATCH_NAMESPACE", namespace);
        command.stdout(file.try_clone()?).stderr(file);
        let child = command.spawn().context("failed to start the operator")?;
        Ok(Self { child, log })
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn check_running(&mut self) -> Result<()> {
        if let Some(status) = self.child.try_wait()? {
            bail!("the operator exited ({status}):\n{}", self.log_tail());
        }
        Ok(())
    }

    pub(crate) fn log_tail(&self) -> String {
        let log = fs::read(&self.log).unwrap_or_default();
        let log = String::from_utf8_lossy(&log);
        let lines: Vec<_> = log.lines().collect();
        lines[lines.len().saturating_sub(5)..].join("\n")
    }

    pub(crate) fn cpu_time(&self) -> Option<f64> {
        cpu_time(self.pid())
    }

    pub(crate) fn peak_memory(&self) -> Option<f64> {
        peak_memory_of(self.pid())
    }
}

impl Drop for Operator {
    fn drop(&mut self) {
        // It may have exited.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits until processes are idle, at most [`IDLE_TIMEOUT`].
pub(crate) async fn wait_until_idle(pids: &[u32]) {
    let start = Instant::now();
    let total = || -> f64 { pids.iter().copied().filter_map(cpu_time).sum() };
    let mut before = total();
    loop {
        sleep(INTERVAL).await;
        let now = total();
        if now - before < IDLE * INTERVAL.as_secs_f64() || start.elapsed() > IDLE_TIMEOUT {
            return;
        }
        before = now;
    }
}

/// Returns user and system time in seconds.
fn cpu_time(pid: u32) -> Option<f64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The second field, the name in parentheses, may contain anything.
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_whitespace().skip(11);
    let mut next = || fields.next()?.parse::<f64>().ok();
    Some((next()? + next()?) / TICKS_PER_SECOND)
}
