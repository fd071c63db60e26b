//! Project templates of kb-rs.
//!
//! The files in `tree/` mirror the layout of a scaffolded project, with the suffix `.tera`. This crate embeds and renders
//! them; it makes no decisions and writes no files. The id of a template is its path relative to `tree/` without `.tera`:
//! `init/src/main.rs`.

pub mod context;
mod layout;
mod render;

pub use layout::call;
pub use render::Templates;
