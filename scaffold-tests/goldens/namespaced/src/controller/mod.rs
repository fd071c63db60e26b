//! Controllers of the manager.

pub mod app_service;
// +kb:scaffold:modules
