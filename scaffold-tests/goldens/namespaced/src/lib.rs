//! The namespaced controllers.

pub mod controller;
