//! Checks non-resource URLs: `/healthz`, `/metrics`, `/api/*`.

use super::{entries, invalid_entry};
use crate::rbac::{Argument, Form, Location, Problem, Rule};

pub(super) fn check(rule: &Rule, form: Form) -> Vec<Problem> {
    let mut problems = match form {
        _ if rule.urls.is_empty() => Vec::new(),
        Form::Named => conflict(rule).into_iter().collect(),
        Form::Compact => unsupported_arguments(rule),
    };
    problems.extend(entries(rule, Argument::Urls).filter_map(|(location, url)| {
        invalid_entry(location, Argument::Urls, url).or_else(|| malformed(location, url))
    }));
    problems
}

/// `urls` with `namespace`.
fn conflict(rule: &Rule) -> Option<Problem> {
    rule.namespace.as_ref().map(|_| {
        Problem::new(
            Location::Argument(Argument::Urls),
            "`urls` conflicts with `namespace`: only a ClusterRole can allow URLs",
            "remove `namespace`",
        )
    })
}

/// Arguments that a compact rule for a URL cannot have.
fn unsupported_arguments(rule: &Rule) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut report = |argument, message: &str| {
        let help = format!("remove `{argument}`");
        problems.push(Problem::new(Location::Argument(argument), message, help));
    };
    if rule.namespace.is_some() {
        let message = "`namespace` conflicts with a URL: only a ClusterRole can allow URLs";
        report(Argument::Namespace, message);
    }
    if !rule.resource_names.is_empty() {
        let message = "`resource_names` requires a resource, found a URL";
        report(Argument::ResourceNames, message);
    }
    problems
}

fn malformed(location: Location, url: &str) -> Option<Problem> {
    let (message, help) = if !url.starts_with('/') {
        let path = url.split_once("://").map_or(url, |(_, rest)| {
            rest.find('/').map_or("", |start| &rest[start..])
        });
        let help = format!("use `/{}`", path.trim_start_matches('/'));
        (format!("the URL `{url}` must start with `/`"), help)
    } else if url.find('*').is_some_and(|at| at + 1 < url.len()) {
        let help = "use `/path/*` for everything below a path".to_owned();
        (
            format!("`*` must be at the end of a URL, found `{url}`"),
            help,
        )
    } else {
        return None;
    };
    Some(Problem::new(location, message, help))
}
