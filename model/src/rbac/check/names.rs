//! Checks resource names, namespace, role name and reason.

use super::{entries, invalid_entry};
use crate::rbac::{Argument, Location, Problem, Rule};
use crate::{NameError, Namespace, RoleName};

pub(super) fn check(rule: &Rule) -> Vec<Problem> {
    let objects = entries(rule, Argument::ResourceNames).filter_map(|(location, name)| {
        invalid_entry(location, Argument::ResourceNames, name).or_else(|| {
            (name == "*").then(|| {
                let message = "`*` is not a wildcard in `resource_names`";
                Problem::new(
                    location,
                    message,
                    "remove `resource_names` to allow all objects",
                )
            })
        })
    });
    let mut problems: Vec<Problem> = objects.collect();
    let name = |argument, error: &NameError| {
        Problem::new(
            Location::Argument(argument),
            error.to_string(),
            error.help(),
        )
    };
    if let Some(Err(error)) = rule.namespace.as_deref().map(str::parse::<Namespace>) {
        problems.push(name(Argument::Namespace, &error));
    }
    if let Some(Err(error)) = rule.role_name.as_deref().map(str::parse::<RoleName>) {
        problems.push(name(Argument::RoleName, &error));
    }
    problems.extend(rule.reason.as_deref().and_then(invalid_reason));
    problems
}

/// A reason becomes a comment in the role.
fn invalid_reason(reason: &str) -> Option<Problem> {
    let location = Location::Argument(Argument::Reason);
    if reason.trim().is_empty() {
        let help = "explain the rule, or remove `reason`";
        return Some(Problem::new(location, "reason must not be empty", help));
    }
    let is_line_break =
        |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}');
    reason.contains(is_line_break).then(|| {
        let message = "reason must be a single line";
        Problem::new(
            location,
            message,
            "use a single line; the reason becomes a comment in the role",
        )
    })
}
