//! Checks the links of the built book, to pages, headings and files, and from its pages into rustdoc.
//!
//! External links are not followed.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a tool of this repository reads files and prints"
)]

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::{Component, Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Context, Result, ensure};

/// Documentation that rustdoc checks itself.
const RUSTDOC: &str = "api";

fn main() -> ExitCode {
    let Some(directory) = env::args().nth(1) else {
        eprintln!("usage: linkcheck DIRECTORY");
        return ExitCode::FAILURE;
    };
    if let Err(error) = check(Path::new(&directory)) {
        eprintln!("linkcheck: {error:#}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// Fails with a list of all broken links.
fn check(directory: &Path) -> Result<()> {
    let pages = pages(directory)?;
    let mut links = 0;
    let mut broken = BTreeSet::new();
    for (page, html) in pages.iter().filter(|(page, _)| !page.starts_with(RUSTDOC)) {
        for link in attributes(html, "href").chain(attributes(html, "src")) {
            links += 1;
            if !resolves(directory, &pages, page, link) {
                broken.insert(format!("{}: {link}", page.display()));
            }
        }
    }
    let list: Vec<String> = broken.into_iter().collect();
    ensure!(list.is_empty(), "broken links:\n  {}", list.join("\n  "));
    println!("checked {links} links");
    Ok(())
}

/// Reads all pages by their relative paths.
fn pages(directory: &Path) -> Result<BTreeMap<PathBuf, String>> {
    let mut pages = BTreeMap::new();
    let mut directories = vec![directory.to_owned()];
    while let Some(next) = directories.pop() {
        let entries = fs::read_dir(&next).with_context(|| next.display().to_string())?;
        for entry in entries {
            let path = entry?.path();
            if path.is_dir() {
                directories.push(path);
            } else if path
                .extension()
                .is_some_and(|extension| extension == "html")
            {
                let html = fs::read_to_string(&path)?;
                pages.insert(path.strip_prefix(directory)?.to_owned(), html);
            }
        }
    }
    // `print.html` repeats all pages; `toc.html` and `404.html` are mdBook's own.
    for page in ["print.html", "toc.html", "404.html"] {
        pages.remove(Path::new(page));
    }
    ensure!(!pages.is_empty(), "{} has no pages", directory.display());
    Ok(pages)
}

/// Returns the values of an attribute.
fn attributes<'h>(html: &'h str, name: &str) -> impl Iterator<Item = &'h str> {
    let start = format!(" {name}=\"");
    let parts: Vec<&str> = html.split(&start).skip(1).collect();
    parts.into_iter().filter_map(|part| part.split('"').next())
}

fn resolves(directory: &Path, pages: &BTreeMap<PathBuf, String>, page: &Path, link: &str) -> bool {
    if ["https://", "http://", "mailto:", "data:", "javascript:"]
        .iter()
        .any(|scheme| link.starts_with(scheme))
    {
        return true;
    }
    let (path, heading) = link.split_once('#').unwrap_or((link, ""));
    let target = if path.is_empty() {
        page.to_owned()
    } else {
        join_link(page.parent().unwrap_or(Path::new("")), path)
    };
    if heading.is_empty() {
        return directory.join(&target).exists();
    }
    let id = format!("id=\"{heading}\"");
    pages.get(&target).is_some_and(|html| html.contains(&id))
}

/// Joins and normalizes a relative link.
fn join_link(directory: &Path, link: &str) -> PathBuf {
    let mut path = directory.to_owned();
    for component in Path::new(link).components() {
        match component {
            Component::ParentDir => {
                path.pop();
            }
            Component::Normal(name) => path.push(name),
            _ => {}
        }
    }
    path
}
