//! Makes CRDs of kinds, as controller-gen would of the same kinds in Go.
//!
//! [`build()`] is all of it: definitions of one kind in several versions become one document. It is a pure function;
//! the macro and the command both end here, so what they write is the same.

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
pub use problem::{Place, Problem};
