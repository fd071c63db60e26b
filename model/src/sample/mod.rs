//! A sample of a kind: the smallest useful object that its schema accepts.
//!
//! [`sample()`] sets required fields and fields with a default or example. A value is the example, otherwise the default, the first enum value, or
//! something that satisfies type, format, bounds and pattern. An unconstrained string is derived from the field's name: `mountPath` becomes
//! `mount-path`. A list or map has one element, or the required number.
//!
//! CEL rules are not solved, except those of `exactly_one_of` etc. If a rule requires more, add `#[kb(example = ..)]` to the field. Needs the feature
//! `sample`, which operators do not use.

mod format;
mod kind;
mod layers;
mod list;
mod number;
mod object;
mod one_of;
mod pattern;
mod text;
mod value;

pub use kind::sample;

#[cfg(test)]
mod tests;
