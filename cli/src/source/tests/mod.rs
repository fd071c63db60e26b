//! Tests on source trees in memory.

mod cfg;
mod crates;
mod defaults;
mod definitions_list;
mod diagnostics;
mod fallbacks;
mod generics;
mod limits;
mod modules;
mod names;
mod rbac;
mod support;
mod type_resolution;
