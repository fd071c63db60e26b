//! Opens the project of the working directory.

use std::path::{Path, PathBuf};

use super::{execute, output::OutputArgs};
use crate::{
    disk,
    ops::{BOILERPLATE, Header, KbSource, Update},
    plan::{Edit, FileState, RelPath},
    problem::{Failure, Problem, Problems},
    project::ProjectFile,
};

/// The environment variable that names a trusted project of another user, or `*` for all, like git's `safe.directory`.
const SAFE_DIRECTORY: &str = "KB_SAFE_DIRECTORY";

/// A project on disk.
pub(super) struct OpenProject {
    /// Root directory.
    pub(super) root: PathBuf,
    /// Text of PROJECT.
    text: String,
    /// Parsed PROJECT.
    pub(super) file: ProjectFile,
    /// License header of source files.
    pub(super) header: Header,
    /// Text of Cargo.toml, if it can be read.
    pub(super) manifest: Option<String>,
}

impl OpenProject {
    /// Adds the new PROJECT to the plan of an update.
    pub(super) fn record(&self, mut update: Update) -> Update {
        let edit = Edit::Rewrite {
            expected: self.text.clone(),
            text: self.file.rewrite(&update.project),
        };
        let plan = &mut update.proposal.plan;
        plan.edit(RelPath::new("PROJECT"), edit);
        update
    }

    /// Returns the text of a file, or `None` if it does not exist or cannot be read.
    pub(super) fn read(&self, path: &RelPath) -> Option<String> {
        match disk::snapshot(&self.root, [path]).get(path) {
            FileState::File(text) | FileState::ReadOnly(text) => Some(text.clone()),
            _ => None,
        }
    }
}

/// Opens the project of the working directory, after recovery of an interrupted run.
pub(super) fn open(output: OutputArgs) -> Result<OpenProject, Failure> {
    let Some(root) = root()? else {
        return Err(Problem::new(
            format!(
                "{} is not in a kb-rs project: no PROJECT file in it or any parent directory",
                working_directory()?.display()
            ),
            "create a project with `kb-rs init`, or change to the directory of one",
        )
        .into());
    };
    execute::recover(&root, output)?;

    let text = read_project(&root)?;
    let file = ProjectFile::parse(&text)?;
    let header = match disk::read_optional(&root.join(BOILERPLATE))? {
        Some(text) => Header::parse(BOILERPLATE, &text)?,
        None => Header::default(),
    };
    if let Some(source) = &file.project().kb_source {
        let mut problems = Problems::default();
        problems.parse::<KbSource>(Some(source));
        let problems = problems.into_vec();
        if !problems.is_empty() {
            return Err(Failure::refused(problems));
        }
    }
    let manifest = match single(&root, "Cargo.toml") {
        FileState::File(text) | FileState::ReadOnly(text) => Some(text),
        _ => None,
    };
    Ok(OpenProject {
        root,
        text,
        file,
        header,
        manifest,
    })
}

/// Returns the root of the project of the working directory, if there is one. Rejects a project of another user.
pub(super) fn root() -> Result<Option<PathBuf>, Failure> {
    let start = working_directory()?;
    let Some(root) = disk::project_root(&start) else {
        return Ok(None);
    };
    check_owner(&root, &start)?;
    Ok(Some(root))
}

/// Rejects a project of another user that `KB_SAFE_DIRECTORY` does not name.
pub(super) fn check_owner(root: &Path, start: &Path) -> Result<(), Failure> {
    match std::env::var_os(SAFE_DIRECTORY) {
        Some(safe) if safe == "*" || Path::new(&safe) == root => Ok(()),
        _ => Ok(disk::check_owner(root, start)?),
    }
}

fn read_project(root: &Path) -> Result<String, Failure> {
    let (problem, help) = match single(root, "PROJECT") {
        FileState::File(text) | FileState::ReadOnly(text) => return Ok(text),
        FileState::Missing | FileState::Blocked { .. } => (
            "is missing: `kb-rs init` was interrupted".to_owned(),
            "run `kb-rs init` again",
        ),
        FileState::Binary => (
            "is not UTF-8 text".to_owned(),
            "restore it from version control",
        ),
        FileState::Directory => (
            "is a directory".to_owned(),
            "move the directory away: PROJECT must be a file",
        ),
        FileState::Symlink => (
            "is a symbolic link".to_owned(),
            "replace the link with the file",
        ),
        FileState::Special => (
            "is not a regular file".to_owned(),
            "restore it from version control",
        ),
        FileState::Unreadable(why) => (format!("cannot be read: {why}"), "check its permissions"),
    };
    Err(Problem::new(
        format!("{} {problem}", root.join("PROJECT").display()),
        help,
    )
    .into())
}

fn single(root: &Path, path: &str) -> FileState {
    let path = RelPath::new(path);
    disk::snapshot(root, [&path]).get(&path).clone()
}

/// Returns the working directory.
#[allow(
    clippy::disallowed_methods,
    reason = "the only use of the working directory"
)]
pub(super) fn working_directory() -> Result<PathBuf, Failure> {
    std::env::current_dir().map_err(|error| {
        Problem::new(
            format!("failed to determine the working directory: {error}"),
            "change to a directory that exists",
        )
        .into()
    })
}
