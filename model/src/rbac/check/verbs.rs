//! Checks verbs: of the API server, special verbs of Kubernetes, and HTTP methods for URLs.

use super::{entries, invalid_entry, quoted_list, resources::split_subresource};
use crate::edit_distance;
use crate::rbac::{Argument, Location, Problem, Rule};

/// Request verbs.
const REQUESTS: [&str; 8] = [
    "get",
    "list",
    "watch",
    "create",
    "update",
    "patch",
    "delete",
    "deletecollection",
];

/// Special verbs, checked besides a request.
const SPECIAL: [&str; 10] = [
    "approve",
    "attest",
    "bind",
    "escalate",
    "impersonate",
    "request-serviceaccounts-token-audience",
    "sign",
    "unsafe-delete-ignore-read-errors",
    "use",
    "*",
];

/// Constrained impersonation: `impersonate:user-info`, `impersonate-on:user-info:list`.
const MODES: [&str; 4] = [
    "arbitrary-node",
    "associated-node",
    "serviceaccount",
    "user-info",
];

/// Verbs of device drivers: `associated-node:update`.
const NODES: [&str; 2] = ["arbitrary-node", "associated-node"];

/// Verbs of URLs.
const METHODS: [&str; 8] = [
    "get", "head", "post", "put", "patch", "delete", "options", "*",
];

/// Verbs of other systems, with Kubernetes' equivalent.
const EQUIVALENTS: [(&str, &str); 5] = [
    ("post", "create"),
    ("put", "update"),
    ("head", "get"),
    ("read", "get"),
    ("write", "update"),
];

pub(super) fn check(rule: &Rule) -> Vec<Problem> {
    let urls = !rule.urls.is_empty() && rule.resources.is_empty();
    entries(rule, Argument::Verbs)
        .filter_map(|(location, verb)| {
            invalid_entry(location, Argument::Verbs, verb)
                .or_else(|| unknown(location, verb, urls))
                .or_else(|| not_restrictable(location, verb, rule))
        })
        .collect()
}

fn unknown(location: Location, verb: &str, urls: bool) -> Option<Problem> {
    if urls {
        let message = format!("invalid verb `{verb}` for URLs");
        let help = match nearest(verb, &METHODS) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("expected one of {}", quoted_list(METHODS)),
        };
        return (!METHODS.contains(&verb)).then(|| Problem::new(location, message, help));
    }
    if REQUESTS.contains(&verb) || SPECIAL.contains(&verb) || is_constrained(verb) {
        return None;
    }
    let known: Vec<&str> = REQUESTS.into_iter().chain(SPECIAL).collect();
    let meant = EQUIVALENTS.iter().find(|(foreign, _)| *foreign == verb);
    let meant = meant.map(|(_, meant)| *meant);
    let help = match meant.or_else(|| nearest(verb, &known)) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("expected one of {}", quoted_list(known)),
    };
    let message = format!("unknown verb `{verb}`");
    Some(Problem::new(location, message, help))
}

/// Verbs are short: allows one missing, extra or swapped letter.
fn nearest<'a>(verb: &str, known: &[&'a str]) -> Option<&'a str> {
    let verb = verb.to_ascii_lowercase();
    let letters = |word: &str| {
        let mut letters: Vec<char> = word.chars().collect();
        letters.sort_unstable();
        letters
    };
    known
        .iter()
        .filter(|known| **known != "*")
        .map(|known| (edit_distance(known, &verb), *known))
        .filter(|(count, known)| {
            *count <= (known.len() / 4).clamp(1, 2)
                || *count == 2 && letters(known) == letters(&verb)
        })
        .min_by_key(|(count, _)| *count)
        .map(|(_, known)| known)
}

/// `impersonate:MODE`, `impersonate-on:MODE:VERB`, `MODE:VERB`.
fn is_constrained(verb: &str) -> bool {
    let request = |verb: &str| REQUESTS.contains(&verb);
    if let Some(mode) = verb.strip_prefix("impersonate:") {
        return MODES.contains(&mode);
    }
    if let Some(rest) = verb.strip_prefix("impersonate-on:") {
        return rest
            .split_once(':')
            .is_some_and(|(mode, verb)| MODES.contains(&mode) && request(verb));
    }
    verb.split_once(':')
        .is_some_and(|(node, verb)| NODES.contains(&node) && request(verb))
}

/// Verbs that cannot be restricted by name. The name of a new object is only known if the request contains it: an update or apply that creates,
/// or a request on a subresource.
fn not_restrictable(location: Location, verb: &str, rule: &Rule) -> Option<Problem> {
    if rule.resource_names.is_empty() {
        return None;
    }
    let has = |verb: &str| rule.verbs.iter().any(|own| own == verb);
    let top_level = || {
        rule.resources
            .iter()
            .any(|name| split_subresource(name).1.is_none())
    };
    let help = match verb {
        "deletecollection" => "use `delete`, or remove `resource_names`",
        "create" if top_level() && !has("patch") && !has("update") => {
            "use `patch` for server-side apply, or add a rule without `resource_names`"
        }
        _ => return None,
    };
    let message = format!("`{verb}` cannot be restricted by `resource_names`");
    Some(Problem::new(location, message, help))
}
