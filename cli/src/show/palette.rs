//! Colors by meaning.

use anstyle::{AnsiColor, Style};

/// Additions.
pub(super) const ADDED: Style = AnsiColor::Green.on_default();
/// Removals.
pub(super) const REMOVED: Style = AnsiColor::Red.on_default();
/// Modifications.
pub(super) const CHANGED: Style = AnsiColor::Yellow.on_default();
/// Secondary text.
pub(super) const QUIET: Style = Style::new().dimmed();
/// The label `error`.
pub(super) const ERROR: Style = AnsiColor::Red.on_default().bold();
/// The labels `help`, `next` and `note`.
pub(super) const HINT: Style = AnsiColor::Cyan.on_default().bold();
