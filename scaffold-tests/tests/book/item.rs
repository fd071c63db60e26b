//! Finds items of a Rust source by name.
//!
//! Relies on rustfmt: an item starts after a blank line or another item and ends at the first closing line with its own indentation.

/// Returns an item such as `fn reconcile` or `impl Context`, without indentation.
pub(crate) fn find(source: &str, name: &str) -> Option<String> {
    let lines: Vec<&str> = source.lines().collect();
    let declared = lines.iter().position(|line| declares(line, name))?;
    let indent = indentation(lines[declared]);
    let above = lines[..declared].iter().rev();
    let attributes = above.take_while(|line| belongs(line, indent)).count();
    let rest = &lines[declared..];
    let length = 1 + rest.iter().position(|line| closes(line, indent))?;
    let item = &lines[declared - attributes..declared + length];
    let unindented = item.iter().map(|line| line.get(indent..).unwrap_or(""));
    Some(unindented.collect::<Vec<_>>().join("\n"))
}

/// Returns whether a line above a declaration belongs to its attributes and comments.
fn belongs(line: &str, indent: usize) -> bool {
    !line.trim().is_empty() && indentation(line) >= indent && !closes(line, indent)
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Returns whether the line declares the item, with any visibility.
fn declares(line: &str, name: &str) -> bool {
    let mut words = line.trim_start();
    for modifier in ["pub(crate) ", "pub(super) ", "pub ", "const ", "async "] {
        // The name of a constant is `const NAME`.
        if !name.starts_with(modifier) {
            words = words.strip_prefix(modifier).unwrap_or(words);
        }
    }
    words
        .strip_prefix(name)
        .is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_'))
}

/// Returns whether an item of this indentation ends with the line.
fn closes(line: &str, indent: usize) -> bool {
    let text = line.trim();
    let is_comment_or_attribute = text.starts_with("//") || text.starts_with('#');
    indentation(line) == indent
        && !is_comment_or_attribute
        && (text.ends_with(';') || text.ends_with('}'))
}
