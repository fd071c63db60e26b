//! `#[kb::resource(...)]`: a kind.
//!
//! `arguments` parses the attribute, `parts` and `metadata` its structured values, and `assemble` combines it with the item.

mod arguments;
mod assemble;
mod metadata;
mod parts;

pub use assemble::read_resource;
