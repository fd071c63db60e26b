//! Checks API groups.
//!
//! Groups unknown to Kubernetes are allowed, unless they are invalid or likely a typo of a Kubernetes group.

use super::{described, entries, not_a_word, spelling};
use crate::rbac::{Argument, Place, Problem, Rule};
use crate::{ApiGroup, Version, builtin, edits};

/// Existing groups that resemble a Kubernetes group, such as that of the vertical pod autoscaler.
const OTHERS: [&str; 1] = ["autoscaling.k8s.io"];

pub(super) fn check(rule: &Rule) -> Vec<Problem> {
    entries(rule, Argument::Groups)
        .filter_map(|(place, group)| problem(place, group))
        .collect()
}

fn problem(place: Place, group: &str) -> Option<Problem> {
    let free = ["", "core", "*"].contains(&group) || OTHERS.contains(&group);
    if free || builtin::resource_groups().any(|known| known == group) {
        return None;
    }
    if let Some(problem) = not_a_word(place, Argument::Groups, group) {
        return Some(problem);
    }
    if let Some((before, behind)) = group.split_once('/') {
        return Some(with_slash(place, group, before, behind));
    }
    if is_version(group) {
        let message = format!("`{group}` is a version, not a group");
        let help = format!("use `{}` for the core group", spelling(""));
        return Some(Problem::new(place, message, help));
    }
    if let Err(error) = group.parse::<ApiGroup>() {
        let help = error.help().to_owned();
        return Some(Problem::new(place, error.to_string(), help));
    }
    let meant = in_full(group).or_else(|| near(group))?;
    let message = format!("unknown group `{group}`");
    let help = format!("did you mean `{meant}`?");
    Some(Problem::new(place, message, help))
}

fn is_version(text: &str) -> bool {
    text.parse::<Version>()
        .is_ok_and(|version| version.is_usual())
}

/// `apps/v1`, `apps/deployments`.
fn with_slash(place: Place, group: &str, before: &str, behind: &str) -> Problem {
    let own = spelling(if before == "core" { "" } else { before });
    if is_version(behind) {
        let message = format!("expected a group, found a group with a version: `{group}`");
        return Problem::new(place, message, format!("use `{own}`"));
    }
    let message = format!("`{group}` is not {}", described(before));
    let help = format!("use `groups = \"{own}\", resources = \"{behind}\"`");
    Problem::new(place, message, help)
}

/// Returns the group that this abbreviates: `networking`, `rbac`.
fn in_full(group: &str) -> Option<&'static str> {
    builtin::resource_groups().find(|known| {
        known.strip_suffix(".k8s.io") == Some(group)
            || known.contains('.') && known.split('.').next() == Some(group)
    })
}

/// Returns the Kubernetes group that this is likely a typo of. Groups with a custom domain are not typos.
fn near(group: &str) -> Option<&'static str> {
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
            let distance = edits(own, stem);
            (distance <= (own.len() / 4).clamp(1, 2)).then_some((distance, known))
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, known)| known)
}
