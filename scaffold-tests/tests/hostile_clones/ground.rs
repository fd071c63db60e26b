//! The place of one attempt: a clone, a home, and what lies outside of both.

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

/// More than any call takes, on a machine that has much to do.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long a call may go on that does not end.
const WATCH: Duration = Duration::from_millis(400);

/// Virtual memory of a call, in KiB. Endless input ends here, and with it the call.
const MEMORY: &str = "4000000";

pub(crate) struct Ground {
    folder: TempDir,
}

/// What a call said, and how it ended.
#[derive(Debug)]
pub(crate) struct Run {
    /// None, if it did not end.
    code: Option<i32>,
    is_watch: bool,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    pub(crate) fn has_ended_by_itself(&self) -> bool {
        self.is_watch || matches!(self.code, Some(0..=2))
    }
}

/// A file, folder or link: its mode and its bytes, or where it leads.
type Outside = BTreeMap<PathBuf, (u32, Vec<u8>)>;

impl Ground {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in [
            "clone",
            "home",
            "outside/folder/empty",
            "outside/folder/api",
        ] {
            fs::create_dir_all(folder.path().join(name)).unwrap();
        }
        let ground = Self { folder };
        for name in ["victim", "folder/x", "folder/.x.kb-rs-new", "folder/gone"] {
            let path = ground.victim(name);
            fs::write(&path, "private\n").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        }
        ground
    }

    /// The hostile project.
    pub(crate) fn root(&self) -> PathBuf {
        self.folder.path().join("clone")
    }

    /// Something outside of it.
    pub(crate) fn victim(&self, name: &str) -> PathBuf {
        self.folder.path().join("outside").join(name)
    }

    /// Everything that is none of the clone's business.
    pub(crate) fn outside(&self) -> Outside {
        let mut outside = Outside::new();
        collect(&self.folder.path().join("outside"), &mut outside);
        outside
    }

    /// Runs kb-rs in the clone.
    pub(crate) fn run(&self, call: &str) -> Run {
        let [stdout, stderr] = ["stdout", "stderr"].map(|name| self.folder.path().join(name));
        let mut child = Command::new("sh")
            .args(["-c", "ulimit -v $0; exec \"$@\"", MEMORY])
            .arg(env!("CARGO_BIN_EXE_kb-rs-under-test"))
            .args(call.split_whitespace())
            .current_dir(self.root())
            .env("HOME", self.folder.path().join("home"))
            .env("KB_SOURCE", "registry")
            // A build executes the project's code, as every build does: it is not part of this.
            .env("CARGO", "/no/such/cargo")
            .env_remove("KUBEBUILDER_ASSETS")
            .env_remove("KB_CONTROL_PLANE_DIR")
            .env_remove("XDG_CACHE_HOME")
            .env_remove("XDG_DATA_HOME")
            .stdout(File::create(&stdout).unwrap())
            .stderr(File::create(&stderr).unwrap())
            .spawn()
            .unwrap();
        let is_watch = call.contains("--watch");
        let end = Instant::now() + if is_watch { WATCH } else { PATIENCE };
        let code = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status.code();
            }
            if Instant::now() > end {
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

fn collect(path: &Path, outside: &mut Outside) {
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
