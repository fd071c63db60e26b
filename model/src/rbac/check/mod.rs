//! Validates rules.
//!
//! The API server accepts typos in a role; they show up as "forbidden" at runtime, often much later. So every word is checked against what Kubernetes
//! knows. Each file checks one argument; this one checks combinations.

mod groups;
mod names;
mod resources;
mod urls;
mod verbs;

use super::{Argument, Form, Location, Problem, Rule};
use crate::{Version, builtin};

/// Returns all problems of a rule. The syntax of a compact rule ensures that it has one subject and verbs.
pub fn check(rule: &Rule, form: Form) -> Vec<Problem> {
    let mut problems = match form {
        Form::Named => check_arguments(rule),
        Form::Compact => Vec::new(),
    };
    let groups = groups::check(rule);
    let known = groups.is_empty();
    problems.extend(groups);
    // Resources cannot be checked in an unknown group.
    problems.extend(resources::check(rule, form, known));
    problems.extend(names::check(rule));
    problems.extend(verbs::check(rule));
    problems.extend(urls::check(rule, form));
    problems
}

/// Checks required and mutually exclusive arguments.
fn check_arguments(rule: &Rule) -> Vec<Problem> {
    let mut problems = Vec::new();
    let has = |argument| !rule.list(argument).is_empty();
    let mut report = |location, message: &str, help: String| {
        problems.push(Problem::new(location, message, help));
    };
    match (has(Argument::Resources), has(Argument::Urls)) {
        (false, false) => report(
            Location::Rule,
            "missing argument `resources` or `urls`",
            "use `groups = \"apps\", resources = \"deployments\"`".to_owned(),
        ),
        (true, true) => report(
            Location::Argument(Argument::Urls),
            "`urls` conflicts with `resources`",
            "use two attributes".to_owned(),
        ),
        _ => {}
    }
    if has(Argument::Resources) && !has(Argument::Groups) {
        report(
            Location::Argument(Argument::Resources),
            "`resources` requires `groups`",
            missing_group(rule),
        );
    }
    if !has(Argument::Resources) {
        for argument in [Argument::Groups, Argument::ResourceNames] {
            if has(argument) {
                report(
                    Location::Argument(argument),
                    &format!("`{argument}` requires `resources`"),
                    "use `resources = \"deployments\"`".to_owned(),
                );
            }
        }
    }
    if !has(Argument::Verbs) {
        let help = "use `verbs = \"get;list;watch\"`".to_owned();
        report(Location::Rule, "missing argument `verbs`", help);
    }
    problems
}

/// Returns the group that contains all resources, if there is one.
fn missing_group(rule: &Rule) -> String {
    let groups_of = |resource: &String| -> Vec<&str> {
        let (name, _) = resources::split_subresource(resource);
        builtin::resources()
            .filter(|known| known.name == name)
            .map(|known| known.group)
            .collect()
    };
    let mut found = rule.resources.iter().map(groups_of);
    match found.next().as_deref() {
        Some([group]) if found.all(|groups| groups == [*group]) => {
            format!("use `groups = \"{}\"`", spelling(group))
        }
        _ => "use `groups = \"apps\"`, or `groups = \"core\"` for Pods, Services and Secrets"
            .to_owned(),
    }
}

/// Returns the spelling of a group in a rule.
pub(super) fn spelling(group: &str) -> &str {
    if group.is_empty() { "core" } else { group }
}

/// Returns whether this is a version such as `v1beta1`.
pub(super) fn is_version(text: &str) -> bool {
    text.parse::<Version>()
        .is_ok_and(|version| version.is_conventional())
}

/// Returns the group for messages.
fn describe_group(group: &str) -> String {
    if group.is_empty() {
        "the core group".to_owned()
    } else {
        format!("the group `{group}`")
    }
}

/// `a`, `b` and `c`.
fn quoted_list<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let words: Vec<String> = words.into_iter().map(|word| format!("`{word}`")).collect();
    match words.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => "none".to_owned(),
    }
}

/// Returns the entries of a list with their positions.
fn entries(rule: &Rule, argument: Argument) -> impl Iterator<Item = (Location, &str)> {
    rule.list(argument)
        .iter()
        .enumerate()
        .map(move |(index, entry)| (Location::Entry(argument, index), entry.as_str()))
}

/// Reports entries that are empty or contain white space.
fn invalid_entry(location: Location, argument: Argument, entry: &str) -> Option<Problem> {
    if entry.is_empty() {
        let message = format!("empty entry in `{argument}`");
        return Some(Problem::new(location, message, "remove it"));
    }
    let bad = |c: char| c.is_whitespace() || c.is_control();
    entry.contains(bad).then(|| {
        let message = format!("`{}` contains whitespace", entry.escape_debug());
        Problem::new(location, message, "separate entries with `;`")
    })
}
