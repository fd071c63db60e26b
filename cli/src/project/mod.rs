//! The PROJECT file, which tracks the scaffolded resources in Kubebuilder's format (version "3").
//!
//! [`Project`] is the typed configuration, [`ProjectFile`] a file with the configuration read from it. Fields unknown to
//! this version survive every rewrite, in alphabetical order like the known ones; comments below the header do not.
//! This module does no I/O.

mod config;
mod error;
mod file;
mod image;
mod layout;
mod read;
mod rust_path;
mod write;

pub use config::{Api, Controller, LAYOUT, Project, Resource};
pub use error::ProjectError;
pub use file::ProjectFile;
pub use image::{ContainerCommand, ContainerPort, Image, ImageReference, UserId};
pub(crate) use rust_path::RustPath;
