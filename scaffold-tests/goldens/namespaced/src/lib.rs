//! The manager of namespaced: its controllers.

pub mod controller;
