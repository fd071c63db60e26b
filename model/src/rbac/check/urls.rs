//! Checks non-resource URLs: `/healthz`, `/metrics`, `/api/*`.

use super::{entries, invalid_entry};
use crate::rbac::{Argument, Location, Problem, Rule};

pub(super) fn check(rule: &Rule) -> Vec<Problem> {
    let mut problems = Vec::new();
    if !rule.urls.is_empty() && rule.namespace.is_some() {
        problems.push(Problem::new(
            Location::Argument(Argument::Urls),
            "`urls` conflicts with `namespace`: only a ClusterRole can allow URLs",
            "remove `namespace`",
        ));
    }
    problems.extend(entries(rule, Argument::Urls).filter_map(|(location, url)| {
        invalid_entry(location, Argument::Urls, url).or_else(|| malformed(location, url))
    }));
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
