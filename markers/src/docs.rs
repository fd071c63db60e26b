//! Doc comments as descriptions, cleaned like controller-gen does for Go.
//!
//! Drops lines that start with `TODO` and everything after a line that starts with `---`, except in code blocks.

use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// Returns the doc comment, or an empty string.
pub(crate) fn docs(attributes: &[Attribute]) -> String {
    let lines: Vec<String> = attributes.iter().filter_map(text).flat_map(lines).collect();
    clean(&lines)
}

/// Cleans a multi-line string by the same rules.
pub(crate) fn clean_text(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    clean(&lines)
}

fn text(attribute: &Attribute) -> Option<String> {
    match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(ExprLit {
                lit: Lit::Str(text),
                ..
            }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the lines of an attribute, without the leading space of `///`.
fn lines(text: String) -> Vec<String> {
    if !text.contains('\n') {
        return vec![text.strip_prefix(' ').map(str::to_owned).unwrap_or(text)];
    }
    block_lines(&text)
}

/// Returns the lines of `/** ... */`, without leading stars or common indentation.
fn block_lines(text: &str) -> Vec<String> {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let non_empty_lines = || rest.lines().filter(|line| !line.trim().is_empty());
    let starred = non_empty_lines().count() > 0
        && non_empty_lines().all(|line| line.trim_start().starts_with('*'));
    let indent = non_empty_lines()
        .map(|line| line.len() - line.trim_start().len())
        .min()
        .unwrap_or(0);
    let rest = rest.lines().map(|line| {
        let line = if starred {
            line.trim_start().strip_prefix('*').unwrap_or("")
        } else {
            line.get(indent..).unwrap_or("")
        };
        let line = if starred {
            line.strip_prefix(' ').unwrap_or(line)
        } else {
            line
        };
        line.to_owned()
    });
    let first = first.strip_prefix(' ').unwrap_or(first).to_owned();
    [first].into_iter().chain(rest).collect()
}

fn clean(lines: &[String]) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut in_code = false;
    for line in lines {
        let line = line.trim_end();
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        } else if !in_code && line.starts_with("---") {
            break;
        } else if !in_code && line.trim_start().starts_with("TODO") {
            continue;
        }
        kept.push(line);
    }
    kept.join("\n").trim().to_owned()
}
