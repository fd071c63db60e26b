//! The comments above a generated document: the user's header, and the line that says who wrote the file.
//!
//! That line is how kb-rs knows its own files. A file without it is never changed and never removed.

use crate::{plan::FileState, problem::Problem, yaml::is_comment_text};

/// What a generated file says of itself.
const MARK: &str = "# Made by kb-rs generate. Do not edit: change the Rust code instead.";

/// Lines that begin with `#`, each with its newline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Comments(String);

impl Default for Comments {
    fn default() -> Self {
        Self(format!("{MARK}\n"))
    }
}

impl Comments {
    /// The comments with the text of a header file above.
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

    /// The lines.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// Whether the comments above the first document say that kb-rs made the file.
pub(crate) fn is_generated(text: &str) -> bool {
    text.lines()
        .map(str::trim)
        .take_while(|line| line.is_empty() || line.starts_with('#'))
        .any(|line| line == MARK)
}

/// Whether somebody else wrote what is there.
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
    fn a_header_becomes_comments_above_the_mark() {
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
    fn a_header_that_yaml_cannot_hold_is_refused() {
        let problem = Comments::with_header("h.txt", "a\nb\u{7}").unwrap_err();
        assert!(
            problem.message.starts_with("h.txt:2 "),
            "{}",
            problem.message
        );
    }

    #[test]
    fn the_mark_counts_only_above_the_document() {
        assert!(is_generated(&format!("# a\r\n{MARK}\r\n---\r\n")));
        assert!(!is_generated(&format!("---\na: 1\n{MARK}\n")));
        assert!(!is_generated("---\na: 1\n"));
    }
}
