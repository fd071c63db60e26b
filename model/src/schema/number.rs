//! Numbers: what Rust's integers are in a schema, and how JSON numbers are written.
//!
//! A number without a fraction is written as an integer, as Go does, whatever it was written as in Rust.

use serde_json::Number;

use super::node::Node;

/// The largest magnitude up to which every integer is a double, which is how the API server keeps bounds.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The schema of an integer type; none if JSON has no such number.
///
/// The only formats that the API server knows are `int32` and `int64`: what they do not say, bounds do.
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

/// A number without a fraction as an integer.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the value is integral and within the exact range"
)]
pub(super) fn normal(number: &Number) -> Number {
    match number.as_f64() {
        Some(value) if number.is_f64() && value.fract() == 0.0 && value.abs() <= EXACT => {
            Number::from(value as i64)
        }
        _ => number.clone(),
    }
}

/// Whether a number has no fraction.
pub(super) fn is_integral(number: &Number) -> bool {
    !normal(number).is_f64()
}

/// Whether one number is less than another.
pub(super) fn is_less(one: &Number, other: &Number) -> bool {
    match (one.as_i128(), other.as_i128()) {
        (Some(one), Some(other)) => one < other,
        _ => one.as_f64() < other.as_f64(),
    }
}
