//! The templates that kb-rs makes operator projects from.
//!
//! They are real files below `tree/`, in the shape of the project they make, each with `.tera` behind its name. This crate
//! embeds and renders them; it decides nothing and writes nothing. A template is named by its path below `tree/` without
//! `.tera`: `init/src/main.rs`.

pub mod context;
mod layout;
mod render;

pub use layout::call;
pub use render::Templates;
