//! Checks non-resource URLs: `/healthz`, `/metrics`, `/api/*`.

use super::{entries, not_a_word};
use crate::rbac::{Argument, Place, Problem, Rule};

pub(super) fn check(rule: &Rule) -> Vec<Problem> {
    let mut problems = Vec::new();
    if !rule.urls.is_empty() && rule.namespace.is_some() {
        problems.push(Problem::new(
            Place::Argument(Argument::Urls),
            "`urls` conflicts with `namespace`: only a ClusterRole can allow URLs",
            "remove `namespace`",
        ));
    }
    problems.extend(entries(rule, Argument::Urls).filter_map(|(place, url)| {
        not_a_word(place, Argument::Urls, url).or_else(|| malformed(place, url))
    }));
    problems
}

fn malformed(place: Place, url: &str) -> Option<Problem> {
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
    Some(Problem::new(place, message, help))
}
