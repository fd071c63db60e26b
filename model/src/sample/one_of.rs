//! Reads the rules that `exactly_one_of`, `at_most_one_of` and `at_least_one_of` stand for, as the schema writes them.
//!
//! A rule of the user's that is written the same way means the same, such as `has(self.name)`.

use std::collections::BTreeSet;

use crate::{api::OneOfKind, schema::cel_name};

/// How many of which properties a rule asks for; none if it is another kind of rule.
pub(super) fn read<'a>(
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

/// The property in `has(self.property)`.
fn property<'a>(has: &str, properties: &BTreeSet<&'a str>) -> Option<&'a str> {
    let escaped = has.strip_prefix("has(self.")?.strip_suffix(')')?;
    let is_meant = |name: &&&str| cel_name(name).is_some_and(|name| name == escaped);
    properties.iter().find(is_meant).copied()
}
