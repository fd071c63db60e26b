//! Starts kb-rs as a user does and captures its output.

use std::{
    env,
    ffi::OsStr,
    fmt,
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// The command under test.
#[derive(Debug, Clone)]
pub struct KbRs {
    binary: PathBuf,
}

/// Exit code and output of a command.
#[derive(Debug)]
pub struct Run {
    /// Exit code; none after a signal.
    pub code: Option<i32>,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl KbRs {
    /// Returns the binary that cargo built beside the tests of this package.
    #[expect(clippy::new_without_default, reason = "it looks for a file")]
    pub fn new() -> Self {
        // Test binaries are in TARGET/debug/deps, programs in TARGET/debug.
        let test = env::current_exe().expect("the test is a file");
        let dir = test.ancestors().nth(2).expect("the target directory");
        let name = format!("kb-rs-under-test{}", env::consts::EXE_SUFFIX);
        Self {
            binary: dir.join(name),
        }
    }

    /// Returns the path of the binary.
    pub fn path(&self) -> &Path {
        &self.binary
    }

    /// Returns a command that runs it in `dir`.
    pub fn command(&self, dir: &Path) -> Command {
        let mut command = Command::new(&self.binary);
        command
            .current_dir(dir)
            // Otherwise projects would name the path of this checkout.
            .env("KB_SOURCE", "registry")
            // The width of help and usage errors.
            .env("COLUMNS", "100")
            // clap lists flags with a set environment variable in usage errors.
            .env_remove("CARGO")
            .env_remove("CARGO_TARGET_DIR");
        command
    }

    /// Runs it in `dir`.
    pub fn run<I>(&self, dir: &Path, arguments: I) -> Run
    where
        I: IntoIterator<Item: AsRef<OsStr>>,
    {
        let mut command = self.command(dir);
        command.args(arguments);
        Run::of(command)
    }

    /// Runs a command line of a scenario in `dir` and expects success.
    ///
    /// # Panics
    ///
    /// If it fails.
    #[track_caller]
    pub fn succeed(&self, dir: &Path, command: &str) -> Run {
        let run = self.run(dir, command.split_whitespace());
        assert_eq!(run.code, Some(0), "kb-rs {command}\n{run}");
        run
    }
}

impl Run {
    /// Runs a command and captures its output.
    ///
    /// # Panics
    ///
    /// If it cannot be started.
    #[track_caller]
    pub fn of(mut command: Command) -> Self {
        let output = command.output();
        let program = command.get_program().display();
        output
            .unwrap_or_else(|error| panic!("{program}: {error}"))
            .into()
    }
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("UTF-8"),
        }
    }
}

impl fmt::Display for Run {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.code {
            Some(code) => writeln!(formatter, "exit code: {code}")?,
            None => writeln!(formatter, "killed by a signal")?,
        }
        for (name, text) in [("stdout", &self.stdout), ("stderr", &self.stderr)] {
            if !text.is_empty() {
                let end = if text.ends_with('\n') { "" } else { "\n" };
                write!(formatter, "---- {name} ----\n{text}{end}")?;
            }
        }
        writeln!(formatter)
    }
}
