//! Starts kb-rs as a user does, and keeps what it said.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use crate::Tree;

/// The command under test.
#[derive(Debug, Clone)]
pub struct KbRs {
    binary: PathBuf,
}

/// What one call said and how it ended.
#[derive(Debug)]
pub struct Run {
    /// The exit code; none after a signal.
    pub code: Option<i32>,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl KbRs {
    /// The binary at `path`: a test passes `env!("CARGO_BIN_EXE_kb-rs-under-test")`.
    pub fn at(path: &str) -> Self {
        Self {
            binary: PathBuf::from(path),
        }
    }

    /// The binary's path.
    pub fn path(&self) -> &Path {
        &self.binary
    }

    /// Runs it in `folder`.
    pub fn run<I>(&self, folder: &Path, arguments: I) -> Run
    where
        I: IntoIterator<Item: AsRef<OsStr>>,
    {
        let output = Command::new(&self.binary)
            .args(arguments)
            .current_dir(folder)
            // Else projects would name the folder of this checkout.
            .env("KB_SOURCE", "registry")
            .output()
            .expect("kb-rs starts");
        Run::from(output)
    }

    /// Runs it in `folder` with a command as a scenario has it, and expects it to succeed.
    ///
    /// # Panics
    ///
    /// If it fails.
    #[track_caller]
    pub fn succeed(&self, folder: &Path, command: &str) -> Run {
        let run = self.run(folder, command.split_whitespace());
        assert_eq!(
            run.code,
            Some(0),
            "kb-rs {command}\n{}{}",
            run.stdout,
            run.stderr
        );
        run
    }

    /// Runs a command that must fail with `code`, say all of `expected`, and leave the tree alone.
    ///
    /// # Panics
    ///
    /// If it does not.
    #[track_caller]
    pub fn refused(&self, folder: &Path, command: &str, code: i32, expected: &[&str]) -> Run {
        let before = Tree::read(folder).expect("the tree can be read");
        let run = self.run(folder, command.split_whitespace());
        assert_eq!(
            run.code,
            Some(code),
            "{command}\n{}{}",
            run.stdout,
            run.stderr
        );
        for text in expected {
            assert!(run.stderr.contains(text), "no {text:?} in:\n{}", run.stderr);
        }
        let after = Tree::read(folder).expect("the tree can be read");
        assert_eq!(before.difference(&after), None, "{command} wrote something");
        run
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
