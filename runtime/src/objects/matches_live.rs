//! Decides whether a live object already matches the desired state, so that an apply would change nothing.
//!
//! Two conditions must hold. Every desired field has its value in the live object, and the fields that the API server recorded for our
//! field manager are exactly the desired fields: an additional one must be removed, and a missing one was taken over by another manager.
//! The record (`FieldsV1`) also contains the merge semantics of the schema: `k:{..}` is a list item by its keys, `v:..` a member of a set, and a
//! leaf is a scalar or atomic.
//!
//! In doubt the answer is `false`, which costs a request that changes nothing. A wrong `true` would leave the object wrong forever.

use serde_json::{Map, Value};

/// `desired` are the fields of [`Desired`](super::desired::Desired), `owned` is the `FieldsV1` of our field manager.
pub(super) fn matches_live(desired: &Value, live: &Value, owned: &Value) -> bool {
    value_matches(desired, Some(live), owned)
}

fn value_matches(desired: &Value, live: Option<&Value>, owned: &Value) -> bool {
    let Some(owned) = owned.as_object() else {
        return false;
    };
    if owned.keys().all(|key| key == ".") {
        return leaf_matches(desired, live);
    }
    match (desired, live) {
        (Value::Object(desired), Some(Value::Object(live))) => fields_match(desired, live, owned),
        (Value::Array(desired), Some(Value::Array(live))) => list_matches(desired, live, owned),
        _ => false,
    }
}

/// Compares a scalar or atomic value.
fn leaf_matches(desired: &Value, live: Option<&Value>) -> bool {
    match live {
        Some(live) => desired == live,
        // Recorded as ours but missing: Go omits zero values. If another manager had removed it, it would not be recorded.
        None => is_zero(desired),
    }
}

fn is_zero(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(value) => !value,
        Value::Number(value) => value.as_f64() == Some(0.0),
        Value::String(value) => value.is_empty(),
        Value::Array(value) => value.is_empty(),
        Value::Object(value) => value.is_empty(),
    }
}

fn fields_match(
    desired: &Map<String, Value>,
    live: &Map<String, Value>,
    owned: &Map<String, Value>,
) -> bool {
    let all_match = desired.iter().all(|(name, value)| {
        let live = live.get(name);
        match owned.get(&format!("f:{name}")) {
            Some(owned) => value_matches(value, live, owned),
            None => {
                has_no_fields(value) && live.is_none_or(|live| is_zero(live) || has_no_fields(live))
            }
        }
    });
    let nothing_else = owned.keys().filter(|key| *key != ".").all(|key| {
        key.strip_prefix("f:")
            .is_some_and(|name| desired.contains_key(name))
    });
    all_match && nothing_else
}

/// Returns whether a value consists of empty lists only, for which the API server records no fields.
fn has_no_fields(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => !fields.is_empty() && fields.values().all(has_no_fields),
        _ => false,
    }
}

fn list_matches(desired: &[Value], live: &[Value], owned: &Map<String, Value>) -> bool {
    let owned: Vec<_> = owned.iter().filter(|(key, _)| *key != ".").collect();
    if owned.len() != desired.len() {
        return false;
    }
    if let Some(members) = parse_keys(&owned, "v:") {
        return set_matches(desired, live, &members);
    }
    match parse_keys(&owned, "k:") {
        Some(items) => items_match(desired, live, items),
        None => false,
    }
}

/// Parses the keys of a record, if all of them have this prefix.
fn parse_keys<'a>(owned: &[(&String, &'a Value)], prefix: &str) -> Option<Vec<(Value, &'a Value)>> {
    let parse = |(key, owned): &(&String, &'a Value)| {
        let json = key.strip_prefix(prefix)?;
        Some((serde_json::from_str(json).ok()?, *owned))
    };
    owned.iter().map(parse).collect()
}

/// Compares sets, which have no order.
fn set_matches(desired: &[Value], live: &[Value], members: &[(Value, &Value)]) -> bool {
    desired
        .iter()
        .all(|item| live.contains(item) && members.iter().any(|(member, _)| member == item))
}

/// Compares list items by their keys. Items of other managers may be in between, but ours must have the desired order: it matters for
/// containers and environment variables.
fn items_match(desired: &[Value], live: &[Value], owned: Vec<(Value, &Value)>) -> bool {
    let Some(pairs) = pair(desired, owned) else {
        return false;
    };
    let mut next = 0;
    pairs.iter().zip(desired).all(|((key, owned), item)| {
        let Some(position) = live[next..]
            .iter()
            .position(|live| has_key(live, key, false))
        else {
            return false;
        };
        let live = &live[next + position];
        next += position + 1;
        value_matches(item, Some(live), owned)
    })
}

/// Returns the recorded item of each desired one.
///
/// A desired item may omit a key with a default (the protocol of a port), and another item may differ in just that key. So items with all
/// keys are paired first; each of the others must match exactly one of the rest.
fn pair<'a>(
    desired: &[Value],
    mut owned: Vec<(Value, &'a Value)>,
) -> Option<Vec<(Value, &'a Value)>> {
    // Pair records with more keys first: the keys of another record may be a subset of them.
    owned.sort_by_key(|(key, _)| std::cmp::Reverse(key.as_object().map_or(0, Map::len)));
    let mut pairs: Vec<Option<(Value, &Value)>> = vec![None; desired.len()];
    for (item, pair) in desired.iter().zip(&mut pairs) {
        if let Some(position) = owned.iter().position(|(key, _)| has_key(item, key, false)) {
            *pair = Some(owned.remove(position));
        }
    }
    for (item, pair) in desired
        .iter()
        .zip(&mut pairs)
        .filter(|(_, pair)| pair.is_none())
    {
        let mut matching = (0..owned.len()).filter(|&index| has_key(item, &owned[index].0, true));
        let (Some(position), None) = (matching.next(), matching.next()) else {
            return None;
        };
        *pair = Some(owned.remove(position));
    }
    pairs.into_iter().collect()
}

fn has_key(item: &Value, key: &Value, allow_missing: bool) -> bool {
    let Some(key) = key.as_object() else {
        return false;
    };
    key.iter().all(|(name, value)| match item.get(name) {
        Some(found) => found == value,
        None => allow_missing,
    })
}
