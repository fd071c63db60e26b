//! Behaviour of the reader, on trees of files in memory.

mod conditions;
mod crates;
mod defaults;
mod generics;
mod limits;
mod listing;
mod memory;
mod mistakes;
mod modules;
mod names;
mod rules;
mod shared;
mod type_resolution;
mod unknown;
