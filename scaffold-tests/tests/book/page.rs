//! Pages of the book and their generated sections.
//!
//! A generated section is enclosed in `<!-- generated: NAME -->` and `<!-- end generated -->`. `UPDATE_GOLDENS=1` rewrites pages that are out of date.

use std::{
    env, fs,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

/// Tests of one page run in parallel; each rewrites another part of it.
static WRITER: Mutex<()> = Mutex::new(());

/// Returns the root of this repository.
pub(crate) fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// Returns the path of a page.
pub(crate) fn path(page: &str) -> PathBuf {
    repository().join("book/src").join(page)
}

pub(crate) fn read(page: &str) -> String {
    fs::read_to_string(path(page)).unwrap()
}

/// Lists all pages relative to `book/src`, except the summary.
pub(crate) fn all() -> Vec<String> {
    let root = path("");
    let mut directories = vec![root.clone()];
    let mut pages = Vec::new();
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                directories.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                let page = path.strip_prefix(&root).unwrap();
                pages.push(page.to_str().unwrap().to_owned());
            }
        }
    }
    pages.retain(|page| page != "SUMMARY.md");
    pages.sort();
    pages
}

/// Asserts that `update` leaves the page unchanged, or writes the updated page.
#[track_caller]
pub(crate) fn assert_in_sync(page: &str, update: impl Fn(&str) -> String) {
    let _writer = WRITER.lock().unwrap_or_else(PoisonError::into_inner);
    let committed = read(page);
    let updated = update(&committed);
    if env::var_os("UPDATE_GOLDENS").is_some() {
        fs::write(path(page), updated).unwrap();
        return;
    }
    let diff = similar::TextDiff::from_lines(committed.as_str(), &updated);
    assert!(
        committed == updated,
        "book/src/{page} is out of date; run `make goldens` and commit the result:\n{}",
        diff.unified_diff()
    );
}

/// Asserts that a generated section has this text, or writes it.
#[track_caller]
pub(crate) fn assert_section(page: &str, name: &str, text: &str) {
    let start = format!("<!-- generated: {name} -->\n");
    assert_in_sync(page, |committed| {
        let (before, rest) = committed.split_once(&start).expect(name);
        let (_, after) = rest.split_once("<!-- end generated -->").expect(name);
        let text = text.trim_end();
        format!("{before}{start}\n{text}\n\n<!-- end generated -->{after}")
    });
}

/// Escapes text for a table cell.
pub(crate) fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}
