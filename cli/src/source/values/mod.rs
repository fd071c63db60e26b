//! The values of default expressions, as serde would write them.
//!
//! Literals, arithmetic on integers, constants, variants, lists and structs are computed here. Whatever else an expression can be
//! is not guessed: it has no value, and becomes a reason for the slow path.

mod calls;
mod expression;
mod literals;
mod objects;
