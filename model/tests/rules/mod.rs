//! Rules in a short notation: `groups=apps;batch resources=jobs verbs=get namespace=shop`. `core` is the core group, an argument
//! without a value is one empty entry, and `_` in a reason is a space.

use kb_model::rbac::Rule;

/// Parses a rule.
pub(crate) fn rule(text: &str) -> Rule {
    let mut rule = Rule::default();
    for argument in text.split_whitespace() {
        let (name, value) = argument.split_once('=').expect("name=value");
        let list = || value.split(';').map(ToOwned::to_owned).collect();
        let one = || Some(value.replace('_', " "));
        match name {
            "groups" => rule.groups = list(),
            "resources" => rule.resources = list(),
            "resource_names" => rule.resource_names = list(),
            "verbs" => rule.verbs = list(),
            "urls" => rule.urls = list(),
            "namespace" => rule.namespace = one(),
            "role_name" => rule.role_name = one(),
            "reason" => rule.reason = one(),
            other => panic!("{other}"),
        }
    }
    rule
}
