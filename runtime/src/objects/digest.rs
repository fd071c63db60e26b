//! Hashes that are only compared within this process.
//!
//! Objects are serialized to a `serde_json::Value` and hashed, which takes 16 µs for a Deployment of 4 KB. Hashing it in a custom serializer
//! takes 6 µs: not worth the code, because each reconcile does this once or twice per object.

use std::{
    hash::{BuildHasher, Hash},
    sync::LazyLock,
};

use foldhash::quality::RandomState;

/// Random, so that two values that collide in one process do not collide in the next.
static SEED: LazyLock<RandomState> = LazyLock::new(RandomState::default);

/// Hashes a value. In a [`serde_json::Value`], the order of map entries does not matter, and numbers of different types with the same
/// bits, such as `-1` and `u64::MAX`, collide: a field of an object always has the same type.
pub(super) fn digest(value: &(impl Hash + ?Sized)) -> u64 {
    SEED.hash_one(value)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn different_values_have_different_digests() {
        let values = [
            json!([]),
            json!({}),
            json!(null),
            json!(""),
            json!("1"),
            json!(1),
            json!(true),
            json!(-1),
            json!(1.0),
            json!([1, 2]),
            json!([2, 1]),
            json!([[1], 2]),
            json!([1, [2]]),
            json!({"a": {"b": 1}, "c": 1}),
            json!({"a": {"b": 1, "c": 1}}),
            json!({"a": {"b": {}}, "b": {"a": {}}}),
            json!({"a": {"a": {}}, "b": {"b": {}}}),
        ];
        let digests: Vec<_> = values.iter().map(digest).collect();
        for (index, digest) in digests.iter().enumerate() {
            let first = digests.iter().position(|other| other == digest);
            assert_eq!(first, Some(index), "{}", values[index]);
        }
    }

    /// foldhash mixes strings immediately, but buffers integers: their relative order must still matter.
    #[test]
    fn the_order_of_strings_and_numbers_matters() {
        let nulls = |count| vec![Value::Null; count];
        for prefix in 0..32 {
            let number_first = [nulls(prefix), vec![json!(255), json!("x")], nulls(7)].concat();
            let string_first =
                [nulls(prefix), vec![json!("x")], nulls(7), vec![json!(255)]].concat();
            assert_ne!(digest(&number_first), digest(&string_first), "{prefix}");
        }
    }
}
