//! Projects in temporary directories, and snapshots of what kb-rs prints in them.
//!
//! A snapshot is the file `tests/snapshots/PROGRAM/CASE.txt`: the commands, each with its exit code, standard output and standard error.
//! `SNAPSHOTS=overwrite` rewrites the snapshots of the tests that run; `make goldens` rewrites all of them.

use std::{
    env,
    ffi::{OsStr, OsString},
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use snapbox::{Data, assert_data_eq, data::DataFormat};
use tempfile::TempDir;

use crate::{KbRs, Run, Tree, scenario::package};

/// A project in a temporary directory.
#[derive(Debug)]
pub struct Project {
    _dir: TempDir,
    root: PathBuf,
    current_dir: PathBuf,
    env: Vec<(String, OsString)>,
}

impl Project {
    /// Creates an empty directory.
    pub fn empty() -> Self {
        let dir = tempfile::tempdir().expect("a temporary directory can be created");
        let root = dir.path().canonicalize().expect("the directory exists");
        Self {
            _dir: dir,
            current_dir: root.clone(),
            root,
            env: Vec::new(),
        }
    }

    /// Creates a project with commands, one per line.
    #[track_caller]
    pub fn new(commands: &str) -> Self {
        let project = Self::empty();
        project.succeed(commands);
        project
    }

    /// Creates the project `demo` with the kind `AppService`.
    #[track_caller]
    pub fn demo() -> Self {
        Self::new("init --domain example.com --project-name demo --api batch/v1/AppService")
    }

    /// Changes the working directory of later commands, relative to the root.
    pub fn change_dir(&mut self, dir: &str) {
        self.current_dir = self.path(dir);
    }

    /// Sets an environment variable of later commands.
    pub fn set_env(&mut self, name: &str, value: impl AsRef<OsStr>) {
        self.env.push((name.to_owned(), value.as_ref().to_owned()));
    }

    /// Returns the root directory.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the absolute path of a file.
    pub fn path(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    /// Returns whether a file or directory exists.
    pub fn exists(&self, path: &str) -> bool {
        self.path(path).exists()
    }

    /// Returns all files.
    pub fn tree(&self) -> Tree {
        Tree::read(&self.root).expect("the tree is readable")
    }

    /// Returns the text of a file.
    #[track_caller]
    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Writes a file, and its parent directories if they are missing.
    #[track_caller]
    pub fn write(&self, path: &str, text: &str) {
        let parent = self.path(path).parent().map(fs::create_dir_all);
        parent
            .transpose()
            .and_then(|_| fs::write(self.path(path), text))
            .unwrap_or_else(|error| panic!("{path}: {error}"));
    }

    /// Appends text to a file.
    #[track_caller]
    pub fn append(&self, path: &str, text: &str) {
        self.write(path, &(self.read(path) + text));
    }

    /// Replaces the first occurrence of `from` in a file.
    #[track_caller]
    pub fn replace(&self, path: &str, from: &str, to: &str) {
        let text = self.read(path);
        assert!(text.contains(from), "{path} does not contain {from:?}");
        self.write(path, &text.replacen(from, to, 1));
    }

    /// Removes a file, or a directory with its contents.
    #[track_caller]
    pub fn remove(&self, path: &str) {
        let absolute = self.path(path);
        let removed = if absolute.is_dir() {
            fs::remove_dir_all(absolute)
        } else {
            fs::remove_file(absolute)
        };
        removed.unwrap_or_else(|error| panic!("{path}: {error}"));
    }

    /// Runs a command.
    pub fn run<I>(&self, arguments: I) -> Run
    where
        I: IntoIterator<Item: AsRef<OsStr>>,
    {
        let mut command = KbRs::new().command(&self.current_dir);
        command.args(arguments);
        command.envs(self.env.iter().map(|(name, value)| (name, value)));
        Run::of(command)
    }

    /// Runs commands, one per line, that must succeed. Returns the run of the last one.
    #[track_caller]
    pub fn succeed(&self, commands: &str) -> Run {
        let runs = lines(commands).map(|command| {
            let run = self.run(command.split_whitespace());
            assert_eq!(run.code, Some(0), "kb-rs {command}\n{run}");
            run
        });
        runs.last().expect("at least one command")
    }

    /// Runs commands, one per line, that must exit with `code`, change no file, and match the snapshot.
    #[track_caller]
    pub fn assert_rejected(&self, case: &str, code: i32, commands: &str) {
        let before = self.tree();
        self.assert_runs(case, code, commands);
        let difference = before.difference(&self.tree());
        assert_eq!(difference, None, "{case}: files changed");
    }

    /// Runs commands, one per line, that must succeed, change no file, and match the snapshot.
    #[track_caller]
    pub fn assert_unchanged(&self, case: &str, commands: &str) {
        self.assert_rejected(case, 0, commands);
    }

    /// Runs commands, one per line, that must succeed and match the snapshot.
    #[track_caller]
    pub fn assert_output(&self, case: &str, commands: &str) {
        self.assert_runs(case, 0, commands);
    }

    #[track_caller]
    fn assert_runs(&self, case: &str, code: i32, commands: &str) {
        let mut transcript = String::new();
        for command in lines(commands) {
            let run = self.run(command.split_whitespace());
            assert_eq!(run.code, Some(code), "kb-rs {command}\n{run}");
            let _ = write!(transcript, "$ kb-rs {command}\n{run}");
        }
        self.assert_snapshot(case, &transcript);
    }

    /// Compares text with a snapshot in which the root directory is `[PROJECT]`.
    #[track_caller]
    pub fn assert_snapshot(&self, case: &str, text: &str) {
        let root = self.root.to_str().expect("a path in UTF-8");
        assert_snapshot(case, &text.replace(root, "[PROJECT]"));
    }
}

/// Compares text with the snapshot `tests/snapshots/PROGRAM/CASE.txt`. A missing snapshot is a difference.
#[track_caller]
pub fn assert_snapshot(case: &str, text: &str) {
    let binary = env::current_exe().expect("the test is a file");
    let name = binary.file_stem().and_then(OsStr::to_str);
    let program = name.and_then(|name| name.rsplit_once('-'));
    let (program, _) = program.expect("cargo names test binaries PROGRAM-HASH");
    let path = format!("tests/snapshots/{program}/{case}.txt");
    let expected = Data::read_from(&package().join(path), Some(DataFormat::Text));
    // Raw: `...` in a snapshot is not a wildcard.
    assert_data_eq!(text.to_owned(), expected.raw());
}

fn lines(commands: &str) -> impl Iterator<Item = &str> {
    commands
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
}

/// Returns the `lib.rs` of an API crate with these modules and their kinds.
pub fn api_crate<'a>(kinds: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let (mut modules, mut definitions) = (String::new(), String::new());
    for (module, kind) in kinds {
        let _ = writeln!(modules, "pub mod {module};");
        let _ = writeln!(definitions, "        {module}::{kind}::definition(),");
    }
    format!(
        "//! The API.\n\n{modules}\n/// The kinds.\npub fn definitions() -> Vec<kb::CrdDefinition> {{\n    vec![\n{definitions}    ]\n}}\n"
    )
}
