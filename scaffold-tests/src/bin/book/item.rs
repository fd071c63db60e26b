//! Items of a Rust source by their names.
//!
//! The sources are formatted by rustfmt, and that is what this goes by: an item begins after a blank line, or after the item before it, and ends with
//! the first line of its own indentation that closes it.

/// The item of this name, such as `fn reconcile` or `impl Context`, without its indentation.
pub(crate) fn find(source: &str, name: &str) -> Option<String> {
    let lines: Vec<&str> = source.lines().collect();
    let declared = lines.iter().position(|line| declares(line, name))?;
    let indent = indentation(lines[declared]);
    let above = lines[..declared].iter().rev();
    let described = above.take_while(|line| belongs(line, indent)).count();
    let rest = &lines[declared..];
    let length = 1 + rest.iter().position(|line| closes(line, indent))?;
    let item = &lines[declared - described..declared + length];
    let unindented = item.iter().map(|line| line.get(indent..).unwrap_or(""));
    Some(unindented.collect::<Vec<_>>().join("\n"))
}

/// Whether a line above a declaration is a part of its attributes and comments.
fn belongs(line: &str, indent: usize) -> bool {
    !line.trim().is_empty() && indentation(line) >= indent && !closes(line, indent)
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Whether the line declares what the name says, whoever may see it.
fn declares(line: &str, name: &str) -> bool {
    let mut words = line.trim_start();
    for modifier in ["pub(crate) ", "pub(super) ", "pub ", "const ", "async "] {
        // A constant is called `const NAME`.
        if !name.starts_with(modifier) {
            words = words.strip_prefix(modifier).unwrap_or(words);
        }
    }
    words
        .strip_prefix(name)
        .is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_'))
}

/// Whether an item of this indentation ends with the line, or one that stands above another ended there.
fn closes(line: &str, indent: usize) -> bool {
    let text = line.trim();
    let is_comment_or_attribute = text.starts_with("//") || text.starts_with('#');
    indentation(line) == indent
        && !is_comment_or_attribute
        && (text.ends_with(';') || text.ends_with('}'))
}
