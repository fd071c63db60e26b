//! Checks API groups.
//!
//! Groups unknown to Kubernetes are allowed, unless they are invalid or likely a typo of a Kubernetes group.

use super::{describe_group, entries, invalid_entry, is_version, spelling};
use crate::rbac::{Argument, Location, Problem, Rule};
use crate::{ApiGroup, builtin, edit_distance};

/// Existing groups that resemble a Kubernetes group, such as that of the vertical pod autoscaler.
const LOOKALIKES: [&str; 1] = ["autoscaling.k8s.io"];

pub(super) fn check(rule: &Rule) -> Vec<Problem> {
    entries(rule, Argument::Groups)
        .filter_map(|(location, group)| problem(location, group))
        .collect()
}

fn problem(location: Location, group: &str) -> Option<Problem> {
    let is_valid = ["", "core", "*"].contains(&group) || LOOKALIKES.contains(&group);
    if is_valid || builtin::resource_groups().any(|known| known == group) {
        return None;
    }
    if let Some(problem) = invalid_entry(location, Argument::Groups, group) {
        return Some(problem);
    }
    if let Some((before, after)) = group.split_once('/') {
        return Some(with_slash(location, group, before, after));
    }
    if is_version(group) {
        let message = format!("`{group}` is a version, not a group");
        let help = format!("use `{}` for the core group", spelling(""));
        return Some(Problem::new(location, message, help));
    }
    if let Err(error) = group.parse::<ApiGroup>() {
        let help = error.help().to_owned();
        return Some(Problem::new(location, error.to_string(), help));
    }
    let suggestion = expand_abbreviation(group).or_else(|| nearest(group))?;
    let message = format!("unknown group `{group}`");
    let help = format!("did you mean `{suggestion}`?");
    Some(Problem::new(location, message, help))
}

/// `apps/v1`, `apps/deployments`.
fn with_slash(location: Location, group: &str, before: &str, after: &str) -> Problem {
    let own = spelling(if before == "core" { "" } else { before });
    if is_version(after) {
        let message = format!("expected a group, found a group with a version: `{group}`");
        return Problem::new(location, message, format!("use `{own}`"));
    }
    let message = format!("`{group}` is not {}", describe_group(before));
    let help = format!("use `groups = \"{own}\", resources = \"{after}\"`");
    Problem::new(location, message, help)
}

/// Returns the group that this abbreviates: `networking`, `rbac`.
fn expand_abbreviation(group: &str) -> Option<&'static str> {
    builtin::resource_groups().find(|known| {
        known.strip_suffix(".k8s.io") == Some(group)
            || known.contains('.') && known.split('.').next() == Some(group)
    })
}

/// Returns the Kubernetes group that this is likely a typo of. Groups with a custom domain are not typos.
fn nearest(group: &str) -> Option<&'static str> {
    let stem = group.strip_suffix(".k8s.io");
    if stem.is_none() && group.contains('.') {
        return None;
    }
    let stem = stem.unwrap_or(group);
    let known = builtin::resource_groups().filter(|known| !known.is_empty());
    known
        .filter_map(|known| {
            let (own, is_long) = match known.strip_suffix(".k8s.io") {
                Some(own) => (own, true),
                None => (known, false),
            };
            // `app.k8s.io` exists and is not `apps`.
            if is_long != group.ends_with(".k8s.io") && own != stem {
                return None;
            }
            let distance = edit_distance(own, stem);
            (distance <= (own.len() / 4).clamp(1, 2)).then_some((distance, known))
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, known)| known)
}
