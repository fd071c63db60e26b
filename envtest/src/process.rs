//! Processes that do not outlive this one.
//!
//! On Unix a server runs below a shell which reads a pipe that only this process can write to. Nothing is ever written: the pipe closes when
//! the server is to stop, and also when this process dies, however it dies; then the shell kills the server. It ignores signals to
//! the whole group of processes: a server may take long to follow them. Elsewhere a server is killed when it is dropped, and that
//! is all.

use std::{
    env,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

use crate::Error;

/// Runs a server until it ends, or the pipe on standard input closes. `$1` is the file for its process id.
#[cfg(unix)]
const GUARD: &str = r#"
trap '' HUP INT QUIT TERM
exec 3<&0 </dev/null
pid_file=$1
shift
"$@" 3<&- &
server=$!
echo "$server" >"$pid_file"
{
    read -r _ <&3
    kill -KILL "$server" 2>/dev/null
} &
watcher=$!
exec 3<&-
wait "$server"
status=$?
kill -KILL "$watcher" 2>/dev/null
exit "$status"
"#;

/// What a killed server may take to be gone.
const PATIENCE: Duration = Duration::from_secs(5);

/// Variables that servers get. All others could change what they do: etcd takes every flag from one.
const VARIABLES: [&str; 3] = ["PATH", "SYSTEMROOT", "TMPDIR"];

/// A server that runs.
#[derive(Debug)]
pub(crate) struct Server {
    name: &'static str,
    child: Child,
    pipe: Option<ChildStdin>,
    folder: PathBuf,
}

impl Server {
    /// Starts a server in this folder, where its log is added to `NAME.log`.
    pub(crate) fn start(
        name: &'static str,
        program: &Path,
        arguments: &[String],
        folder: &Path,
    ) -> Result<Self, Error> {
        let failed = |action| {
            let path = program.to_owned();
            move |source| Error::File {
                path,
                action,
                source,
            }
        };
        let log = File::options()
            .create(true)
            .append(true)
            .open(log(name, folder));
        let log = log.map_err(failed("started: there is no log"))?;
        let errors = log
            .try_clone()
            .map_err(failed("started: there is no log"))?;
        let mut child = command(name, program)
            .args(arguments)
            .current_dir(folder)
            .env_clear()
            .envs(
                VARIABLES
                    .into_iter()
                    .filter_map(|name| Some((name, env::var_os(name)?))),
            )
            .stdin(Stdio::piped())
            .stdout(log)
            .stderr(errors)
            .spawn()
            .map_err(failed("started"))?;
        Ok(Self {
            name,
            pipe: child.stdin.take(),
            child,
            folder: folder.to_owned(),
        })
    }

    /// How it ended, if it has.
    pub(crate) fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().ok().flatten()
    }

    /// The error that it ended, with the end of its log.
    pub(crate) fn ended_error(&self, status: ExitStatus) -> Error {
        Error::Ended {
            server: self.name,
            status: status.to_string(),
            log: self.log(),
            tail: self.tail(),
        }
    }

    /// The error that it is not ready, with the end of its log.
    pub(crate) fn not_ready(&self, after: Duration) -> Error {
        Error::NotReady {
            server: self.name,
            after,
            log: self.log(),
            tail: self.tail(),
        }
    }

    /// The end of what it logged.
    pub(crate) fn tail(&self) -> String {
        let text = fs::read(self.log()).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let lines: Vec<&str> = text.lines().rev().take(20).collect();
        lines.into_iter().rev().collect::<Vec<_>>().join("\n")
    }

    /// Its process, while it runs.
    pub(crate) fn id(&self) -> Option<u32> {
        if cfg!(not(unix)) {
            return Some(self.child.id());
        }
        let text = fs::read_to_string(pid_file(self.name, &self.folder)).ok()?;
        text.trim().parse().ok()
    }

    fn log(&self) -> PathBuf {
        log(self.name, &self.folder)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.pipe.take());
        if cfg!(not(unix)) {
            let _ = self.child.kill();
        }
        wait(&mut self.child);
    }
}

fn log(name: &str, folder: &Path) -> PathBuf {
    folder.join(format!("{name}.log"))
}

fn pid_file(name: &str, folder: &Path) -> PathBuf {
    folder.join(format!("{name}.pid"))
}

#[cfg(unix)]
fn command(name: &str, program: &Path) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", GUARD, "sh", &format!("{name}.pid")]);
    command.arg(program);
    command
}

#[cfg(not(unix))]
fn command(_: &str, program: &Path) -> Command {
    Command::new(program)
}

/// Waits for the end of a process that was told to end; in the end without asking.
fn wait(child: &mut Child) {
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        match child.try_wait() {
            Ok(None) => thread::sleep(Duration::from_millis(2)),
            Ok(Some(_)) | Err(_) => return,
        }
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// A shell that does something when this process dies without having dropped it.
#[derive(Debug)]
pub(crate) struct Watcher(Option<Child>);

impl Watcher {
    /// The script reads a line, and does its work if there is none. `$1` is the folder.
    pub(crate) fn start(script: &str, folder: &Path) -> io::Result<Self> {
        if cfg!(not(unix)) {
            return Ok(Self(None));
        }
        let child = Command::new("sh")
            .args(["-c", script, "sh"])
            .arg(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        Ok(Self(Some(child)))
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            if let Some(mut pipe) = child.stdin.take() {
                let _ = io::Write::write_all(&mut pipe, b"done\n");
            }
            wait(child);
        }
    }
}
