//! Parts of pages that are made, and where the pages are.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

/// This repository.
pub(crate) fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// A page of the book.
pub(crate) fn path(page: &str) -> PathBuf {
    repository().join("book/src").join(page)
}

pub(crate) fn read(page: &str) -> String {
    fs::read_to_string(path(page)).unwrap()
}

/// Compares a part of the reference with what is committed, or writes it.
#[track_caller]
pub(crate) fn is_made(name: &str, text: &str) {
    let path = path("reference/made").join(name);
    if env::var_os("UPDATE_GOLDENS").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        return;
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    let diff = similar::TextDiff::from_lines(committed.as_str(), text);
    assert!(
        committed == text,
        "{} is not what the code says:\n{}\nIf the code is right, run `make goldens` and commit the result.",
        path.display(),
        diff.unified_diff()
    );
}

/// A cell of a table: one line, in which nothing ends the cell.
pub(crate) fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}
