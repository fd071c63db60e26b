//! Reads the sources of the user's project, without a compiler: those of the API crate into definitions, the fast path of
//! `generate`, and those of all packages into the rules of the operator's role (`rules`).
//!
//! `markers` knows what an attribute means and `model` what a document looks like; this is what stands between: modules,
//! `use`, aliases, generics and default values. What only rustc can know becomes a [`Reason`] for the slow path, never a guess;
//! what is wrong becomes a [`Diagnostic`] with its place. Nothing here touches the file system: [`Files`] gives the texts.

mod annotated;
mod cfg;
mod collect;
mod copy;
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
mod module_files;
mod outline;
mod parse;
mod reading;
mod reason;
mod resolve;
mod rules;
mod scope;
mod shared;
mod sources;
mod tree;
mod type_resolution;
mod values;

#[cfg(test)]
mod tests;

pub(crate) use copy::Copy;
pub(crate) use diagnostic::Diagnostic;
pub(crate) use parse::STACK_SIZE;
pub(crate) use reading::{Files, Reading, read};
pub(crate) use reason::Reason;
pub(crate) use rules::{Permissions, RuleFiles, WrittenRule, read_rules};
pub(crate) use shared::read_shared;
pub(crate) use sources::Sources;
