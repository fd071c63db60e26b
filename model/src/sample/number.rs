//! Numbers within bounds: 1, or the closest to it.

use serde_json::{Map, Number, Value};

use super::layers::Layers;

/// Doubles represent every integer up to here.
const EXACT: f64 = 9_007_199_254_740_992.0;
/// Maximum number of multiples to try.
const TRIES: usize = 16;

/// Returns an integer.
pub(super) fn integer(layers: &Layers<'_>, variant: usize) -> i64 {
    let is_int32 = layers.all("format").any(|format| *format == "int32");
    let (mut least, mut most) = if is_int32 {
        (i128::from(i32::MIN), i128::from(i32::MAX))
    } else {
        (i128::from(i64::MIN), i128::from(i64::MAX))
    };
    for schema in layers.schemas() {
        if let Some((bound, excluded)) = bound(schema, "minimum", "exclusiveMinimum") {
            let inside = excluded && bound.fract() == 0.0;
            least = least.max(whole(bound.ceil()) + i128::from(inside));
        }
        if let Some((bound, excluded)) = bound(schema, "maximum", "exclusiveMaximum") {
            let inside = excluded && bound.fract() == 0.0;
            most = most.min(whole(bound.floor()) - i128::from(inside));
        }
    }
    let steps = layers.all("multipleOf").filter_map(Value::as_f64);
    let steps = steps.filter(|step| step.fract() == 0.0).map(whole);
    let step = steps.filter(|step| *step > 0).fold(1, common_multiple);
    let found = step
        * nth(
            ceil_div(least, step),
            most.div_euclid(step),
            ceil_div(1, step),
            variant,
        );
    i64::try_from(found).unwrap_or_default()
}

/// Returns a number that may have a fraction.
pub(super) fn number(layers: &Layers<'_>, variant: usize) -> Number {
    let (mut least, mut most) = (f64::MIN, f64::MAX);
    for schema in layers.schemas() {
        if let Some((bound, _)) = bound(schema, "minimum", "exclusiveMinimum") {
            least = least.max(bound);
        }
        if let Some((bound, _)) = bound(schema, "maximum", "exclusiveMaximum") {
            most = most.min(bound);
        }
    }
    let step = layers.all("multipleOf").find_map(Value::as_f64);
    let fits = |value: &f64| layers.schemas().all(|schema| is_within(schema, *value));
    let found = if let Some(step) = step.filter(|step| *step > 0.0) {
        let from = whole((least / step).ceil());
        let to = whole((most / step).floor());
        let near = whole((1.0 / step).ceil());
        let multiples = (0..TRIES + 2 * variant).map(|number| {
            let count = nth(from, to, near, number);
            as_double(count) * step
        });
        // The API server truncates the factor for integers, 0.5 to 0.
        let is_read = |value: &f64| step.fract() == 0.0 || value.fract() != 0.0;
        let mut multiples = multiples.filter(|value| fits(value) && is_read(value));
        multiples.nth(variant)
    } else {
        let far = f64::from(u32::try_from(variant).unwrap_or(u32::MAX));
        let start = 1.0_f64.clamp(least, most.max(least));
        let more = far + 1.0;
        let between = least + (most - least) * 0.5 / more;
        let near = [start + far, start - far, start + more, start - more];
        near.into_iter().chain([between]).find(fits)
    };
    json_number(found.unwrap_or_default())
}

/// Returns whether a number is within the bounds of a schema. The API server truncates bounds of integers.
fn is_within(schema: &Map<String, Value>, value: f64) -> bool {
    let least = bound(schema, "minimum", "exclusiveMinimum");
    let most = bound(schema, "maximum", "exclusiveMaximum");
    let within = |cut: fn(f64) -> f64| {
        least.is_none_or(|(least, excluded)| is_above(value, cut(least), excluded))
            && most.is_none_or(|(most, excluded)| is_above(cut(most), value, excluded))
    };
    within(|bound| bound) && (value.fract() != 0.0 || within(f64::trunc))
}

fn is_above(value: f64, other: f64, strictly: bool) -> bool {
    value > other || (!strictly && value >= other)
}

/// Returns the `variant`th integer from `least` to `most`: upwards from the one closest to `near`, then downwards.
fn nth(least: i128, most: i128, near: i128, variant: usize) -> i128 {
    if least > most {
        return least;
    }
    let start = near.clamp(least, most);
    let variant = i128::try_from(variant).unwrap_or(i128::MAX);
    let above = most - start;
    if variant <= above {
        start + variant
    } else {
        (start - (variant - above)).max(least)
    }
}

/// A bound, and whether it is exclusive.
fn bound(schema: &Map<String, Value>, keyword: &str, flag: &str) -> Option<(f64, bool)> {
    let bound = schema.get(keyword)?.as_f64()?;
    Some((bound, schema.get(flag) == Some(&Value::Bool(true))))
}

fn ceil_div(value: i128, by: i128) -> i128 {
    -(-value).div_euclid(by)
}

fn common_multiple(one: i128, other: i128) -> i128 {
    let (mut a, mut b) = (one, other);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    one.saturating_mul(other / a)
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the conversion saturates, and API bounds are within the range"
)]
fn whole(value: f64) -> i128 {
    i128::from(value as i64)
}

#[expect(
    clippy::cast_precision_loss,
    reason = "the multiples are close to 1 or to a bound"
)]
fn as_double(value: i128) -> f64 {
    value as f64
}

/// Converts to an integer if there is no fraction.
fn json_number(value: f64) -> Number {
    if value.fract() == 0.0 && value.abs() <= EXACT {
        return i64::try_from(whole(value)).unwrap_or_default().into();
    }
    Number::from_f64(value).unwrap_or_else(|| 0.into())
}
