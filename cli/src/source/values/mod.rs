//! Evaluates default expressions to the JSON that serde would serialize.
//!
//! Supported are literals, integer arithmetic, constants, enum variants, newtypes, lists and struct literals. Any other expression
//! is a reason to fall back to crdgen.

mod calls;
mod expression;
mod literals;
mod objects;
