//! Excerpts of process output for error messages.

/// Maximum number of lines.
const LINES: usize = 25;
/// Maximum number of characters per line.
const WIDTH: usize = 200;

/// Returns the first lines of the output, with control characters replaced.
pub(super) fn quote(output: &[u8]) -> String {
    let text = String::from_utf8_lossy(output);
    let lines: Vec<&str> = text.trim().lines().collect();
    let mut quoted: Vec<String> = lines
        .iter()
        .take(LINES)
        .map(|line| truncated(line))
        .collect();
    if lines.len() > LINES {
        quoted.push(format!("... ({} more lines)", lines.len() - LINES));
    }
    quoted.join("\n")
}

fn truncated(line: &str) -> String {
    let mut characters = line.chars().map(|character| match character {
        '\t' => ' ',
        _ if character.is_control() => char::REPLACEMENT_CHARACTER,
        _ => character,
    });
    let mut text: String = characters.by_ref().take(WIDTH).collect();
    if characters.next().is_some() {
        text.push_str("...");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truncates_and_sanitizes_output() {
        assert_eq!(quote(b"\n a\tb\x1b[31m\xff\n\n"), "a b\u{fffd}[31m\u{fffd}");
        let many = quote("x\n".repeat(100).as_bytes());
        assert_eq!(many.lines().count(), LINES + 1);
        assert!(many.ends_with("... (75 more lines)"), "{many}");
        assert_eq!(
            quote("é".repeat(1000).as_bytes()).chars().count(),
            WIDTH + 3
        );
    }
}
