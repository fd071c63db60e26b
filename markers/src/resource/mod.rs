//! `#[kb::resource(...)]`: a kind.
//!
//! `arguments` reads what the attribute says, `parts` and `metadata` its larger values, and `assemble` puts it together with the item below.

mod arguments;
mod assemble;
mod metadata;
mod parts;

pub use assemble::read_resource;
