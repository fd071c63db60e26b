//! Whether an object already holds all that is wanted, so that an apply would change nothing.
//!
//! Two things must be so. Every field wanted has its value in the object; and the fields that the API server recorded for our
//! manager are exactly the fields wanted: if one more is recorded, it is to be removed; if one is missing, somebody took it over.
//! The record (`FieldsV1`) also tells what the schema would: `k:{..}` is an item of a list by its keys, `v:..` a member of a set,
//! and where it ends the value is a scalar or atomic.
//!
//! A doubt is a "no": it costs one request that changes nothing. A wrong "yes" would leave the object wrong for ever. Pure.

use serde_json::{Map, Value};

/// `wanted` without what the API server never records (see `wanted`); `owned` is the `FieldsV1` of our manager.
pub(super) fn holds(wanted: &Value, live: &Value, owned: &Value) -> bool {
    value_holds(wanted, Some(live), owned)
}

fn value_holds(wanted: &Value, live: Option<&Value>, owned: &Value) -> bool {
    let Some(owned) = owned.as_object() else {
        return false;
    };
    if owned.keys().all(|key| key == ".") {
        return leaf_holds(wanted, live);
    }
    match (wanted, live) {
        (Value::Object(wanted), Some(Value::Object(live))) => fields_hold(wanted, live, owned),
        (Value::Array(wanted), Some(Value::Array(live))) => list_holds(wanted, live, owned),
        _ => false,
    }
}

/// A scalar, or something atomic: all of it is ours.
fn leaf_holds(wanted: &Value, live: Option<&Value>) -> bool {
    match live {
        Some(live) => wanted == live,
        // It is recorded as ours and not there: Go leaves out zero values. Had somebody removed it, it would not be recorded.
        None => is_zero(wanted),
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

fn fields_hold(
    wanted: &Map<String, Value>,
    live: &Map<String, Value>,
    owned: &Map<String, Value>,
) -> bool {
    let all_there = wanted.iter().all(|(name, value)| {
        let live = live.get(name);
        match owned.get(&format!("f:{name}")) {
            Some(owned) => value_holds(value, live, owned),
            None => is_hollow(value) && live.is_none_or(|live| is_zero(live) || is_hollow(live)),
        }
    });
    let nothing_else = owned.keys().filter(|key| *key != ".").all(|key| {
        key.strip_prefix("f:")
            .is_some_and(|name| wanted.contains_key(name))
    });
    all_there && nothing_else
}

/// Lists without items, in structs of nothing but such lists: there is no field in them that could be recorded.
fn is_hollow(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => !fields.is_empty() && fields.values().all(is_hollow),
        _ => false,
    }
}

fn list_holds(wanted: &[Value], live: &[Value], owned: &Map<String, Value>) -> bool {
    let owned: Vec<_> = owned.iter().filter(|(key, _)| *key != ".").collect();
    if owned.len() != wanted.len() {
        return false;
    }
    if let Some(members) = parse_all(&owned, "v:") {
        return set_holds(wanted, live, &members);
    }
    match parse_all(&owned, "k:") {
        Some(items) => items_hold(wanted, live, items),
        None => false,
    }
}

/// What the keys of a record say after this prefix, if all of them have it.
fn parse_all<'a>(owned: &[(&String, &'a Value)], prefix: &str) -> Option<Vec<(Value, &'a Value)>> {
    let parse = |(key, owned): &(&String, &'a Value)| {
        let json = key.strip_prefix(prefix)?;
        Some((serde_json::from_str(json).ok()?, *owned))
    };
    owned.iter().map(parse).collect()
}

/// A set has no order.
fn set_holds(wanted: &[Value], live: &[Value], members: &[(Value, &Value)]) -> bool {
    wanted
        .iter()
        .all(|item| live.contains(item) && members.iter().any(|(member, _)| member == item))
}

/// Items by their keys. Those of others may stand between them, but ours must be in the order wanted: for containers and
/// environment it matters.
fn items_hold(wanted: &[Value], live: &[Value], owned: Vec<(Value, &Value)>) -> bool {
    let Some(pairs) = pair(wanted, owned) else {
        return false;
    };
    let mut next = 0;
    pairs.iter().zip(wanted).all(|((key, owned), item)| {
        let Some(position) = live[next..]
            .iter()
            .position(|live| has_key(live, key, false))
        else {
            return false;
        };
        let live = &live[next + position];
        next += position + 1;
        value_holds(item, Some(live), owned)
    })
}

/// The recorded item of each wanted one, in the order wanted.
///
/// An item may leave out a key that has a default (a port's protocol), and another item may be told from it by just that key. So
/// those with all keys choose first; the others must find exactly one that fits.
fn pair<'a>(
    wanted: &[Value],
    mut owned: Vec<(Value, &'a Value)>,
) -> Option<Vec<(Value, &'a Value)>> {
    // An item that has more of the keys is another one: let it choose before one whose keys are a part of them.
    owned.sort_by_key(|(key, _)| std::cmp::Reverse(key.as_object().map_or(0, Map::len)));
    let mut pairs: Vec<Option<(Value, &Value)>> = vec![None; wanted.len()];
    for (item, pair) in wanted.iter().zip(&mut pairs) {
        if let Some(position) = owned.iter().position(|(key, _)| has_key(item, key, false)) {
            *pair = Some(owned.remove(position));
        }
    }
    for (item, pair) in wanted
        .iter()
        .zip(&mut pairs)
        .filter(|(_, pair)| pair.is_none())
    {
        let mut fitting = (0..owned.len()).filter(|&index| has_key(item, &owned[index].0, true));
        let (Some(position), None) = (fitting.next(), fitting.next()) else {
            return None;
        };
        *pair = Some(owned.remove(position));
    }
    pairs.into_iter().collect()
}

fn has_key(item: &Value, key: &Value, may_lack: bool) -> bool {
    let Some(key) = key.as_object() else {
        return false;
    };
    key.iter().all(|(name, value)| match item.get(name) {
        Some(found) => found == value,
        None => may_lack,
    })
}
