//! The colours, by meaning.

use anstyle::{AnsiColor, Style};

/// Something new.
pub(super) const ADDED: Style = AnsiColor::Green.on_default();
/// Something that goes.
pub(super) const REMOVED: Style = AnsiColor::Red.on_default();
/// Something that changes.
pub(super) const CHANGED: Style = AnsiColor::Yellow.on_default();
/// What stands between.
pub(super) const QUIET: Style = Style::new().dimmed();
/// The word `error`.
pub(super) const ERROR: Style = AnsiColor::Red.on_default().bold();
/// The words `help`, `next`, `note`.
pub(super) const HINT: Style = AnsiColor::Cyan.on_default().bold();
