//! Collects errors, warnings and reasons to fall back, so that all are reported together.

use super::{Diagnostic, FallbackReason};

/// Errors, warnings and reasons to fall back to crdgen.
#[derive(Debug, Default)]
pub(super) struct Findings {
    pub(super) errors: Vec<Diagnostic>,
    pub(super) reasons: Vec<FallbackReason>,
    pub(super) warnings: Vec<Diagnostic>,
}

impl Findings {
    /// Adds an error unless it is known.
    pub(super) fn error(&mut self, diagnostic: Diagnostic) {
        if !self.errors.contains(&diagnostic) {
            self.errors.push(diagnostic);
        }
    }

    /// Adds a reason unless it is known.
    pub(super) fn reason(&mut self, reason: FallbackReason) {
        if !self.reasons.contains(&reason) {
            self.reasons.push(reason);
        }
    }
}
