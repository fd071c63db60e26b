//! Child processes that do not outlive this one.
//!
//! On Unix each server runs under a shell that reads a pipe from this process. The pipe closes when the server is stopped or this process
//! exits, for whatever reason, and the shell kills the server. The shell ignores signals to the process group, because a server may take
//! long to handle them. On other systems a server is only killed when dropped.

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

/// Runs a server until it exits or standard input closes. `$1` is the file for its process id.
#[cfg(unix)]
const SUPERVISOR: &str = r#"
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

/// Timeout for a killed process to exit.
const EXIT_TIMEOUT: Duration = Duration::from_secs(5);

/// Environment variables that are passed on. Others could change the servers: etcd reads every flag from one.
const PASSED_ON: [&str; 3] = ["PATH", "SYSTEMROOT", "TMPDIR"];

/// A running server.
#[derive(Debug)]
pub(crate) struct Server {
    name: &'static str,
    child: Child,
    pipe: Option<ChildStdin>,
    folder: PathBuf,
}

impl Server {
    /// Starts a server in a directory, where it appends to `NAME.log`.
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
        let log = log.map_err(failed("open the log of"))?;
        let errors = log.try_clone().map_err(failed("open the log of"))?;
        let mut child = command(name, program)
            .args(arguments)
            .current_dir(folder)
            .env_clear()
            .envs(
                PASSED_ON
                    .into_iter()
                    .filter_map(|name| Some((name, env::var_os(name)?))),
            )
            .stdin(Stdio::piped())
            .stdout(log)
            .stderr(errors)
            .spawn()
            .map_err(failed("start"))?;
        Ok(Self {
            name,
            pipe: child.stdin.take(),
            child,
            folder: folder.to_owned(),
        })
    }

    /// Returns the exit status, if it has exited.
    pub(crate) fn exit_status(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().ok().flatten()
    }

    pub(crate) fn exited_error(&self, status: ExitStatus) -> Error {
        Error::Exited {
            server: self.name,
            status: status.to_string(),
            log: self.log(),
            tail: self.tail(),
        }
    }

    pub(crate) fn not_ready(&self, after: Duration) -> Error {
        Error::NotReady {
            server: self.name,
            after,
            log: self.log(),
            tail: self.tail(),
        }
    }

    /// Returns the last lines of its log.
    fn tail(&self) -> String {
        let text = fs::read(self.log()).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let lines: Vec<&str> = text.lines().rev().take(20).collect();
        lines.into_iter().rev().collect::<Vec<_>>().join("\n")
    }

    /// Returns its process id.
    pub(crate) fn pid(&self) -> Option<u32> {
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
    command.args(["-c", SUPERVISOR, "sh", &format!("{name}.pid")]);
    command.arg(program);
    command
}

#[cfg(not(unix))]
fn command(_: &str, program: &Path) -> Command {
    Command::new(program)
}

/// Waits for a process to exit, and kills it after a timeout.
fn wait(child: &mut Child) {
    let start = Instant::now();
    while start.elapsed() < EXIT_TIMEOUT {
        match child.try_wait() {
            Ok(None) => thread::sleep(Duration::from_millis(2)),
            Ok(Some(_)) | Err(_) => return,
        }
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// A shell that runs a script if this process exits without dropping it.
#[derive(Debug)]
pub(crate) struct Watcher(Option<Child>);

impl Watcher {
    /// Starts the shell. The script must exit if it reads a line from standard input. `$1` is the directory.
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
