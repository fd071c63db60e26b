//! Hashes for this process, of values and of what they are as JSON.
//!
//! A value is hashed while it is serialised (see `digester`), without a text or a tree of JSON values in between: an operator does this several
//! times for each object, mostly to find that nothing is to be done. Fields that do not count are left out on the way.

use std::{
    hash::{BuildHasher, Hash, Hasher},
    sync::LazyLock,
};

use foldhash::quality::{FoldHasher, RandomState};
use serde::Serialize;

use super::digester::Digester;

/// Hashes differ from process to process, so two values that have the same by chance do not have it for ever.
static SEED: LazyLock<RandomState> = LazyLock::new(RandomState::default);

pub(super) type DigestHasher = FoldHasher<'static>;

pub(super) fn hasher() -> DigestHasher {
    SEED.build_hasher()
}

/// A hash of a value.
pub(super) fn digest(value: &(impl Hash + ?Sized)) -> u64 {
    let mut hasher = hasher();
    value.hash(&mut hasher);
    hasher.finish()
}

/// A hash of so much of a value as counts. The order of a map's entries never does.
pub(super) fn digest_of(
    value: &(impl Serialize + ?Sized),
    counts: Counts,
) -> serde_json::Result<u64> {
    let mut hasher = hasher();
    value.serialize(Digester::new(&mut hasher, counts))?;
    Ok(hasher.finish())
}

/// What of a value counts, and of each item of a list.
#[derive(Clone, Copy, Debug)]
pub(super) enum Counts {
    All,
    Nothing,
    /// Of these fields so much, and of the others all.
    AllBut(&'static [(&'static str, Counts)]),
    /// All of one field.
    Only(&'static str),
}

impl Counts {
    /// What counts of a field.
    pub(super) fn of(self, field: &str) -> Self {
        match self {
            Self::AllBut(fields) => {
                let field = fields.iter().find(|(name, _)| *name == field);
                field.map_or(Self::All, |(_, counts)| *counts)
            }
            Self::Only(name) if name == field => Self::All,
            Self::Only(_) => Self::Nothing,
            all_or_nothing => all_or_nothing,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use k8s_openapi::{api::core::v1::ConfigMap, apimachinery::pkg::util::intstr::IntOrString::*};
    use serde_json::{Value, json};

    use super::*;

    fn all(value: &(impl Serialize + ?Sized)) -> u64 {
        digest_of(value, Counts::All).unwrap()
    }

    #[test]
    fn every_part_of_a_value_counts() {
        let value = json!({"a": {"b": [1, 2, null], "c": "x"}, "d": -1.5, "e": true});
        assert_eq!(all(&value), all(&value.clone()));
        let others = [
            json!({"a": {"b": [2, 1, null], "c": "x"}, "d": -1.5, "e": true}),
            json!({"a": {"b": [1, 2], "c": "x"}, "d": -1.5, "e": true}),
            json!({"a": {"b": [1, 2, null], "c": "y"}, "d": -1.5, "e": true}),
            json!({"a": {"b": [1, 2, null], "C": "x"}, "d": -1.5, "e": true}),
            json!({"a": {"b": [1, 2, null], "c": "x"}, "d": 1.5, "e": true}),
            json!({"a": {"b": [1, 2, null], "c": "x"}, "d": -1.5, "e": false}),
            json!({"a": {"b": [1, 2, null], "c": "x"}, "d": -1.5}),
            json!({"a": {"b": [1, 2, null]}, "c": "x", "d": -1.5, "e": true}),
        ];
        for other in others {
            assert_ne!(all(&value), all(&other), "{other}");
        }
        let unlike = [
            json!([]),
            json!({}),
            json!(null),
            json!(""),
            json!("1"),
            json!(1),
            json!(true),
            // The same bits.
            json!(-1),
            json!(u64::MAX),
            json!(1.0),
            json!(1.0_f64.to_bits()),
        ];
        let hashes: Vec<_> = unlike.iter().map(all).collect();
        for (at, hash) in hashes.iter().enumerate() {
            assert_eq!(hashes.iter().position(|other| other == hash), Some(at));
        }
        assert_ne!(all(&json!([[1], 2])), all(&json!([1, [2]])));
        assert_ne!(all(&Int(1)), all(&String("1".to_owned())));
    }

    #[test]
    fn the_order_of_texts_among_numbers_counts() {
        // foldhash takes in texts at once, and numbers when there are 16 bytes of them: what ends a text, and seven that are nothing, are
        // together as long as a number.
        let nulls = |count| vec![Value::Null; count];
        for before in 0..32 {
            let number_first = [nulls(before), vec![json!(255), json!("x")], nulls(7)].concat();
            let text_first = [nulls(before), vec![json!("x")], nulls(7), vec![json!(255)]].concat();
            assert_ne!(all(&number_first), all(&text_first), "{before}");
        }
    }

    #[test]
    fn the_order_of_a_map_does_not_count() {
        let entries = || (0..100).map(|number| (number.to_string(), number));
        let map: HashMap<_, _> = entries().collect();
        let other: HashMap<_, _> = entries().rev().collect();
        assert_eq!(all(&map), all(&other));
    }

    #[test]
    fn variants_of_an_enum_are_told_apart() {
        #[derive(Serialize)]
        enum Shape {
            None,
            One(u8),
            Two(u8, u8),
            Named { one: u8 },
            Other { one: u8 },
        }
        let shapes = [
            Shape::None,
            Shape::One(1),
            Shape::One(2),
            Shape::Two(1, 1),
            Shape::Named { one: 1 },
            Shape::Other { one: 1 },
        ];
        let hashes: Vec<_> = shapes.iter().map(all).collect();
        for (at, hash) in hashes.iter().enumerate() {
            assert_eq!(hashes.iter().position(|other| other == hash), Some(at));
        }
    }

    #[test]
    fn what_does_not_count_makes_no_difference_in_structs_and_maps() {
        const COUNTS: Counts = Counts::AllBut(&[
            ("data", Counts::Nothing),
            (
                "metadata",
                Counts::AllBut(&[("generation", Counts::Nothing)]),
            ),
        ]);
        let text = json!({"metadata": {"name": "a", "generation": 1}, "data": {"b": "c"}});
        let other = json!({"metadata": {"name": "a", "generation": 2}, "data": {"b": "d"}});
        let unlike = json!({"metadata": {"name": "b", "generation": 1}, "data": {"b": "c"}});
        let digest = |value: &Value| digest_of(value, COUNTS).unwrap();
        let typed = |value: &Value| {
            let object: ConfigMap = serde_json::from_value(value.clone()).unwrap();
            digest_of(&object, COUNTS).unwrap()
        };
        assert_eq!(digest(&text), digest(&other));
        assert_ne!(digest(&text), digest(&unlike));
        assert_eq!(typed(&text), typed(&other));
        assert_ne!(typed(&text), typed(&unlike));

        let only = |value: &Value| digest_of(value, Counts::Only("data")).unwrap();
        assert_eq!(only(&text), only(&unlike));
        assert_ne!(only(&text), only(&other));
    }

    #[test]
    fn of_a_list_each_item_counts_as_much() {
        const COUNTS: Counts = Counts::AllBut(&[("time", Counts::Nothing)]);
        let digest = |time: u8, name: &str| {
            let list = json!([{"time": time, "name": name}]);
            digest_of(&list, COUNTS).unwrap()
        };
        assert_eq!(digest(1, "a"), digest(2, "a"));
        assert_ne!(digest(1, "a"), digest(1, "b"));
    }
}
