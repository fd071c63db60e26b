//! Finds and reads the project a command is run in.

use std::path::{Path, PathBuf};

use super::{carry_out, output::OutputArgs};
use crate::{
    disk,
    ops::{BOILERPLATE, Header, KbSource},
    plan::{Edit, FileState, Plan, RelPath},
    problem::{Failure, Problem, Problems},
    project::{Project, ProjectFile},
};

/// Names a project of another user that is trusted all the same, or `*` for any; as git's `safe.directory`. `kb-rs --help` tells of it.
const SAFE_DIRECTORY: &str = "KB_SAFE_DIRECTORY";

/// A project on disk.
pub(super) struct Found {
    /// Its root folder.
    pub(super) root: PathBuf,
    /// PROJECT's text.
    text: String,
    /// PROJECT, understood.
    pub(super) file: ProjectFile,
    /// The licence header of its source files.
    pub(super) header: Header,
    /// The text of Cargo.toml, if there is one that can be read.
    pub(super) manifest: Option<String>,
}

impl Found {
    /// Adds to the plan that PROJECT records `project`.
    pub(super) fn record(&self, project: &Project, plan: &mut Plan) {
        plan.edit(
            RelPath::new("PROJECT"),
            Edit::Rewrite {
                expected: self.text.clone(),
                text: self.file.rewrite(project),
            },
        );
    }

    /// What a file says now; none, if it is not there or cannot be read.
    pub(super) fn text_of(&self, path: &RelPath) -> Option<String> {
        match disk::snapshot(&self.root, [path]).get(path) {
            FileState::File(text) | FileState::ReadOnly(text) => Some(text.clone()),
            _ => None,
        }
    }
}

/// The project that the working directory is in.
pub(super) fn find(output: OutputArgs) -> Result<Found, Failure> {
    let Some(root) = root()? else {
        return Err(Problem::new(
            format!(
                "{} is not in a kb-rs project: neither it nor a folder above it has a PROJECT file",
                working_directory()?.display()
            ),
            "make a project with `kb-rs init`, or change to one",
        )
        .into());
    };
    carry_out::recover(&root, output)?;

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
    Ok(Found {
        root,
        text,
        file,
        header,
        manifest,
    })
}

/// The root of the project that the working directory is in, if it is in one. A project of somebody else is refused.
pub(super) fn root() -> Result<Option<PathBuf>, Failure> {
    let start = working_directory()?;
    let Some(root) = disk::project_root(&start) else {
        return Ok(None);
    };
    check_owner(&root, &start)?;
    Ok(Some(root))
}

/// Refuses a project of somebody else, unless the user has named it.
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
            "does not exist: `kb-rs init` was interrupted".to_owned(),
            "run `kb-rs init` again",
        ),
        FileState::Binary => (
            "is not UTF-8 text".to_owned(),
            "restore it from version control",
        ),
        FileState::Directory => (
            "is a folder".to_owned(),
            "a project's PROJECT is a file: move the folder away",
        ),
        FileState::Symlink => (
            "is a symbolic link".to_owned(),
            "replace the link by the file itself",
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

/// Where the command was started.
#[allow(
    clippy::disallowed_methods,
    reason = "this is the one look at the working directory"
)]
pub(super) fn working_directory() -> Result<PathBuf, Failure> {
    std::env::current_dir().map_err(|error| {
        Problem::new(
            format!("the working directory cannot be found: {error}"),
            "change to a folder that exists",
        )
        .into()
    })
}
