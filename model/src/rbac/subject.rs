//! The string of a compact rule: `apps/deployments`, `core/pods/log` or `/metrics`.

use std::{fmt, str::FromStr};

use super::check::{is_version, spelling};
use super::{Argument, Location, Problem, Rule};
use crate::builtin;
use crate::edit_distance::nearest;

/// A resource with its group, or a non-resource URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A resource.
    Resource {
        /// API group; the core group is empty or `core`.
        group: String,
        /// Resource, with a subresource as in `pods/log`.
        resource: String,
    },
    /// A non-resource URL.
    Url(String),
}

impl Subject {
    /// Returns a resource.
    pub fn resource(group: impl Into<String>, resource: impl Into<String>) -> Self {
        Self::Resource {
            group: group.into(),
            resource: resource.into(),
        }
    }

    /// Returns the subject of a rule; `None` if it has several.
    pub fn of(rule: &Rule) -> Option<Self> {
        match (&rule.groups[..], &rule.resources[..], &rule.urls[..]) {
            ([group], [resource], []) => Some(Self::resource(group, resource)),
            ([], [], [url]) => Some(Self::Url(url.clone())),
            _ => None,
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Resource { group, resource } => write!(f, "{}/{resource}", spelling(group)),
            Self::Url(url) => f.write_str(url),
        }
    }
}

impl FromStr for Subject {
    type Err = Problem;

    /// Splits the string. [`check`](super::check()) validates the parts.
    fn from_str(text: &str) -> Result<Self, Problem> {
        single(text)?;
        if text.starts_with('/') {
            return Ok(Self::Url(text.to_owned()));
        }
        let parts: Vec<&str> = text.split('/').collect();
        match parts[..] {
            [""] => Err(problem(
                "missing group and resource".to_owned(),
                "use `GROUP/RESOURCE`, or a URL such as `/metrics`".to_owned(),
            )),
            [name] => Err(incomplete(name)),
            [group, "", ..] => Err(missing_resource(text, group)),
            [group, version] if is_version(version) => Err(missing_resource(text, group)),
            [group, version, ..] if is_version(version) => {
                let meant = [&[group], &parts[2..]].concat().join("/");
                let message = format!("expected a group and a resource, found a version: `{text}`");
                Err(problem(message, format!("use `{meant}`")))
            }
            [name, ..] if !is_group(name) && !groups_of(name).is_empty() => {
                Err(missing_group(text, &candidates(name, &text[name.len()..])))
            }
            [group, name] => Ok(Self::resource(group, name)),
            [group, name, subresource] => {
                Ok(Self::resource(group, format!("{name}/{subresource}")))
            }
            _ => Err(problem(
                format!("`{text}` has more than three parts"),
                "use `GROUP/RESOURCE` or `GROUP/RESOURCE/SUBRESOURCE`".to_owned(),
            )),
        }
    }
}

fn problem(message: String, help: String) -> Problem {
    Problem::new(Location::Argument(Argument::Resources), message, help)
}

/// Rejects lists and white space.
fn single(text: &str) -> Result<(), Problem> {
    let is_space = |c: char| c.is_whitespace() || c.is_control();
    let trimmed = text.trim_matches(is_space);
    let is_separator = |c: char| is_space(c) || c == ';' || c == ',' && !text.starts_with('/');
    if trimmed.contains(is_separator) {
        return Err(problem(
            format!("expected one resource, found `{}`", text.escape_debug()),
            "use one marker per resource, or the named arguments `groups`, `resources` and `verbs`"
                .to_owned(),
        ));
    }
    if trimmed != text {
        let message = format!("`{}` contains whitespace", text.escape_debug());
        return Err(problem(message, format!("use `{trimmed}`")));
    }
    Ok(())
}

fn is_group(name: &str) -> bool {
    name == "core" || builtin::resource_groups().any(|group| group == name)
}

/// Returns the Kubernetes groups with this resource.
fn groups_of(name: &str) -> Vec<&'static str> {
    builtin::resources()
        .filter(|known| known.name == name)
        .map(|known| known.group)
        .collect()
}

/// Returns the Kubernetes resources with this name. `rest` is the subresource with its slash.
fn candidates(name: &str, rest: &str) -> Vec<String> {
    groups_of(name)
        .into_iter()
        .map(|group| format!("{}/{name}{rest}", spelling(group)))
        .collect()
}

/// A string without a slash.
fn incomplete(name: &str) -> Problem {
    if is_group(name) || name.contains('.') {
        return missing_resource(name, name);
    }
    let known = || builtin::resources().filter(|known| !known.kind.is_empty());
    let singular = || known().find(|known| known.kind.eq_ignore_ascii_case(name));
    let typo = || nearest(name, builtin::resources().map(|known| known.name));
    let mut meant = candidates(name, "");
    if meant.is_empty() {
        let similar = singular().map(|known| known.name).or_else(typo);
        meant = similar.map_or(Vec::new(), |name| candidates(name, ""));
    }
    missing_group(name, &meant)
}

fn missing_group(text: &str, meant: &[String]) -> Problem {
    let help = match meant {
        [] => format!("use `GROUP/{text}`, or `/{text}` for a URL"),
        meant => {
            let meant: Vec<String> = meant.iter().map(|one| format!("`{one}`")).collect();
            format!("did you mean {}?", meant.join(" or "))
        }
    };
    problem(format!("missing group in `{text}`"), help)
}

fn missing_resource(text: &str, group: &str) -> Problem {
    let message = format!("missing resource in `{text}`");
    problem(message, format!("use `{group}/RESOURCE`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subjects_are_resources_or_urls() {
        for (text, expected) in [
            ("apps/deployments", Subject::resource("apps", "deployments")),
            ("core/pods/log", Subject::resource("core", "pods/log")),
            ("a.example.com/b", Subject::resource("a.example.com", "b")),
            ("*/*", Subject::resource("*", "*")),
            ("*/*/scale", Subject::resource("*", "*/scale")),
            ("/metrics", Subject::Url("/metrics".to_owned())),
            ("/apps", Subject::Url("/apps".to_owned())),
            ("/", Subject::Url("/".to_owned())),
        ] {
            let subject: Subject = text.parse().unwrap();
            assert_eq!(subject, expected);
            assert_eq!(subject.to_string(), text);
        }
        assert_eq!(Subject::resource("", "pods").to_string(), "core/pods");
    }

    #[test]
    fn incomplete_subjects_have_suggestions() {
        for (text, message, help) in [
            (
                "pods",
                "missing group in `pods`",
                "did you mean `core/pods`?",
            ),
            (
                "deployments",
                "missing group in `deployments`",
                "did you mean `apps/deployments`?",
            ),
            (
                "events",
                "missing group in `events`",
                "did you mean `core/events` or `events.k8s.io/events`?",
            ),
            (
                "pods/log",
                "missing group in `pods/log`",
                "did you mean `core/pods/log`?",
            ),
            (
                "Deployment",
                "missing group in `Deployment`",
                "did you mean `apps/deployments`?",
            ),
            (
                "deploymnts",
                "missing group in `deploymnts`",
                "did you mean `apps/deployments`?",
            ),
            (
                "gizmos",
                "missing group in `gizmos`",
                "use `GROUP/gizmos`, or `/gizmos` for a URL",
            ),
            (
                "",
                "missing group and resource",
                "use `GROUP/RESOURCE`, or a URL such as `/metrics`",
            ),
            ("apps", "missing resource in `apps`", "use `apps/RESOURCE`"),
            (
                "apps/",
                "missing resource in `apps/`",
                "use `apps/RESOURCE`",
            ),
            (
                "apps/v1",
                "missing resource in `apps/v1`",
                "use `apps/RESOURCE`",
            ),
            (
                "example.com",
                "missing resource in `example.com`",
                "use `example.com/RESOURCE`",
            ),
        ] {
            assert_problem(text, message, help);
        }
    }

    #[test]
    fn other_strings_are_rejected() {
        let several =
            "use one marker per resource, or the named arguments `groups`, `resources` and `verbs`";
        for (text, message, help) in [
            (
                "apps/v1/deployments/scale",
                "expected a group and a resource, found a version: `apps/v1/deployments/scale`",
                "use `apps/deployments/scale`",
            ),
            (
                "apps/a/b/c",
                "`apps/a/b/c` has more than three parts",
                "use `GROUP/RESOURCE` or `GROUP/RESOURCE/SUBRESOURCE`",
            ),
            (
                "core/pods;secrets",
                "expected one resource, found `core/pods;secrets`",
                several,
            ),
            (
                "core/pods, core/secrets",
                "expected one resource, found `core/pods, core/secrets`",
                several,
            ),
            ("/a;/b", "expected one resource, found `/a;/b`", several),
            (
                " core/pods",
                "` core/pods` contains whitespace",
                "use `core/pods`",
            ),
        ] {
            assert_problem(text, message, help);
        }
    }

    fn assert_problem(text: &str, message: &str, help: &str) {
        let problem = text.parse::<Subject>().unwrap_err();
        assert_eq!((&*problem.message, &*problem.help), (message, help));
    }
}
