//! The operator as a process, with its log.
//!
//! It runs below a shell that reads a pipe of this process: so it ends with the test, however that ends.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

use serde_json::Value;
use tokio::time::{Instant, sleep};

/// Runs a program until the pipe on standard input closes. `$1` is the file for its process id, `$2` that for how it ended.
const GUARD: &str = r#"
exec 3<&0 </dev/null
pid=$1 ended=$2
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
echo $? >"$ended"
kill -KILL "$watcher" 2>/dev/null
"#;

/// An operator that runs, or has run.
pub(crate) struct Process {
    guard: Child,
    folder: PathBuf,
}

impl Process {
    /// Starts it with a kubeconfig and more flags; its files are put into this folder.
    pub(crate) fn start(program: &Path, folder: &Path, kubeconfig: &str, flags: &[&str]) -> Self {
        fs::create_dir_all(folder).unwrap();
        let config = folder.join("kubeconfig");
        fs::write(&config, kubeconfig).unwrap();
        let log = File::create(folder.join("log")).unwrap();
        let guard = Command::new("sh")
            .args(["-c", GUARD, "sh"])
            .args([folder.join("pid"), folder.join("ended")])
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
            folder: folder.to_owned(),
        }
    }

    /// Its process id.
    pub(crate) async fn id(&self) -> String {
        let start = Instant::now();
        loop {
            if let Ok(id) = fs::read_to_string(self.folder.join("pid")) {
                return id.trim().to_owned();
            }
            assert!(
                start.elapsed() < Duration::from_secs(10),
                "it did not start"
            );
            sleep(Duration::from_millis(10)).await;
        }
    }

    /// Sends it a signal, such as `KILL`.
    pub(crate) async fn signal(&self, signal: &str) {
        send(signal, &self.id().await);
    }

    /// Whether it still runs.
    pub(crate) fn runs(&self) -> bool {
        !self.folder.join("ended").exists()
    }

    /// The exit code of the process as the shell tells it, once it has ended.
    pub(crate) fn ended(&self) -> Option<String> {
        let code = fs::read_to_string(self.folder.join("ended")).ok()?;
        Some(code.trim().to_owned())
    }

    /// The lines of its log.
    pub(crate) fn log(&self) -> Vec<Value> {
        let text = fs::read_to_string(self.folder.join("log")).unwrap();
        text.lines()
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect()
    }

    /// Whether a line of its log has all of these texts.
    pub(crate) fn said(&self, texts: &[&str]) -> bool {
        self.log().iter().any(|line| {
            let line = line.to_string();
            texts.iter().all(|text| line.contains(text))
        })
    }

    /// Its largest memory so far, in MiB; none where the system does not tell.
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
            let log = fs::read_to_string(self.folder.join("log")).unwrap_or_default();
            let last: Vec<&str> = log.lines().rev().take(40).collect();
            eprintln!("the end of the operator's log:");
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
