//! Controllers of namespaced.

pub mod controller;
