//! Applies `minimum`, `maximum`, their exclusiveness and `multiple_of`.
//!
//! Bounds of integers must be integers within the range of the Rust type: the API server would accept values that cannot be deserialized.

use serde_json::{Number, Value};

use super::builder::Builder;
use super::merge::Overlay;
use super::node::{Node, type_of};
use super::number;
use super::subject::Subject;
use crate::api::Marks;

impl Builder<'_> {
    /// Applies bounds and multiples.
    pub(super) fn apply_bounds(
        &mut self,
        node: &mut Node,
        marks: &Marks,
        subject: &Subject,
        overlay: &mut Overlay,
    ) {
        let bounds = [
            ("minimum", &marks.minimum, marks.exclusive_minimum),
            ("maximum", &marks.maximum, marks.exclusive_maximum),
            ("multiple_of", &marks.multiple_of, false),
        ];
        for (mark, bound, exclusive) in bounds {
            let flag = format!("exclusive_{mark}");
            let Some(bound) = bound else {
                if exclusive && self.fits(node, &flag, subject) {
                    self.apply_exclusive(node, mark, &flag, subject);
                }
                continue;
            };
            if !self.fits(node, mark, subject) {
                continue;
            }
            if type_of(&node.keywords) == "integer" && !number::is_integral(bound) {
                let message = format!(
                    "{} is {bound}, but {} is an integer",
                    subject.label(mark),
                    subject.what
                );
                self.problem(Some(subject.mark(mark)), message, None);
                continue;
            }
            self.check_natural(node, mark, bound, subject);
            let (keyword, camel_flag) = match mark {
                "minimum" => ("minimum", "exclusiveMinimum"),
                "maximum" => ("maximum", "exclusiveMaximum"),
                _ => ("multipleOf", ""),
            };
            let value = Value::Number(number::normalize(bound));
            overlay.put_bound(node, keyword, value, (camel_flag, exclusive));
        }
    }

    fn apply_exclusive(&mut self, node: &mut Node, mark: &str, flag: &str, subject: &Subject) {
        if node.keywords.contains_key(mark) {
            let keyword = if mark == "minimum" {
                "exclusiveMinimum"
            } else {
                "exclusiveMaximum"
            };
            node.set(keyword, true);
        } else {
            let message = format!(
                "{} requires `{mark}`, but {} has none",
                subject.label(flag),
                subject.what
            );
            self.problem(Some(subject.mark(flag)), message, None);
        }
    }

    /// Rejects bounds outside of the range of the Rust type.
    fn check_natural(&mut self, node: &Node, mark: &str, bound: &Number, subject: &Subject) {
        if !node.natural.names.contains(&mark) {
            return;
        }
        let Some(Value::Number(natural)) = node.keywords.get(mark) else {
            return;
        };
        let (beyond, than) = if mark == "minimum" {
            (number::is_less(bound, natural), "less")
        } else {
            (number::is_less(natural, bound), "more")
        };
        if beyond {
            let message = format!(
                "{} is {bound}, but the Rust type of {} cannot represent values {than} than {natural}",
                subject.label(mark),
                subject.what
            );
            self.problem(Some(subject.mark(mark)), message, None);
        }
    }
}
