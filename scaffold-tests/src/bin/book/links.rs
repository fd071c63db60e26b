//! Links of the built book: what they point at must be there.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Component, Path, PathBuf},
};

use anyhow::{Context, Result, ensure};

/// Fails with the list of all links that lead nowhere.
pub(crate) fn check(folder: &Path) -> Result<()> {
    let pages = pages(folder)?;
    let mut links = 0;
    let mut broken = BTreeSet::new();
    for (page, html) in &pages {
        for link in attributes(html, "href").chain(attributes(html, "src")) {
            links += 1;
            if !leads_somewhere(folder, &pages, page, link) {
                broken.insert(format!("{}: {link}", page.display()));
            }
        }
    }
    let list: Vec<String> = broken.into_iter().collect();
    ensure!(
        list.is_empty(),
        "links that lead nowhere:\n  {}",
        list.join("\n  ")
    );
    println!("{} pages, {links} links: each leads somewhere", pages.len());
    Ok(())
}

/// The pages of the book, by their paths in it.
fn pages(folder: &Path) -> Result<BTreeMap<PathBuf, String>> {
    let mut pages = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        let entries = fs::read_dir(&next).with_context(|| next.display().to_string())?;
        for entry in entries {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "html") {
                let html = fs::read_to_string(&path)?;
                pages.insert(path.strip_prefix(folder)?.to_owned(), html);
            }
        }
    }
    // `print.html` holds all pages once more, and `toc.html` and `404.html` are mdBook's own.
    for own in ["print.html", "toc.html", "404.html"] {
        pages.remove(Path::new(own));
    }
    ensure!(!pages.is_empty(), "{} has no pages", folder.display());
    Ok(pages)
}

/// The values of an attribute.
fn attributes<'h>(html: &'h str, name: &str) -> impl Iterator<Item = &'h str> {
    let start = format!(" {name}=\"");
    let parts: Vec<&str> = html.split(&start).skip(1).collect();
    parts.into_iter().filter_map(|part| part.split('"').next())
}

fn leads_somewhere(
    folder: &Path,
    pages: &BTreeMap<PathBuf, String>,
    page: &Path,
    link: &str,
) -> bool {
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
        joined(page.parent().unwrap_or(Path::new("")), path)
    };
    if heading.is_empty() {
        return folder.join(&target).exists();
    }
    let id = format!("id=\"{heading}\"");
    pages.get(&target).is_some_and(|html| html.contains(&id))
}

/// The path without `.` and `..`.
fn joined(folder: &Path, link: &str) -> PathBuf {
    let mut path = folder.to_owned();
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
