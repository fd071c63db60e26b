//! Reads the sources of a project without a compiler: the API crate for its types, and every package for its RBAC markers.
//!
//! `markers` parses attributes and `model` renders documents. This module does what lies in between: it resolves modules, imports,
//! aliases, generics and default values. What only rustc knows becomes a [`FallbackReason`] to build crdgen, never a guess; an
//! error becomes a [`Diagnostic`] with its span. Nothing here touches the file system: [`Files`] provides the texts.

mod api;
mod attributes;
mod cargo_toml;
mod cfg;
mod crates;
mod declarations;
mod definitions_list;
mod diagnostic;
mod fallback;
mod findings;
mod generics;
mod globs;
mod instances;
mod known_types;
mod loader;
mod module_dirs;
mod names;
mod parse;
mod rbac;
mod resolve;
mod source_map;
mod tree;
mod type_resolution;
mod values;
mod version_copy;

#[cfg(test)]
mod tests;

pub(crate) use api::{Files, ParsedApi, read};
pub(crate) use diagnostic::Diagnostic;
pub(crate) use fallback::FallbackReason;
pub(crate) use parse::STACK_SIZE;
pub(crate) use rbac::{Permissions, RuleCache, SourceRule, read_rules};
pub(crate) use source_map::SourceMap;
pub(crate) use version_copy::VersionCopy;
