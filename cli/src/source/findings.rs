//! What is found on the way: collected, not thrown at the first.

use super::{Diagnostic, Reason};

/// Mistakes, reasons for the slow path and oddities.
#[derive(Debug, Default)]
pub(super) struct Findings {
    pub(super) errors: Vec<Diagnostic>,
    pub(super) reasons: Vec<Reason>,
    pub(super) warnings: Vec<Diagnostic>,
}

impl Findings {
    /// Whether there is nothing to say.
    pub(super) fn is_empty(&self) -> bool {
        self.errors.is_empty() && self.reasons.is_empty() && self.warnings.is_empty()
    }

    /// Notes a mistake, once.
    pub(super) fn error(&mut self, diagnostic: Diagnostic) {
        if !self.errors.contains(&diagnostic) {
            self.errors.push(diagnostic);
        }
    }

    /// Notes a reason, once.
    pub(super) fn reason(&mut self, reason: Reason) {
        if !self.reasons.contains(&reason) {
            self.reasons.push(reason);
        }
    }
}
