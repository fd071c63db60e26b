//! Merges rules like controller-gen.
//!
//! The order of the steps determines the result, so it is the same as in controller-gen; permissions are unchanged by each step. In one case
//! controller-gen loses a permission: when merged groups produce two rules that differ only in their verbs. Here the verbs are combined.

use std::collections::{BTreeMap, BTreeSet};
use std::mem;

use super::{Grant, Rule};

/// A sorted list without duplicates.
type Set = BTreeSet<String>;

/// Merges the rules of a role.
pub(super) fn merge<'a>(rules: impl IntoIterator<Item = &'a Rule>) -> Vec<Grant> {
    let mut merged: Vec<Grant> = rules.into_iter().flat_map(split).collect();
    // Repeats controller-gen's first step, because merged groups may equal those of another rule.
    for part in [
        Part::Verbs,
        Part::Resources,
        Part::Groups,
        Part::Urls,
        Part::Verbs,
    ] {
        merged = join(merged, part);
    }
    merged.sort_by_cached_key(sort_key);
    for rule in &mut merged {
        if rule.verbs.contains("*") {
            rule.verbs.retain(|verb| verb == "*");
        }
    }
    merged
}

/// Splits rules by resource; rules without resources are unchanged.
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

/// The part in which merged rules may differ.
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

/// Merges rules that differ only in this part, keeping all reasons.
fn join(rules: Vec<Grant>, part: Part) -> Vec<Grant> {
    let mut merged: BTreeMap<Grant, (Set, Set)> = BTreeMap::new();
    for mut rule in rules {
        let own = mem::take(part.of(&mut rule));
        let own_reasons = mem::take(&mut rule.reasons);
        let (all, reasons) = merged.entry(rule).or_default();
        all.extend(own);
        reasons.extend(own_reasons);
    }
    merged
        .into_iter()
        .map(|(mut rule, (all, reasons))| {
            *part.of(&mut rule) = all;
            Grant { reasons, ..rule }
        })
        .collect()
}

/// Sort key: rules with URLs only come first.
fn sort_key(rule: &Grant) -> String {
    [
        &rule.groups,
        &rule.resources,
        &rule.resource_names,
        &rule.urls,
    ]
    .map(|set| set.iter().map(String::as_str).collect::<Vec<_>>().join("&"))
    .join(" + ")
}
