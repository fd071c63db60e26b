//! An operator as a process: how it is started, and what it takes while it runs.

use std::{
    fs::{self, File},
    io::{Read as _, Write as _},
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    path::PathBuf,
    process::Child,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail, ensure};
use tokio::time::sleep;

use super::Plane;
use crate::{memory::peak_so_far, tool::Tool};

/// Ticks in a second of processor time, as /proc counts: 100 on every Linux.
const TICKS: f64 = 100.0;
/// A process that takes less than this share of a core is at rest.
const REST: f64 = 0.1;
/// How long is looked whether it does.
const GLANCE: Duration = Duration::from_secs(2);
/// When the rest is no longer waited for: something else goes on then.
const UNREST: Duration = Duration::from_secs(60);
/// How long an operator may take to be ready.
const PATIENCE: Duration = Duration::from_secs(60);

/// An operator that is built.
#[derive(Debug)]
pub(crate) struct Program {
    tool: Tool,
    /// Flags of its own.
    arguments: &'static [&'static str],
}

impl Program {
    pub(crate) fn new(binary: PathBuf, arguments: &'static [&'static str]) -> Self {
        Self {
            tool: Tool::plain(binary, Vec::new()),
            arguments,
        }
    }

    /// Starts it for the objects of one namespace: no leader election, no metrics, probes on loopback, its log in a file.
    pub(crate) fn start(&self, plane: &Plane, namespace: &str) -> Result<Running> {
        let probes = free_address()?;
        let log = plane.folder.path().join(format!("{namespace}.log"));
        let file = File::create(&log).with_context(|| format!("cannot make {}", log.display()))?;
        let other = file.try_clone().context("cannot share a log")?;
        let kubeconfig = plane.kubeconfig.path().display();
        let arguments = [
            format!("--kubeconfig={kubeconfig}"),
            format!("--health-probe-bind-address={probes}"),
        ];
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let arguments = [&arguments[..], self.arguments].concat();
        let mut command = self.tool.command(plane.folder.path(), &[], &arguments);
        command.env("WATCH_NAMESPACE", namespace);
        command.stdout(file).stderr(other);
        let child = command.spawn().context("cannot start the operator")?;
        Ok(Running { child, probes, log })
    }
}

/// An operator that runs. It ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Running {
    child: Child,
    probes: SocketAddr,
    log: PathBuf,
}

impl Running {
    /// Waits until it says that it is ready.
    pub(crate) fn ready(&mut self) -> Result<()> {
        let start = Instant::now();
        while !self.is_ready() {
            self.check()?;
            ensure!(
                start.elapsed() < PATIENCE,
                "the operator is not ready after {PATIENCE:?}:\n{}",
                self.last_words()
            );
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok(())
    }

    fn is_ready(&self) -> bool {
        let ask = || -> std::io::Result<String> {
            let mut stream = TcpStream::connect(self.probes)?;
            stream
                .write_all(b"GET /readyz HTTP/1.1\r\nHost: probe\r\nConnection: close\r\n\r\n")?;
            let mut answer = String::new();
            stream.read_to_string(&mut answer)?;
            Ok(answer)
        };
        ask().is_ok_and(|answer| answer.starts_with("HTTP/1.1 200 "))
    }

    /// Fails if it has ended.
    pub(crate) fn check(&mut self) -> Result<()> {
        if let Some(status) = self.child.try_wait().context("cannot wait for a process")? {
            bail!("the operator ended ({status}):\n{}", self.last_words());
        }
        Ok(())
    }

    /// The end of its log.
    pub(crate) fn last_words(&self) -> String {
        let text = fs::read(&self.log).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let lines: Vec<_> = text.lines().rev().take(5).collect();
        lines.into_iter().rev().collect::<Vec<_>>().join("\n")
    }

    /// Waits until it has nothing more to do, or nearly so.
    pub(crate) async fn rests(&self) {
        rest(&[self.child.id()]).await;
    }

    /// Seconds of processor time so far; none where there is no /proc.
    pub(crate) fn processor_time(&self) -> Option<f64> {
        processor_time(self.child.id())
    }

    /// The most memory that it had so far, in KiB.
    pub(crate) fn peak(&self) -> Option<u32> {
        peak_so_far(&self.child.id().to_string())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits until processes are at rest. Where there is no /proc, it waits for one glance.
pub(crate) async fn rest(processes: &[u32]) {
    let start = Instant::now();
    let total = || -> f64 { processes.iter().copied().filter_map(processor_time).sum() };
    let mut before = total();
    loop {
        sleep(GLANCE).await;
        let now = total();
        if now - before < REST * GLANCE.as_secs_f64() || start.elapsed() > UNREST {
            return;
        }
        before = now;
    }
}

fn processor_time(process: u32) -> Option<f64> {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    ticks(&text).map(|ticks| ticks / TICKS)
}

/// User and system time in a line of /proc/PID/stat. The second field, the name, may hold anything.
fn ticks(stat: &str) -> Option<f64> {
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_whitespace().skip(11);
    let mut next = || fields.next()?.parse::<f64>().ok();
    Some(next()? + next()?)
}

fn free_address() -> Result<SocketAddr> {
    let address = || TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr();
    address().context("there is no free port")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processor_time_is_that_of_user_and_system_whatever_the_name_is() {
        let stat = "42 (a) 1 (b)) S 1 42 42 0 -1 4194304 9 8 7 6 250 50 3 4 20 0 5 0 99";
        assert_eq!(ticks(stat), Some(300.0));
        assert_eq!(ticks("42 (a) S 1"), None);
    }
}
