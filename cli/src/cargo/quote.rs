//! What a process said, short enough to be read.

/// The most lines that are quoted.
const LINES: usize = 25;
/// The most characters of a line that are quoted.
const WIDTH: usize = 200;

/// The first lines of what was said, without what a terminal would act on.
pub(super) fn quote(said: &[u8]) -> String {
    let text = String::from_utf8_lossy(said);
    let lines: Vec<&str> = text.trim().lines().collect();
    let mut quoted: Vec<String> = lines
        .iter()
        .take(LINES)
        .map(|line| shortened(line))
        .collect();
    if lines.len() > LINES {
        quoted.push(format!("... ({} more lines)", lines.len() - LINES));
    }
    quoted.join("\n")
}

fn shortened(line: &str) -> String {
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
    fn long_and_binary_output_is_cut_and_made_harmless() {
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
