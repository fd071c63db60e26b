//! A directory for one attack: the clone, a home directory, and files outside of both.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
    thread,
    time::{Duration, Instant},
};

use tempfile::TempDir;

/// Longer than any command takes on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(60);

/// How long `--watch` runs before it is killed.
const WATCH: Duration = Duration::from_millis(400);

/// Limit of virtual memory in KiB: a command that reads endless input is killed.
const MEMORY: &str = "4000000";

pub(crate) struct Sandbox {
    dir: TempDir,
}

/// Exit code and output of a command.
#[derive(Debug)]
pub(crate) struct Run {
    /// None after a signal or the timeout.
    pub(crate) code: Option<i32>,
    is_watch: bool,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    pub(crate) fn has_exited(&self) -> bool {
        self.is_watch || matches!(self.code, Some(0..=2))
    }
}

/// Mode and content, or target, of each file, directory and link.
type Snapshot = BTreeMap<PathBuf, (u32, Vec<u8>)>;

impl Sandbox {
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        for name in ["clone", "home", "outside/dir/empty", "outside/dir/api"] {
            fs::create_dir_all(dir.path().join(name)).unwrap();
        }
        let sandbox = Self { dir };
        for name in ["victim", "dir/x", "dir/.x.kb-rs-new", "dir/gone"] {
            let path = sandbox.victim(name);
            fs::write(&path, "private\n").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        }
        sandbox
    }

    /// Returns the directory of the clone.
    pub(crate) fn root(&self) -> PathBuf {
        self.dir.path().join("clone")
    }

    /// Returns the path of a file outside of the clone.
    pub(crate) fn victim(&self, name: &str) -> PathBuf {
        self.dir.path().join("outside").join(name)
    }

    /// Returns the state of all files outside of the clone.
    pub(crate) fn outside(&self) -> Snapshot {
        let mut outside = Snapshot::new();
        collect(&self.dir.path().join("outside"), &mut outside);
        outside
    }

    /// Runs a command in the clone.
    pub(crate) fn run(&self, command: &str) -> Run {
        let [stdout, stderr] = ["stdout", "stderr"].map(|name| self.dir.path().join(name));
        let mut child = Command::new("sh")
            .args(["-c", "ulimit -v $0; exec \"$@\"", MEMORY])
            .arg(env!("CARGO_BIN_EXE_kb-rs-under-test"))
            .args(command.split_whitespace())
            .current_dir(self.root())
            .env("HOME", self.dir.path().join("home"))
            .env("KB_SOURCE", "registry")
            // Builds execute code of the project; that is expected.
            .env("CARGO", "/no/such/cargo")
            .env_remove("KUBEBUILDER_ASSETS")
            .env_remove("KB_CONTROL_PLANE_DIR")
            .env_remove("XDG_CACHE_HOME")
            .env_remove("XDG_DATA_HOME")
            .stdout(File::create(&stdout).unwrap())
            .stderr(File::create(&stderr).unwrap())
            .spawn()
            .unwrap();
        let is_watch = command.contains("--watch");
        let deadline = Instant::now() + if is_watch { WATCH } else { TIMEOUT };
        let code = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status.code();
            }
            if Instant::now() > deadline {
                child.kill().unwrap();
                child.wait().unwrap();
                break None;
            }
            thread::sleep(Duration::from_millis(2));
        };
        Run {
            code,
            is_watch,
            stdout: fs::read_to_string(stdout).unwrap(),
            stderr: fs::read_to_string(stderr).unwrap(),
        }
    }
}

fn collect(path: &Path, outside: &mut Snapshot) {
    let metadata = fs::symlink_metadata(path).unwrap();
    let bytes = if metadata.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            collect(&entry.unwrap().path(), outside);
        }
        Vec::new()
    } else if metadata.is_symlink() {
        let target = fs::read_link(path).unwrap();
        target.into_os_string().into_encoded_bytes()
    } else {
        fs::read(path).unwrap()
    };
    outside.insert(path.to_owned(), (metadata.permissions().mode(), bytes));
}
