//! A sample of a kind: the smallest object that is of use and that its schema accepts.
//!
//! [`sample()`] has the fields that are required, those with a default and those with an example. A value is the example; without one
//! the default, the first of the choices, or something that keeps to type, format, bounds and pattern. A text with nothing to go by is
//! its field's name, as most rules for names allow it: `mountPath` gives `mount-path`. A list or map has one element, or as many as it
//! needs.
//!
//! CEL rules are not solved, except those that `exactly_one_of` and its like stand for. Where a rule asks for more,
//! `#[kb(example = ..)]` on the field is how to say it. Needs the feature `sample`: an operator has no use for it.

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
