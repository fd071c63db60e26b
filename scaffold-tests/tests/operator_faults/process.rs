//! The operator as a process, with its log.
//!
//! It runs under a shell that reads a pipe of the test, and is killed when the test ends in any way.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

use serde_json::Value;
use tokio::time::{Instant, sleep};

/// Runs a program until the pipe on standard input is closed. `$1` is the file for its process id, `$2` for its exit code.
const GUARD: &str = r#"
exec 3<&0 </dev/null
pid=$1 exit_code=$2
shift 2
"$@" 3<&- &
operator=$!
echo "$operator" >"$pid.new" && mv "$pid.new" "$pid"
{
    read -r _ <&3
    kill -KILL "$operator" 2>/dev/null
} &
watcher=$!
exec 3<&-
wait "$operator"
echo $? >"$exit_code"
kill -KILL "$watcher" 2>/dev/null
"#;

/// A running or exited operator.
pub(crate) struct Process {
    guard: Child,
    dir: PathBuf,
}

impl Process {
    /// Starts it with a kubeconfig and more flags. Its files are in `dir`.
    pub(crate) fn start(program: &Path, dir: &Path, kubeconfig: &str, flags: &[&str]) -> Self {
        fs::create_dir_all(dir).unwrap();
        let config = dir.join("kubeconfig");
        fs::write(&config, kubeconfig).unwrap();
        let log = File::create(dir.join("log")).unwrap();
        let guard = Command::new("sh")
            .args(["-c", GUARD, "sh"])
            .args([dir.join("pid"), dir.join("exit_code")])
            .arg(program)
            .arg("--kubeconfig")
            .arg(&config)
            .args(["--health-probe-bind-address=0", "--log-format=json"])
            .args(flags)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .unwrap();
        Self {
            guard,
            dir: dir.to_owned(),
        }
    }

    /// Returns its process id.
    pub(crate) async fn id(&self) -> String {
        let start = Instant::now();
        loop {
            if let Ok(id) = fs::read_to_string(self.dir.join("pid")) {
                return id.trim().to_owned();
            }
            assert!(
                start.elapsed() < Duration::from_secs(10),
                "the operator did not start"
            );
            sleep(Duration::from_millis(10)).await;
        }
    }

    /// Sends a signal, such as `KILL`.
    pub(crate) async fn signal(&self, signal: &str) {
        send(signal, &self.id().await);
    }

    /// Returns whether it is running.
    pub(crate) fn is_running(&self) -> bool {
        !self.dir.join("exit_code").exists()
    }

    /// Returns its exit code, once it has exited.
    pub(crate) fn exit_code(&self) -> Option<String> {
        let code = fs::read_to_string(self.dir.join("exit_code")).ok()?;
        Some(code.trim().to_owned())
    }

    /// Returns the lines of its log.
    pub(crate) fn log(&self) -> Vec<Value> {
        let text = fs::read_to_string(self.dir.join("log")).unwrap();
        text.lines()
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect()
    }

    /// Returns whether a line of its log contains all of these texts.
    pub(crate) fn has_logged(&self, texts: &[&str]) -> bool {
        self.log().iter().any(|line| {
            let line = line.to_string();
            texts.iter().all(|text| line.contains(text))
        })
    }

    /// Returns whether it has become the leader.
    pub(crate) fn has_acquired_lease(&self) -> bool {
        self.has_logged(&["successfully acquired lease"])
    }

    /// Returns whether it has seen another leader.
    pub(crate) fn is_standby(&self) -> bool {
        self.has_logged(&["new leader elected"])
    }

    /// Returns its peak memory in MiB, if the system reports it.
    pub(crate) async fn peak_memory(&self) -> Option<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.id().await)).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
        let kibibytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
        Some(kibibytes / 1024)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let log = fs::read_to_string(self.dir.join("log")).unwrap_or_default();
            let last: Vec<&str> = log.lines().rev().take(40).collect();
            eprintln!("end of the operator's log:");
            for line in last.iter().rev() {
                eprintln!("{line}");
            }
        }
        drop(self.guard.stdin.take());
        let _ = self.guard.wait();
    }
}

/// Sends a signal to a process.
pub(crate) fn send(signal: &str, process: &str) {
    let sent = Command::new("kill").args(["-s", signal, process]).status();
    assert!(sent.unwrap().success(), "SIG{signal} to {process}");
}
