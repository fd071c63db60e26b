//! Comparison of random objects: an applied object matches regardless of the fields of others, and no single change of it does.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::objects::matches_live::matches_live;

/// A value with the merge semantics of its schema.
#[derive(Clone, Debug)]
enum Node {
    Scalar(u8),
    Atomic(Vec<u8>),
    /// Distinct members, not empty.
    Set(Vec<u8>),
    Struct(Vec<(u8, Node)>),
    /// Structs by name.
    Items(Vec<(u8, Vec<(u8, Node)>)>),
}

fn node() -> impl Strategy<Value = Node> {
    let leaf = prop_oneof![
        any::<u8>().prop_map(Node::Scalar),
        prop::collection::vec(any::<u8>(), 0..3).prop_map(Node::Atomic),
        prop::collection::btree_set(0..9_u8, 1..4)
            .prop_map(|members| Node::Set(members.into_iter().collect())),
    ];
    leaf.prop_recursive(4, 40, 4, |inner| {
        let fields = prop::collection::btree_map(0..9_u8, inner, 0..4)
            .prop_map(|fields| fields.into_iter().collect::<Vec<_>>());
        prop_oneof![
            fields.clone().prop_map(Node::Struct),
            prop::collection::btree_map(0..9_u8, fields, 1..4)
                .prop_map(|items| Node::Items(items.into_iter().collect())),
        ]
    })
}

fn fields(fields: &[(u8, Node)], value: fn(&Node) -> Value) -> Map<String, Value> {
    fields
        .iter()
        .map(|(name, node)| (format!("x{name}"), value(node)))
        .collect()
}

fn named(name: u8, mut fields: Map<String, Value>) -> Value {
    fields.insert("name".to_owned(), json!(name));
    Value::Object(fields)
}

fn desired(node: &Node) -> Value {
    match node {
        Node::Scalar(value) => json!(value),
        Node::Atomic(values) | Node::Set(values) => json!(values),
        Node::Struct(inner) => Value::Object(fields(inner, desired)),
        Node::Items(items) => items
            .iter()
            .map(|(name, inner)| named(*name, fields(inner, desired)))
            .collect(),
    }
}

/// Returns the live value, to which others have added fields.
fn live(node: &Node) -> Value {
    match node {
        Node::Scalar(_) | Node::Atomic(_) => desired(node),
        Node::Set(values) => std::iter::once(json!("theirs"))
            .chain(values.iter().rev().map(|value| json!(value)))
            .collect(),
        // An empty struct is recorded like an atomic value.
        Node::Struct(inner) if inner.is_empty() => json!({}),
        Node::Struct(inner) => {
            let mut fields = fields(inner, live);
            fields.insert("theirs".to_owned(), json!(1));
            Value::Object(fields)
        }
        Node::Items(items) => {
            let ours = items.iter().map(|(name, inner)| {
                let mut fields = fields(inner, live);
                fields.insert("theirs".to_owned(), json!(1));
                named(*name, fields)
            });
            std::iter::once(json!({"name": "theirs"}))
                .chain(ours)
                .collect()
        }
    }
}

/// Returns the `FieldsV1` of the applier.
fn owned(node: &Node) -> Value {
    let record = |inner: &[(u8, Node)]| -> Map<String, Value> {
        inner
            .iter()
            .map(|(name, node)| (format!("f:x{name}"), owned(node)))
            .collect()
    };
    match node {
        Node::Scalar(_) | Node::Atomic(_) => json!({}),
        Node::Set(values) => values
            .iter()
            .map(|value| (format!("v:{value}"), json!({})))
            .collect(),
        Node::Struct(inner) => Value::Object(record(inner)),
        Node::Items(items) => {
            let entries = items.iter().map(|(name, inner)| {
                let mut fields = record(inner);
                fields.insert(".".to_owned(), json!({}));
                fields.insert("f:name".to_owned(), json!({}));
                (json!({"name": name}).to_string(), Value::Object(fields))
            });
            entries
                .map(|(key, fields)| (format!("k:{key}"), fields))
                .collect()
        }
    }
}

/// Returns all values with a single change.
fn changes(value: &Value) -> Vec<Value> {
    let mut changed = vec![json!("changed")];
    match value {
        Value::Object(fields) => {
            for (name, inner) in fields {
                let with = |new: Option<Value>| {
                    let mut fields = fields.clone();
                    fields.remove(name);
                    fields.extend(new.map(|new| (name.clone(), new)));
                    Value::Object(fields)
                };
                changed.push(with(None));
                changed.extend(changes(inner).into_iter().map(|inner| with(Some(inner))));
            }
            for new in ["added", "theirs"] {
                let mut fields = fields.clone();
                fields.insert(new.to_owned(), json!(1));
                changed.push(Value::Object(fields));
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                let mut less = items.clone();
                less.remove(index);
                changed.push(Value::Array(less));
                for inner in changes(item) {
                    let mut items = items.clone();
                    items[index] = inner;
                    changed.push(Value::Array(items));
                }
            }
            for new in [json!("theirs"), json!({"name": "theirs"})] {
                let more = items.iter().cloned().chain([new]);
                changed.push(more.collect());
            }
            if items.len() > 1 && items[0].is_object() {
                changed.push(items.iter().rev().cloned().collect());
            }
        }
        _ => {}
    }
    changed
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_applied_object_matches_and_no_change_of_it_does(node in prop::collection::btree_map(0..9_u8, node(), 1..4)) {
        let node = Node::Struct(node.into_iter().collect());
        let (desired, live, owned) = (desired(&node), live(&node), owned(&node));
        prop_assert!(matches_live(&desired, &live, &owned), "{desired} in {live} with {owned}");
        for changed in changes(&desired) {
            prop_assert!(!matches_live(&changed, &live, &owned), "{changed} in {live} with {owned}");
        }
    }
}
