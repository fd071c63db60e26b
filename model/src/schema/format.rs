//! Checks that a `format` fits its type.

use super::builder::Builder;
use super::node::{Node, form_of, type_of};
use super::subject::Subject;
use crate::fit::{Form, format_requirement, formats};

impl Builder<'_> {
    /// Returns whether a format fits; otherwise reports a problem. Any format fits where the type is open.
    pub(super) fn format_fits(&mut self, node: &Node, format: &str, subject: &Subject) -> bool {
        let form = form_of(&node.keywords);
        if let Some(requirement) = format_requirement(format) {
            return self.meets(node, "format", requirement, subject);
        }
        let fits = matches!(form, Form::Any | Form::IntOrString);
        if !fits {
            let message = format!(
                "invalid format \"{format}\" in {} on {}: the API server does not support it for {}",
                subject.label("format"),
                subject.what,
                form.phrase()
            );
            let known = formats(type_of(&node.keywords)).join(", ");
            let help = (!known.is_empty()).then(|| format!("use one of {known}"));
            self.problem(Some(subject.mark("format")), message, help);
        }
        fits
    }
}
