//! Checks resources and subresources: those of Kubernetes groups must exist, others must be well-formed.
//!
//! A rule with several groups covers every resource in every group. It is valid if each resource is in one of the groups, and each Kubernetes group has
//! one of the resources.

use super::{describe_group, entries, invalid_entry, quoted_list, spelling};
use crate::builtin::{self, BuiltinResource};
use crate::edit_distance::nearest;
use crate::rbac::{Argument, Location, Problem, Rule};
use crate::{Kind, Plural};

/// Returns resource and subresource.
pub(super) fn split_subresource(resource: &str) -> (&str, Option<&str>) {
    match resource.split_once('/') {
        Some((name, subresource)) => (name, Some(subresource)),
        None => (resource, None),
    }
}

/// `look_up`: the groups are valid, so resources can be looked up.
pub(super) fn check(rule: &Rule, look_up: bool) -> Vec<Problem> {
    let mut problems: Vec<Problem> = entries(rule, Argument::Resources)
        .filter_map(|(location, resource)| malformed(location, resource))
        .collect();
    if !look_up || rule.groups.is_empty() || rule.resources.is_empty() || !problems.is_empty() {
        return problems;
    }
    let groups = Groups::of(rule);
    if !groups.has_others {
        problems.extend(
            entries(rule, Argument::Resources)
                .filter_map(|(location, resource)| missing(location, resource, &groups.builtin)),
        );
    }
    if problems.is_empty() {
        problems.extend(unused_groups(rule));
    }
    problems
}

/// Groups of a rule.
struct Groups<'a> {
    /// Kubernetes groups.
    builtin: Vec<&'a str>,
    /// Whether there are other groups.
    has_others: bool,
}

impl<'a> Groups<'a> {
    fn of(rule: &'a Rule) -> Self {
        let known = |group: &&str| builtin::resource_groups().any(|known| known == *group);
        let (own, others): (Vec<&str>, Vec<&str>) = rule
            .groups
            .iter()
            .map(|group| canonical(group))
            .partition(known);
        Self {
            builtin: own,
            has_others: !others.is_empty(),
        }
    }
}

fn canonical(group: &str) -> &str {
    if group == "core" { "" } else { group }
}

/// Reports names that cannot be a resource in any group.
fn malformed(location: Location, resource: &str) -> Option<Problem> {
    if let Some(problem) = invalid_entry(location, Argument::Resources, resource) {
        return Some(problem);
    }
    let (name, subresource) = split_subresource(resource);
    if subresource == Some("") {
        let message = format!("missing subresource in `{resource}`");
        let help = format!("use `{name}`, or `{name}/status`");
        return Some(Problem::new(location, message, help));
    }
    if name == "*" || name.parse::<Plural>().is_ok() {
        return None;
    }
    if let Ok(kind) = name.parse::<Kind>() {
        let plural = match builtin::resources().find(|known| known.kind == name) {
            Some(known) => known.name.to_owned(),
            None => kind.plural().into(),
        };
        let message = format!("`{name}` is a kind, not a resource");
        let help = format!("use `{}`", with_subresource(&plural, subresource));
        return Some(Problem::new(location, message, help));
    }
    let message = format!("invalid resource `{name}`");
    let help = "use a plural in lower case, such as `deployments`";
    Some(Problem::new(location, message, help))
}

fn with_subresource(name: &str, subresource: Option<&str>) -> String {
    match subresource {
        Some(subresource) => format!("{name}/{subresource}"),
        None => name.to_owned(),
    }
}

/// Returns the problem of a resource that none of these Kubernetes groups has.
fn missing(location: Location, resource: &str, groups: &[&str]) -> Option<Problem> {
    let (name, subresource) = split_subresource(resource);
    if name == "*" {
        return None;
    }
    let in_groups = || builtin::resources().filter(|known| groups.contains(&known.group));
    let found: Vec<&BuiltinResource> = in_groups().filter(|known| known.name == name).collect();
    if found.is_empty() {
        let problem = unknown(location, name, subresource, groups);
        return Some(problem);
    }
    let subresource = subresource?;
    if found.iter().any(|known| known.has(subresource)) {
        return None;
    }
    let known = || {
        found
            .iter()
            .flat_map(|known| known.subresources.iter().copied())
    };
    let help = match nearest(subresource, known()) {
        Some(meant) => format!("did you mean `{name}/{meant}`?"),
        None => format!(
            "expected one of {}",
            quoted_list(known().chain(["finalizers"]))
        ),
    };
    let message = format!("`{name}` has no subresource `{subresource}`");
    Some(Problem::new(location, message, help))
}

fn unknown(location: Location, name: &str, subresource: Option<&str>, groups: &[&str]) -> Problem {
    let in_groups = || builtin::resources().filter(|known| groups.contains(&known.group));
    let message = match groups {
        [group] => format!("{} has no resource `{name}`", describe_group(group)),
        _ => format!("no group of this rule has a resource `{name}`"),
    };
    let elsewhere: Vec<&str> = builtin::resources()
        .filter(|known| known.name == name)
        .map(|known| known.group)
        .collect();
    let help = if let [group, ..] = elsewhere[..] {
        let group = spelling(group);
        format!(
            "`{name}` is in {}: use `groups = \"{group}\"`",
            describe_group(canonical(group))
        )
    } else if let Some(meant) = nearest(name, in_groups().map(|known| known.name)) {
        format!("did you mean `{}`?", with_subresource(meant, subresource))
    } else if let Some(meant) = singular(name) {
        let group = spelling(meant.group);
        format!(
            "did you mean `{}` of {}?",
            with_subresource(meant.name, subresource),
            describe_group(canonical(group))
        )
    } else {
        let group = groups.first().copied().unwrap_or_default();
        format!("run `kubectl api-resources --api-group=\"{group}\"` to list its resources")
    };
    Problem::new(location, message, help)
}

/// Finds a resource by its kind in lower case.
fn singular(name: &str) -> Option<&'static BuiltinResource> {
    builtin::resources().find(|known| known.kind.eq_ignore_ascii_case(name))
}

/// Reports Kubernetes groups that have none of the resources.
fn unused_groups(rule: &Rule) -> Vec<Problem> {
    let names: Vec<&str> = rule
        .resources
        .iter()
        .map(|resource| split_subresource(resource).0)
        .collect();
    if names.contains(&"*") {
        return Vec::new();
    }
    entries(rule, Argument::Groups)
        .filter_map(|(location, spelling)| {
            let group = canonical(spelling);
            if !builtin::resource_groups().any(|known| known == group) {
                return None;
            }
            let own = || builtin::resources().filter(|known| known.group == group);
            if own().any(|known| names.contains(&known.name)) {
                return None;
            }
            let meant = names
                .iter()
                .find_map(|name| nearest(name, own().map(|known| known.name)));
            let message = format!("{} has none of these resources", describe_group(group));
            let help = match meant {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => "remove it".to_owned(),
            };
            Some(Problem::new(location, message, help))
        })
        .collect()
}
