//! Parses the rules of `exactly_one_of`, `at_most_one_of` and `at_least_one_of`, as written in the schema.
//!
//! Also recognizes equivalent rules of users, such as `has(self.name)`.

use std::collections::BTreeSet;

use crate::{api::OneOfKind, schema::cel_name};

/// Returns how many of which properties a rule requires, or `None` for other rules.
pub(super) fn parse<'a>(
    rule: &str,
    properties: &BTreeSet<&'a str>,
) -> Option<(OneOfKind, Vec<&'a str>)> {
    let sum = |kind, sum: &str| {
        let terms = sum.split('+').map(|term| {
            let has = term.strip_prefix('(')?.strip_suffix("?1:0)")?;
            property(has, properties)
        });
        Some((kind, terms.collect::<Option<Vec<_>>>()?))
    };
    if let Some(terms) = rule.strip_suffix(" == 1") {
        sum(OneOfKind::ExactlyOne, terms)
    } else if let Some(terms) = rule.strip_suffix(" <= 1") {
        sum(OneOfKind::AtMostOne, terms)
    } else {
        let terms = rule.split("||").map(|has| property(has.trim(), properties));
        Some((OneOfKind::AtLeastOne, terms.collect::<Option<Vec<_>>>()?))
    }
}

/// Returns the property in `has(self.property)`.
fn property<'a>(has: &str, properties: &BTreeSet<&'a str>) -> Option<&'a str> {
    let escaped = has.strip_prefix("has(self.")?.strip_suffix(')')?;
    let is_match = |name: &&&str| cel_name(name).is_some_and(|name| name == escaped);
    properties.iter().find(is_match).copied()
}
