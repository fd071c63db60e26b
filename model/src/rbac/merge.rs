//! Makes few rules of many, step by step as controller-gen does it.
//!
//! The order of the steps decides what the result looks like, so it is kept; what is allowed is the same after each. In one case
//! controller-gen loses a permission by chance: when merged groups make two rules that differ in their verbs alone. Here
//! the verbs are put together.

use std::collections::{BTreeMap, BTreeSet};
use std::mem;

use super::{Grant, Rule};

/// A sorted list without repetitions.
type Set = BTreeSet<String>;

/// Merges the rules of one role.
pub(super) fn merge<'a>(rules: impl IntoIterator<Item = &'a Rule>) -> Vec<Grant> {
    let mut merged: Vec<Grant> = rules.into_iter().flat_map(split).collect();
    // The last step is controller-gen's first again: merged groups may be those of another rule.
    for part in [
        Part::Verbs,
        Part::Resources,
        Part::Groups,
        Part::Urls,
        Part::Verbs,
    ] {
        merged = join(merged, part);
    }
    merged.sort_by_cached_key(order);
    for rule in &mut merged {
        if rule.verbs.contains("*") {
            rule.verbs.retain(|verb| verb == "*");
        }
    }
    merged
}

/// One rule for each resource; a rule without resources stays whole.
fn split(rule: &Rule) -> Vec<Grant> {
    let rule = rule.clone().canonical();
    let set = |list: Vec<String>| list.into_iter().collect::<Set>();
    let whole = Grant {
        groups: set(rule.groups),
        resources: Set::new(),
        resource_names: set(rule.resource_names),
        urls: set(rule.urls),
        verbs: set(rule.verbs),
        reasons: rule.reason.into_iter().collect(),
    };
    if rule.resources.is_empty() {
        return vec![whole];
    }
    let with = |resource| Grant {
        resources: Set::from([resource]),
        ..whole.clone()
    };
    rule.resources.into_iter().map(with).collect()
}

/// What rules may differ in and still be one.
#[derive(Clone, Copy)]
enum Part {
    Verbs,
    Resources,
    Groups,
    Urls,
}

impl Part {
    fn of(self, rule: &mut Grant) -> &mut Set {
        match self {
            Self::Verbs => &mut rule.verbs,
            Self::Resources => &mut rule.resources,
            Self::Groups => &mut rule.groups,
            Self::Urls => &mut rule.urls,
        }
    }
}

/// Puts rules together that differ in this part alone; the reasons of all are kept.
fn join(rules: Vec<Grant>, part: Part) -> Vec<Grant> {
    let mut found: BTreeMap<Grant, (Set, Set)> = BTreeMap::new();
    for mut rule in rules {
        let own = mem::take(part.of(&mut rule));
        let why = mem::take(&mut rule.reasons);
        let (all, reasons) = found.entry(rule).or_default();
        all.extend(own);
        reasons.extend(why);
    }
    found
        .into_iter()
        .map(|(mut rule, (all, reasons))| {
            *part.of(&mut rule) = all;
            Grant { reasons, ..rule }
        })
        .collect()
}

/// What rules are sorted by: rules about URLs alone therefore come first.
fn order(rule: &Grant) -> String {
    [
        &rule.groups,
        &rule.resources,
        &rule.resource_names,
        &rule.urls,
    ]
    .map(|set| set.iter().map(String::as_str).collect::<Vec<_>>().join("&"))
    .join(" + ")
}
