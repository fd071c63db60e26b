//! The controllers.

pub mod app_service;
// +kb:scaffold:modules
