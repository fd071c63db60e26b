//! Checks resources and subresources: those of Kubernetes groups must exist, others must be well-formed.
//!
//! A rule with several groups covers every resource in every group. It is valid if each resource is in one of the groups, and each Kubernetes group has
//! one of the resources.

use super::{describe_group, entries, invalid_entry, quoted_list, spelling};
use crate::builtin::{self, BuiltinResource};
use crate::edit_distance::nearest;
use crate::rbac::{Argument, Form, Location, Problem, Rule};
use crate::{Kind, Plural};

/// Returns resource and subresource.
pub(super) fn split_subresource(resource: &str) -> (&str, Option<&str>) {
    match resource.split_once('/') {
        Some((name, subresource)) => (name, Some(subresource)),
        None => (resource, None),
    }
}

/// `look_up`: the groups are valid, so resources can be looked up.
pub(super) fn check(rule: &Rule, form: Form, look_up: bool) -> Vec<Problem> {
    let groups = Groups::of(rule, form);
    let mut problems: Vec<Problem> = entries(rule, Argument::Resources)
        .filter_map(|(location, resource)| malformed(location, resource, &groups))
        .collect();
    if !look_up || rule.groups.is_empty() || rule.resources.is_empty() || !problems.is_empty() {
        return problems;
    }
    if groups.others.is_empty() {
        problems.extend(
            entries(rule, Argument::Resources)
                .filter_map(|(location, resource)| missing(location, resource, &groups)),
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
    /// Other groups.
    others: Vec<&'a str>,
    /// Syntax of suggestions.
    form: Form,
}

impl<'a> Groups<'a> {
    fn of(rule: &'a Rule, form: Form) -> Self {
        let known = |group: &&str| builtin::resource_groups().any(|known| known == *group);
        let (builtin, others) = rule
            .groups
            .iter()
            .map(|group| canonical(group))
            .partition(known);
        Self {
            builtin,
            others,
            form,
        }
    }

    /// Returns the Kubernetes resources of the groups.
    fn resources(&self) -> impl Iterator<Item = &'static BuiltinResource> {
        builtin::resources().filter(|known| self.builtin.contains(&known.group))
    }

    /// Returns a resource as in the rule: with its group in a compact one.
    fn spell(&self, group: Option<&str>, resource: &str) -> String {
        let own = || self.builtin.first().or(self.others.first()).copied();
        match (self.form, group.or_else(own)) {
            (Form::Compact, Some(group)) => format!("{}/{resource}", spelling(group)),
            _ => resource.to_owned(),
        }
    }
}

fn canonical(group: &str) -> &str {
    if group == "core" { "" } else { group }
}

/// Reports names that cannot be a resource in any group.
fn malformed(location: Location, resource: &str, groups: &Groups) -> Option<Problem> {
    if let Some(problem) = invalid_entry(location, Argument::Resources, resource) {
        return Some(problem);
    }
    let (name, subresource) = split_subresource(resource);
    if subresource == Some("") {
        let message = format!("missing subresource in `{resource}`");
        let name = groups.spell(None, name);
        let help = format!("use `{name}`, or `{name}/status`");
        return Some(Problem::new(location, message, help));
    }
    if name == "*" || name.parse::<Plural>().is_ok() {
        return None;
    }
    if let Ok(kind) = name.parse::<Kind>() {
        let mut known = groups.resources().chain(builtin::resources());
        let (group, plural) = match known.find(|known| known.kind == name) {
            Some(known) if groups.others.is_empty() => (Some(known.group), known.name.to_owned()),
            Some(known) => (None, known.name.to_owned()),
            None => (None, kind.plural().into()),
        };
        let message = format!("`{name}` is a kind, not a resource");
        let meant = with_subresource(&plural, subresource);
        let help = format!("use `{}`", groups.spell(group, &meant));
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
fn missing(location: Location, resource: &str, groups: &Groups) -> Option<Problem> {
    let (name, subresource) = split_subresource(resource);
    if name == "*" {
        return None;
    }
    let found: Vec<&BuiltinResource> = groups
        .resources()
        .filter(|known| known.name == name)
        .collect();
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
        Some(meant) => {
            let meant = groups.spell(None, &format!("{name}/{meant}"));
            format!("did you mean `{meant}`?")
        }
        None => format!(
            "expected one of {}",
            quoted_list(known().chain(["finalizers"]))
        ),
    };
    let message = format!("`{name}` has no subresource `{subresource}`");
    Some(Problem::new(location, message, help))
}

fn unknown(location: Location, name: &str, subresource: Option<&str>, groups: &Groups) -> Problem {
    let message = match groups.builtin[..] {
        [group] => format!("{} has no resource `{name}`", describe_group(group)),
        _ => format!("no group of this rule has a resource `{name}`"),
    };
    let elsewhere: Vec<&str> = builtin::resources()
        .filter(|known| known.name == name)
        .map(|known| known.group)
        .collect();
    let help = if let [group, ..] = elsewhere[..] {
        let replacement = match groups.form {
            Form::Named => format!("groups = \"{}\"", spelling(group)),
            Form::Compact => groups.spell(Some(group), &with_subresource(name, subresource)),
        };
        format!(
            "`{name}` is in {}: use `{replacement}`",
            describe_group(group)
        )
    } else if let Some(meant) = nearest(name, groups.resources().map(|known| known.name)) {
        let meant = groups.spell(None, &with_subresource(meant, subresource));
        format!("did you mean `{meant}`?")
    } else if let Some(meant) = singular(name) {
        let resource = with_subresource(meant.name, subresource);
        match groups.form {
            Form::Named => format!(
                "did you mean `{resource}` of {}?",
                describe_group(meant.group)
            ),
            Form::Compact => {
                let meant = groups.spell(Some(meant.group), &resource);
                format!("did you mean `{meant}`?")
            }
        }
    } else {
        let group = groups.builtin.first().copied().unwrap_or_default();
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
