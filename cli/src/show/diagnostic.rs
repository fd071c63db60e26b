//! Renders diagnostics of sources like rustc.

use std::fmt::Write;

use anstyle::Style;

use super::{
    escape::escaped,
    palette::{CHANGED, ERROR, HINT, QUIET},
};
use crate::source::Diagnostic;

/// Maximum number of characters of a source line: generated code has very long ones.
const LONGEST_LINE: usize = 160;
/// Number of characters shown before the span in a truncated line.
const CONTEXT: usize = 60;

/// Severity of a diagnostic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    /// The command fails.
    Error,
    /// The command continues.
    Warning,
}

impl Level {
    fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }

    pub(super) fn style(self) -> Style {
        match self {
            Self::Error => ERROR,
            Self::Warning => CHANGED.bold(),
        }
    }
}

/// Renders a diagnostic with colors, which `anstream` strips outside a terminal.
pub(super) fn render(diagnostic: &Diagnostic, level: Level) -> String {
    let (word, style) = (level.word(), level.style());
    let message = escaped(&diagnostic.message);
    let mut text = format!("{style}{word}{style:#}: {message}\n");
    let line = match diagnostic.line {
        0 => String::new(),
        line => line.to_string(),
    };
    let indent = " ".repeat(line.len());
    let path = escaped(diagnostic.path.as_str());
    let _ = write!(text, "{indent}{QUIET}-->{QUIET:#} {path}");
    if diagnostic.line > 0 {
        let _ = write!(text, ":{line}:{}", diagnostic.column);
        text.push('\n');
        excerpt(&mut text, diagnostic, style, &line, &indent);
    } else {
        text.push('\n');
    }
    if let Some(help) = &diagnostic.help {
        let _ = writeln!(
            text,
            "{indent} {QUIET}={QUIET:#} {HINT}help{HINT:#}: {}",
            escaped(help)
        );
    }
    text
}

/// Appends the source line with the span underlined. Tabs take four columns; long lines are truncated.
fn excerpt(text: &mut String, diagnostic: &Diagnostic, style: Style, line: &str, indent: &str) {
    let (source, before) = visible(diagnostic);
    let widths = |from: usize, count: usize| -> usize {
        let characters = source.chars().skip(from).take(count);
        characters.map(|c| if c == '\t' { 4 } else { 1 }).sum()
    };
    let padding = " ".repeat(widths(0, before));
    let carets = "^".repeat(widths(before, diagnostic.width).max(1));
    let source = escaped(&source.replace('\t', "    "));
    let _ = writeln!(text, "{indent} {QUIET}|{QUIET:#}");
    let _ = writeln!(text, "{QUIET}{line} |{QUIET:#} {}", source.trim_end());
    let _ = writeln!(
        text,
        "{indent} {QUIET}|{QUIET:#} {padding}{style}{carets}{style:#}"
    );
}

/// Returns the visible part of the line and the position of the span in it.
fn visible(diagnostic: &Diagnostic) -> (String, usize) {
    let line = &diagnostic.source_line;
    let before = diagnostic.column.saturating_sub(1);
    let length = line.chars().count();
    if length <= LONGEST_LINE {
        return (line.clone(), before);
    }
    let start = before.saturating_sub(CONTEXT);
    let shown: String = line.chars().skip(start).take(LONGEST_LINE).collect();
    let more = if start + LONGEST_LINE < length {
        "…"
    } else {
        ""
    };
    match start {
        0 => (format!("{shown}{more}"), before),
        _ => (format!("…{shown}{more}"), before - start + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::RelPath;

    fn plain(diagnostic: &Diagnostic, level: Level) -> String {
        anstream::adapter::strip_str(&render(diagnostic, level)).to_string()
    }

    #[test]
    fn underlines_the_span() {
        let diagnostic = Diagnostic {
            path: RelPath::new("api/src/lib.rs"),
            line: 12,
            column: 7,
            width: 7,
            message: "`minimum` needs a number".to_owned(),
            help: Some("for the length of a string use `min_length`".to_owned()),
            source_line: "\t#[kb(minimum = 1)]".to_owned(),
        };
        assert_eq!(
            plain(&diagnostic, Level::Error),
            "\
error: `minimum` needs a number
  --> api/src/lib.rs:12:7
   |
12 |     #[kb(minimum = 1)]
   |          ^^^^^^^
   = help: for the length of a string use `min_length`
"
        );
    }

    #[test]
    fn truncates_long_lines() {
        let diagnostic = Diagnostic {
            path: RelPath::new("api/src/lib.rs"),
            line: 1,
            column: 1001,
            width: 2000,
            message: "too deep".to_owned(),
            help: None,
            source_line: format!("{}{}", "a".repeat(1000), "(".repeat(2000)),
        };
        let (before, span) = ("a".repeat(60), "(".repeat(100));
        let (padding, carets) = (" ".repeat(61), "^".repeat(101));
        assert_eq!(
            plain(&diagnostic, Level::Error),
            format!(
                "error: too deep\n --> api/src/lib.rs:1:1001\n  |\n1 | …{before}{span}…\n  | {padding}{carets}\n"
            )
        );
    }

    #[test]
    fn a_diagnostic_of_a_whole_file_has_no_excerpt() {
        let diagnostic = Diagnostic {
            path: RelPath::new("api/Cargo.toml"),
            line: 0,
            column: 0,
            width: 0,
            message: "there is no such file".to_owned(),
            help: None,
            source_line: String::new(),
        };
        assert_eq!(
            plain(&diagnostic, Level::Warning),
            "warning: there is no such file\n--> api/Cargo.toml\n"
        );
    }
}
