//! Reads the sources of the user's API crate into definitions, without a compiler: the fast path of `generate`.
//!
//! `markers` knows what an attribute means and `model` what a document looks like; this is what stands between: modules,
//! `use`, aliases, generics and default values. What only rustc can know becomes a [`Reason`] for the slow path, never a guess;
//! what is wrong becomes a [`Diagnostic`] with its place. Nothing here touches the file system: [`Files`] gives the texts.

mod annotated;
mod cfg;
mod collect;
mod crates;
mod diagnostic;
mod files;
mod findings;
mod generics;
mod globs;
mod instances;
mod known;
mod listed;
mod manifest;
mod outline;
mod reading;
mod reason;
mod resolve;
mod scope;
mod shared;
mod sources;
mod tree;
mod type_resolution;
mod values;

#[cfg(test)]
mod tests;

pub(crate) use diagnostic::Diagnostic;
pub(crate) use reading::{Files, Reading, read};
pub(crate) use reason::Reason;
pub(crate) use shared::read_shared;
pub(crate) use sources::Sources;
