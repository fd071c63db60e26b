//! Directives in the pages, each on a line of its own inside a code block, with paths seen from the repository's root:
//!
//! - `{{#code PATH}}`: a whole source, without the licence header and the blank lines around it;
//! - `{{#code PATH fn reconcile, struct Context}}`: items of it, with their attributes and doc comments;
//! - `{{#commands PATH}}`: a list of kb-rs commands, as one types them.
//!
//! mdBook's own include knows lines and anchors: the first go wrong when a file changes, the second would stand in the users' view of the code.

use std::{fs, path::Path};

use anyhow::{Context, Result, ensure};

use super::item;

/// The page with its directives carried out.
pub(crate) fn expand(page: &str, repository: &Path) -> Result<String> {
    let mut text = String::with_capacity(page.len());
    for line in page.lines() {
        match parse(line) {
            Some(directive) => text.push_str(&carry_out(directive, repository)?),
            None => text.push_str(line),
        }
        text.push('\n');
    }
    Ok(text)
}

/// The words of a directive: what is asked for, and of what file.
pub(crate) fn parse(line: &str) -> Option<(&str, &str)> {
    let inner = line
        .trim()
        .strip_prefix("{{#")?
        .strip_suffix("}}")?
        .split_once(' ')?;
    matches!(inner.0, "code" | "commands").then_some(inner)
}

fn carry_out((name, arguments): (&str, &str), repository: &Path) -> Result<String> {
    let (path, items) = arguments.split_once(' ').unwrap_or((arguments, ""));
    let source = fs::read_to_string(repository.join(path)).with_context(|| path.to_owned())?;
    if name == "commands" {
        ensure!(items.is_empty(), "`{items}` behind {path}");
        return Ok(commands(&source));
    }
    if items.is_empty() {
        return Ok(without_header(&source).to_owned());
    }
    let found = items.split(", ").map(|name| {
        let found = item::find(&source, name);
        found.with_context(|| format!("{path} has no `{name}`"))
    });
    let found: Result<Vec<String>> = found.collect();
    Ok(found?.join("\n\n"))
}

fn commands(list: &str) -> String {
    let commands = list.lines().filter(|line| !line.trim().is_empty());
    let commands: Vec<String> = commands.map(|line| format!("kb-rs {line}")).collect();
    commands.join("\n")
}

/// The source from its first line that is no part of the licence header.
fn without_header(source: &str) -> &str {
    let mut rest = source;
    while rest.starts_with("// ") || rest.starts_with('\n') {
        rest = rest.split_once('\n').map_or("", |(_, rest)| rest);
    }
    rest.trim_end()
}
