//! Warns about overly broad rules.

use super::{Argument, Location, Problem, Rule};

/// Returns what is broad: wildcards, and Secrets cluster-wide.
pub fn breadth(rule: &Rule) -> Vec<Problem> {
    let mut warnings = Vec::new();
    let entries = |argument: Argument| {
        let locations = (0..).map(move |index| Location::Entry(argument, index));
        locations.zip(rule.list(argument).iter().map(String::as_str))
    };
    for (argument, everything) in [
        (Argument::Verbs, "every verb"),
        (Argument::Groups, "every group"),
        (Argument::Resources, "every resource of its groups"),
    ] {
        for (location, _) in entries(argument).filter(|(_, entry)| *entry == "*") {
            let message = format!("this rule allows {everything}");
            let help = format!("list only the {argument} in use");
            warnings.push(Problem::new(location, message, help));
        }
    }
    for (location, resource) in entries(Argument::Resources) {
        let message = match resource.split_once('/') {
            Some(("*", subresource)) => {
                format!("this rule allows `{subresource}` of every resource of its groups")
            }
            Some((resource, "*")) => format!("this rule allows every subresource of `{resource}`"),
            _ => continue,
        };
        warnings.push(Problem::new(
            location,
            message,
            "list only the resources in use",
        ));
    }
    for (location, _) in entries(Argument::Urls).filter(|(_, url)| *url == "/*") {
        let help = "list only the URLs in use";
        warnings.push(Problem::new(location, "this rule allows every URL", help));
    }
    warnings.extend(secrets(rule));
    warnings
}

/// Secrets contain the credentials of everything else.
fn secrets(rule: &Rule) -> Option<Problem> {
    let has =
        |list: &[String], words: &[&str]| list.iter().any(|own| words.contains(&own.as_str()));
    let index = rule.resources.iter().position(|name| name == "secrets")?;
    let everywhere = rule.namespace.is_none() && rule.resource_names.is_empty();
    let of_core = has(&rule.groups, &["", "core", "*"]);
    // Whatever the verb: patch and delete return the object.
    (everywhere && of_core).then(|| {
        Problem::new(
            Location::Entry(Argument::Resources, index),
            "this rule allows access to every Secret in the cluster",
            "limit it with `namespace` or `resource_names`",
        )
    })
}
