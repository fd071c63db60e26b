//! Reads annotated Rust items into the model of an API.
//!
//! The only place that knows what `#[kb::resource(...)]`, `#[kb::object]`, `#[kb::rbac(...)]`, `#[kb(...)]` and serde's attributes mean. The macros
//! and the command both come here, so that a mistake has one wording: an error names the token it is about, and all errors of an
//! item come at once. Pure: tokens in, model out; it resolves no names and reads no files.
//!
//! An item of an API goes through in three steps: `marks` takes `#[kb(...)]` off it, `serde_attrs` adds kb's conventions to it, and `shape`,
//! `variants` and `field` read what is left through serde's own reader.

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
mod unsupported;
mod variants;
mod written_type;

pub use item::{Expression, FieldPlace, KbAttribute, Object, Places, ResourceItem, kb_attribute};
pub use object::read_object;
pub use rbac::{RbacRule, arguments_of, check_rbac_item, is_rbac, read_rbac};
pub use resource::read_resource;
