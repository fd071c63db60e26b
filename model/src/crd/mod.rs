//! Builds CRDs, as controller-gen does for the same kinds in Go.
//!
//! [`build()`] is a pure function from definitions to documents, shared by the macro and the CLI, so both produce the same CRDs.

mod build;
mod definition;
mod description;
mod loss;
mod names;
mod problem;
mod subresources;
mod terminal;
mod version;

pub use build::build;
pub use definition::{Crd, Definition, Options};
pub use description::limit_descriptions;
pub use loss::losses;
pub use problem::{Location, Problem};
