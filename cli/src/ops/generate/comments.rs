//! The comments at the top of a generated file: the user's header, and a line that marks the file as generated.
//!
//! kb-rs never changes or removes a file without that line.

use crate::{plan::FileState, problem::Problem, yaml::is_comment_text};

/// Marks a generated file.
const MARK: &str = "# Made by kb-rs generate. Do not edit: change the Rust code instead.";

/// Lines that start with `#`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Comments(String);

impl Default for Comments {
    fn default() -> Self {
        Self(format!("{MARK}\n"))
    }
}

impl Comments {
    /// Returns the comments with the text of a header file above the mark.
    pub(crate) fn with_header(name: &str, header: &str) -> Result<Self, Problem> {
        let header = header.strip_prefix('\u{feff}').unwrap_or(header).trim_end();
        let mut text = String::new();
        for (index, line) in header.lines().enumerate() {
            let line = line.trim_end();
            if !is_comment_text(line) {
                return Err(Problem::new(
                    format!(
                        "{name}:{} has a character that YAML does not allow in a comment",
                        index + 1
                    ),
                    "take control characters and Unicode's line separators out of the header",
                ));
            }
            match line {
                "" => text.push('#'),
                _ if line.starts_with('#') => text.push_str(line),
                _ => {
                    text.push_str("# ");
                    text.push_str(line);
                }
            }
            text.push('\n');
        }
        text.push_str(MARK);
        text.push('\n');
        Ok(Self(text))
    }

    /// Returns the lines.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// Returns whether the comments above the first document mark the file as generated.
pub(crate) fn is_generated(text: &str) -> bool {
    text.lines()
        .map(str::trim)
        .take_while(|line| line.is_empty() || line.starts_with('#'))
        .any(|line| line == MARK)
}

/// Returns whether the path has a file that kb-rs did not generate.
pub(super) fn is_foreign(entry: &FileState) -> bool {
    match entry {
        FileState::File(text) | FileState::ReadOnly(text) => {
            !text.trim().is_empty() && !is_generated(text)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_the_header_above_the_mark() {
        let comments = Comments::with_header("h.txt", "Copyright us.\r\n\n#  kept\n\n").unwrap();
        assert_eq!(
            comments.as_str(),
            format!("# Copyright us.\n#\n#  kept\n{MARK}\n")
        );
        assert!(is_generated(&format!("{}---\na: 1\n", comments.as_str())));
        assert_eq!(
            Comments::with_header("h.txt", " \n"),
            Ok(Comments::default())
        );
    }

    #[test]
    fn rejects_a_header_with_control_characters() {
        let problem = Comments::with_header("h.txt", "a\nb\u{7}").unwrap_err();
        assert!(
            problem.message.starts_with("h.txt:2 "),
            "{}",
            problem.message
        );
    }

    #[test]
    fn ignores_a_mark_below_the_document_start() {
        assert!(is_generated(&format!("# a\r\n{MARK}\r\n---\r\n")));
        assert!(!is_generated(&format!("---\na: 1\n{MARK}\n")));
        assert!(!is_generated("---\na: 1\n"));
    }
}
