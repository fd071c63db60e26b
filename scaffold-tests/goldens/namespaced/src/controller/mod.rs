//! Controllers.

pub mod app_service;
// +kb:scaffold:modules
