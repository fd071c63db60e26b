//! The protocol of mdBook's preprocessors: the book as JSON comes in, and goes out with the directives carried out.

use std::{io, path::Path};

use anyhow::{Context, Result};
use serde_json::Value;

use crate::directive;

pub(crate) fn run() -> Result<()> {
    let (context, mut book): (Value, Value) = serde_json::from_reader(io::stdin())?;
    let root = context["root"].as_str().context("mdBook names the root")?;
    let repository = Path::new(root)
        .parent()
        .context("the book is in the repository")?;
    for item in items(&mut book).context("mdBook gives its chapters")? {
        expand(item, repository)?;
    }
    serde_json::to_writer(io::stdout(), &book)?;
    Ok(())
}

/// mdBook calls it `items` now, and `sections` before version 0.5.
fn items(book: &mut Value) -> Option<&mut Vec<Value>> {
    let name = ["items", "sections"]
        .into_iter()
        .find(|name| book.get(name).is_some())?;
    book[name].as_array_mut()
}

/// Carries out the directives of a chapter and of those below it.
fn expand(item: &mut Value, repository: &Path) -> Result<()> {
    let Some(chapter) = item.get_mut("Chapter") else {
        return Ok(());
    };
    let path = chapter["path"].as_str().unwrap_or_default().to_owned();
    let text = chapter["content"].as_str().unwrap_or_default();
    let expanded = directive::expand(text, repository).with_context(|| path)?;
    chapter["content"] = expanded.into();
    for item in chapter["sub_items"].as_array_mut().into_iter().flatten() {
        expand(item, repository)?;
    }
    Ok(())
}
