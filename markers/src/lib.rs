//! Reads annotated Rust items into the model of an API.
//!
//! The only crate that interprets `#[kb::resource(...)]`, `#[kb::object]`, `#[kb::rbac(...)]`, `#[kb(...)]` and serde's attributes. Macros and CLI
//! share it, so both report the same errors: all errors of an item, each pointing to its tokens. Pure: tokens in, model out. It resolves no
//! names and reads no files.
//!
//! API items are read in three steps: `marks` parses and removes `#[kb(...)]`, `serde_attrs` adds kb's conventions, and `shape`, `variants` and
//! `field` read the rest with serde's own parser.

mod attribute;
mod default;
mod did_you_mean;
mod docs;
mod errors;
mod field;
mod foreign;
mod item;
mod json_literal;
mod marks;
mod object;
mod one_of;
mod rbac;
mod resource;
mod serde_attrs;
mod shape;
mod type_syntax;
mod unsupported;
mod variants;

pub use item::{
    Expression, FieldSpans, ItemSpans, KbAttribute, Object, ResourceItem, kb_attribute,
};
pub use object::read_object;
pub use rbac::{RbacRule, arguments_of, check_rbac_item, is_rbac, read_rbac};
pub use resource::read_resource;
