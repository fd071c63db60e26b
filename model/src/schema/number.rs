//! Schemas of Rust's integers, and the notation of JSON numbers.
//!
//! A number without fraction is written as an integer, as in Go, however it was written in Rust.

use serde_json::Number;

use super::node::Node;

/// Largest magnitude up to which doubles, used for bounds by the API server, represent every integer.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Returns the schema of an integer type, or `None` if JSON has no such number.
///
/// The API server only knows the formats `int32` and `int64`; bounds express the rest.
pub(super) fn integer(bits: u8, signed: bool) -> Option<Node> {
    let mut node = Node::of_type("integer");
    match (bits, signed) {
        (32, true) => node.set_natural("format", "int32"),
        (64, true) => node.set_natural("format", "int64"),
        (64, false) => {
            node.set_natural("format", "int64");
            node.set_natural("minimum", 0);
        }
        (32, false) => {
            node.set_natural("format", "int64");
            node.set_natural("minimum", 0);
            node.set_natural("maximum", u32::MAX);
        }
        (8 | 16, true) => {
            let bound = 1_i64 << (bits - 1);
            node.set_natural("minimum", -bound);
            node.set_natural("maximum", bound - 1);
        }
        (8 | 16, false) => {
            node.set_natural("minimum", 0);
            node.set_natural("maximum", (1_i64 << bits) - 1);
        }
        _ => return None,
    }
    Some(node)
}

/// Converts a number without fraction to an integer.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the value is integral and within the exact range"
)]
pub(super) fn normalize(number: &Number) -> Number {
    match number.as_f64() {
        Some(value) if number.is_f64() && value.fract() == 0.0 && value.abs() <= EXACT => {
            Number::from(value as i64)
        }
        _ => number.clone(),
    }
}

/// Returns whether a number has no fraction.
pub(super) fn is_integral(number: &Number) -> bool {
    !normalize(number).is_f64()
}

/// Returns whether one number is less than another.
pub(super) fn is_less(left: &Number, right: &Number) -> bool {
    match (left.as_i128(), right.as_i128()) {
        (Some(left), Some(right)) => left < right,
        _ => left.as_f64() < right.as_f64(),
    }
}
